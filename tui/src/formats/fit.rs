//! Fits the columns of a table to the width of a terminal.

/// The width to which a column of texts can be shortened.
pub(super) const NARROWEST: usize = 12;
/// The width to which the first column can be shortened: it names the record.
const NAME: usize = 24;
/// The space between columns.
const GAP: usize = 2;

/// A column of a table.
#[derive(Debug)]
pub(super) struct Column {
    pub(super) name: String,
    /// The width of its widest cell.
    pub(super) width: usize,
    /// Whether it has texts of several words. Other values, such as ids and times, are useless if
    /// they are cut.
    pub(super) is_text: bool,
}

/// The columns that fit, with their widths, and the names of the others.
#[derive(Debug, PartialEq)]
pub(super) struct Fit {
    pub(super) shown: Vec<(String, usize)>,
    pub(super) hidden: Vec<String>,
}

/// Shortens texts and hides columns without room, the least important first. The first one is kept,
/// and the record's own id, unless the columns are `chosen`.
pub(super) fn fit(columns: Vec<Column>, width: usize, chosen: bool) -> Fit {
    let is_kept = |at: usize, column: &Column| at == 0 || !chosen && column.name == "id";
    let least = |at: usize, column: &Column| match (at, column.is_text) {
        (0, _) => column.width.min(NAME),
        (_, true) => column.width.min(NARROWEST),
        (_, false) => column.width,
    };
    let least: Vec<usize> = (columns.iter().enumerate())
        .map(|(at, column)| least(at, column))
        .collect();
    let mut room = width + GAP;
    let mut is_shown: Vec<bool> = (columns.iter().enumerate())
        .map(|(at, column)| is_kept(at, column))
        .collect();
    for (least, _) in least.iter().zip(&is_shown).filter(|(_, shown)| **shown) {
        room = room.saturating_sub(least + GAP);
    }
    for (least, is_shown) in least.iter().zip(&mut is_shown) {
        if !*is_shown && least + GAP <= room {
            room -= least + GAP;
            *is_shown = true;
        }
    }
    let mut fit = Fit {
        shown: Vec::new(),
        hidden: Vec::new(),
    };
    let mut wanted = Vec::new();
    for ((column, least), is_shown) in columns.into_iter().zip(least).zip(is_shown) {
        match is_shown {
            true => {
                wanted.push(column.width);
                fit.shown.push((column.name, least));
            }
            false => fit.hidden.push(column.name),
        }
    }
    // The rest of the room goes to the columns that want more, in equal shares.
    while room > 0 {
        let wanting = fit.shown.iter().zip(&wanted);
        let wanting = wanting.filter(|((_, width), wanted)| width < *wanted);
        let share = match wanting.count() {
            0 => break,
            wanting => (room / wanting).max(1),
        };
        for ((_, width), wanted) in fit.shown.iter_mut().zip(&wanted) {
            let more = share.min(*wanted - *width).min(room);
            *width += more;
            room -= more;
        }
    }
    fit
}
