//! Fits the columns of a table to the width of a terminal.

/// The width to which a column can be shortened.
pub(super) const NARROWEST: usize = 12;
/// The space between columns.
const GAP: usize = 2;

/// The columns that fit, with their widths, and the names of the others.
#[derive(Debug, PartialEq)]
pub(super) struct Fit {
    pub(super) shown: Vec<(String, usize)>,
    pub(super) hidden: Vec<String>,
}

/// Shortens wide columns and hides those for which there is no room, the least important first. An
/// id is useless if it is cut: the record's own is kept whole. `all` keeps every column.
pub(super) fn fit(columns: Vec<(String, usize)>, width: usize, all: bool) -> Fit {
    let least = |(name, width): &(String, usize)| match name.as_str() {
        "id" => *width,
        _ => (*width).min(NARROWEST),
    };
    let mut room = width + GAP;
    let is_kept = |at: usize, name: &str| all || at == 0 || name == "id";
    let mut is_shown = Vec::new();
    for (at, column) in columns.iter().enumerate() {
        let is_kept = is_kept(at, &column.0);
        if is_kept {
            room = room.saturating_sub(least(column) + GAP);
        }
        is_shown.push(is_kept);
    }
    for (column, is_shown) in columns.iter().zip(&mut is_shown) {
        if !*is_shown && least(column) + GAP <= room {
            room -= least(column) + GAP;
            *is_shown = true;
        }
    }
    let mut fit = Fit {
        shown: Vec::new(),
        hidden: Vec::new(),
    };
    let mut wanted = Vec::new();
    for (column, is_shown) in columns.into_iter().zip(is_shown) {
        match is_shown {
            true => {
                wanted.push(column.1);
                let least = least(&column);
                fit.shown.push((column.0, least));
            }
            false => fit.hidden.push(column.0),
        }
    }
    // The rest of the room goes to the columns that want more, in equal shares.
    while room > 0 {
        let wanting = fit.shown.iter().zip(&wanted);
        let wanting = wanting
            .filter(|((_, width), wanted)| width < *wanted)
            .count();
        if wanting == 0 {
            break;
        }
        let share = (room / wanting).max(1);
        for ((_, width), wanted) in fit.shown.iter_mut().zip(&wanted) {
            let more = share.min(*wanted - *width).min(room);
            *width += more;
            room -= more;
        }
    }
    fit
}
