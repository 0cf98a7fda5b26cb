//! Widths of columns that follow their content.

use super::{Column, Row, Size};
use crate::look::text::cells;

/// The number of rows that determine the widths.
const MEASURED: usize = 100;
/// The width to which a column of text shrinks.
const LEAST: u16 = 12;
/// Maximum width that a column wants.
const WIDEST: usize = 80;
/// The space between columns that all have their natural widths.
pub(super) const GAP: u16 = 2;

/// The widths that show the first rows whole.
pub(super) fn natural(columns: &[Column], len: usize, row: impl Fn(usize) -> Row) -> Vec<u16> {
    let mut widest: Vec<usize> = columns.iter().map(|column| cells(&column.title)).collect();
    for row in (0..len.min(MEASURED)).map(row) {
        for (at, widest) in widest.iter_mut().enumerate() {
            *widest = row.width(at).max(*widest);
        }
    }
    let natural = columns.iter().zip(widest);
    let natural = natural.map(|(column, widest)| match column.size {
        Size::Fixed(width) => width,
        _ => widest.min(WIDEST) as u16,
    });
    natural.collect()
}

/// The room for these widths and the space between them.
pub(super) fn total(natural: &[u16]) -> u16 {
    let gaps = GAP * natural.len().saturating_sub(1) as u16;
    natural.iter().sum::<u16>() + gaps
}

/// The widths of the columns in this room; 0 for those that do not fit, the last ones first. Texts
/// shrink before a column is left out, and names last.
pub(super) fn fitted(columns: &[Column], natural: &[u16], room: u16) -> Vec<u16> {
    let half = room / 2;
    let mut widths = vec![0; columns.len()];
    let mut left = room;
    for (at, (column, natural)) in columns.iter().zip(natural).enumerate() {
        let wanted = match column.size {
            Size::Text => LEAST.min(*natural),
            Size::Name => half.min(*natural),
            Size::Fixed(_) | Size::Whole | Size::Share(_) => *natural,
        };
        // The first columns identify the row.
        let must = column.size == Size::Name || at == 0;
        let gap = u16::from(at > 0);
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
        assert_eq!(fitted(&task(), &natural, 58), [6, 30, 13, 0]);
        assert_eq!(fitted(&task(), &natural, 44), [6, 23, 13, 0]);
        assert_eq!(fitted(&task(), &natural, 20), [6, 13, 0, 0]);
    }

    #[test]
    fn one_long_name_does_not_take_the_place_of_the_others() {
        assert_eq!(fitted(&task(), &[6, 80, 13, 20], 78), [6, 44, 13, 12]);
    }
}
