//! Widths of columns that follow their content.

use std::ops::Range;

use super::{Column, Row, Size};
use crate::look::text::cells;

/// The number of rows that determine the widths.
const MEASURED: usize = 100;
/// The width to which a column of text shrinks.
const LEAST: u16 = 12;
/// The width to which a name shrinks before another column is left out, unless a third of the room is more.
const NAME: u16 = 24;
/// Maximum width that a column wants.
const WIDEST: usize = 80;
/// The space between columns that all have their natural widths.
pub(super) const GAP: u16 = 2;

/// The widths that show the first rows and the visible ones whole; in less room, 0 for columns that are empty in them.
pub(super) fn natural(
    columns: &[Column],
    len: usize,
    visible: Range<usize>,
    room: u16,
    row: impl Fn(usize) -> Row,
) -> Vec<u16> {
    let mut widest = vec![0; columns.len()];
    let first = len.min(MEASURED);
    let visible = visible.start.max(first)..visible.end;
    for row in (0..first).chain(visible).map(row) {
        for (at, widest) in widest.iter_mut().enumerate() {
            *widest = row.width(at).max(*widest);
        }
    }
    let natural = columns.iter().zip(&widest);
    let natural = natural.map(|(column, widest)| match column.size {
        Size::Fixed(width) => width,
        _ => cells(&column.title).max(*widest).min(WIDEST) as u16,
    });
    let mut natural: Vec<u16> = natural.collect();
    if total(&natural) > room {
        for ((natural, widest), column) in natural.iter_mut().zip(widest).zip(columns) {
            let is_fixed = matches!(column.size, Size::Fixed(_));
            *natural = if widest > 0 || is_fixed { *natural } else { 0 };
        }
    }
    natural
}

/// The room for these widths and the space between them.
pub(super) fn total(natural: &[u16]) -> u16 {
    let shown = natural.iter().filter(|width| **width > 0).count();
    let gaps = GAP * shown.saturating_sub(1) as u16;
    natural.iter().sum::<u16>() + gaps
}

/// The widths of the columns in this room; 0 for those that do not fit, the last ones first. Texts
/// and names shrink before a column is left out; names get the room that is left.
pub(super) fn fitted(columns: &[Column], natural: &[u16], room: u16) -> Vec<u16> {
    let half = room / 2;
    let mut widths = vec![0; columns.len()];
    let mut left = room;
    let filled = columns.iter().zip(natural).enumerate();
    for (at, (column, natural)) in filled.filter(|(_, (_, natural))| **natural > 0) {
        let wanted = match column.size {
            Size::Text => LEAST.min(*natural),
            Size::Name => NAME.max(room / 3).min(half).min(*natural),
            Size::Fixed(_) | Size::Whole | Size::Share(_) => *natural,
        };
        // The first columns identify the row.
        let must = column.size == Size::Name || at == 0;
        let gap = u16::from(left < room);
        let width = if must {
            wanted.min(left.saturating_sub(gap))
        } else {
            wanted
        };
        if width + gap > left {
            break;
        }
        widths[at] = width;
        left -= width + gap;
    }
    let rounds = [
        (Size::Name, u16::MAX),
        (Size::Text, half),
        (Size::Text, u16::MAX),
    ];
    for (size, most) in rounds {
        for (at, column) in columns.iter().enumerate() {
            if column.size == size && widths[at] > 0 {
                let more = natural[at].min(most).saturating_sub(widths[at]).min(left);
                widths[at] += more;
                left -= more;
            }
        }
    }
    widths
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task() -> [Column; 4] {
        [
            Column::whole("No."),
            Column::name("Task"),
            Column::whole("State"),
            Column::text("Owner"),
        ]
    }

    #[test]
    fn a_name_is_cut_last() {
        let natural = [6, 30, 13, 20];
        assert_eq!(fitted(&task(), &natural, 72), [6, 30, 13, 20]);
        // The text shrinks first, then it is left out.
        assert_eq!(fitted(&task(), &natural, 66), [6, 30, 13, 14]);
        assert_eq!(fitted(&task(), &natural, 58), [6, 24, 13, 12]);
        assert_eq!(fitted(&task(), &natural, 57), [6, 30, 13, 0]);
        assert_eq!(fitted(&task(), &natural, 44), [6, 23, 13, 0]);
        assert_eq!(fitted(&task(), &natural, 20), [6, 13, 0, 0]);
    }

    #[test]
    fn one_long_name_does_not_take_the_place_of_the_others() {
        assert_eq!(fitted(&task(), &[6, 80, 13, 20], 78), [6, 44, 13, 12]);
        assert_eq!(fitted(&task(), &[6, 80, 13, 20], 58), [6, 24, 13, 12]);
    }

    #[test]
    fn a_visible_row_is_shown_whole_however_far_down_it_is() {
        let row = |at: usize| {
            Row::new()
                .cell("1")
                .cell("x".repeat(at / 100))
                .cell("open")
                .cell("Ana")
        };
        let name = |visible| natural(&task(), 2_000, visible, 80, row)[1];
        assert_eq!([name(0..10), name(1_500..1_510)], [4, 15]);
    }

    #[test]
    fn an_empty_column_is_left_out_first() {
        let row = |_| {
            Row::new()
                .cell("Ops-1")
                .cell("Book the room")
                .cell("")
                .cell("Ana")
        };
        assert_eq!(natural(&task(), 3, 0..3, 40, row), [5, 13, 5, 5]);
        assert_eq!(natural(&task(), 3, 0..3, 33, row), [5, 13, 0, 5]);
        assert_eq!(fitted(&task(), &[5, 13, 0, 5], 33), [5, 13, 0, 5]);
    }
}
