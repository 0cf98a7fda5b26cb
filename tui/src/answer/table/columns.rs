//! Choice of the columns that fit.

use crate::ui::text::cells;

/// Maximum width of a column, so a long text leaves room for others.
const WIDEST: usize = 40;
/// Maximum width of the first column while the table is scrolled sideways.
const KEPT: usize = 20;
/// Minimum width of a column.
const NARROWEST: usize = 8;

/// The visible columns with their widths. The selected one is among them, and always the first one,
/// which identifies the row.
pub(super) fn shown(
    columns: &[(String, usize)],
    selected: usize,
    sorted: Option<usize>,
    room: usize,
) -> Vec<(usize, usize)> {
    let wanted: Vec<usize> = columns
        .iter()
        .enumerate()
        .map(|(at, (name, width))| {
            // The sort arrow follows the name.
            let heading = cells(name) + if sorted == Some(at) { 2 } else { 0 };
            (*width).min(WIDEST).max(heading.min(WIDEST))
        })
        .collect();
    (0..=selected)
        .map(|first| from(columns, &wanted, first, room))
        .find(|shown| shown.iter().any(|(at, _)| *at == selected))
        .unwrap_or_default()
}

/// The columns from this one on, after the first.
fn from(
    columns: &[(String, usize)],
    wanted: &[usize],
    first: usize,
    room: usize,
) -> Vec<(usize, usize)> {
    let mut left = room;
    let mut shown = Vec::new();
    if first > 0 {
        let width = wanted[0].min(KEPT).min(left);
        shown.push((0, width));
        left = left.saturating_sub(width + 1);
    }
    let mut is_first = true;
    for (at, (name, _)) in columns.iter().enumerate().skip(first) {
        // Ids are not shortened, except the selected one.
        let is_id = name == "id" || name.ends_with("_id");
        if !is_first && is_id && wanted[at] > left {
            continue;
        }
        // The last column may be cut.
        let is_last = wanted[at] > left;
        if left < NARROWEST && !is_first {
            break;
        }
        let width = wanted[at].min(left);
        shown.push((at, width));
        left = left.saturating_sub(width + 1);
        is_first = false;
        if is_last {
            break;
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(widths: &[usize]) -> Vec<(String, usize)> {
        let names = ["name", "start_at", "place", "note", "event_id"];
        let columns = names.iter().zip(widths);
        columns
            .map(|(name, width)| ((*name).to_owned(), *width))
            .collect()
    }

    fn places(widths: &[usize], selected: usize, room: usize) -> Vec<usize> {
        let shown = shown(&columns(widths), selected, None, room);
        shown.into_iter().map(|(at, _)| at).collect()
    }

    #[test]
    fn every_column_can_be_reached_and_the_first_one_stays() {
        let widths = [30, 25, 25, 25, 36];
        assert_eq!(places(&widths, 0, 70), [0, 1, 2]);
        assert_eq!(places(&widths, 1, 70), [0, 1, 2]);
        assert_eq!(places(&widths, 3, 70), [0, 2, 3]);
        assert_eq!(places(&widths, 4, 70), [0, 4]);
        // At any width.
        for selected in 0..widths.len() {
            assert!(places(&widths, selected, 30).contains(&selected));
        }
    }

    #[test]
    fn a_long_text_leaves_room_for_the_others() {
        let shown = shown(&columns(&[500, 25]), 0, None, 100);
        assert_eq!(shown, [(0, 40), (1, 25)]);
    }

    #[test]
    fn an_id_is_whole_or_not_there() {
        assert_eq!(places(&[30, 25, 8, 8, 36], 0, 80), [0, 1, 2, 3]);
    }

    #[test]
    fn the_heading_has_room_for_its_arrow() {
        let columns = vec![("place".to_owned(), 3)];
        assert_eq!(shown(&columns, 0, Some(0), 80), [(0, 7)]);
    }
}
