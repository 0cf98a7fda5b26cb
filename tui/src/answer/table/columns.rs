//! Choice of the columns that fit.

/// Maximum width of the first column while the table is scrolled sideways.
const KEPT: usize = 20;
/// Minimum width of a column.
const NARROWEST: usize = 8;

/// The visible columns with their widths, from the widths that all columns want. The selected one
/// is among them, and always the first one, which identifies the row.
pub(super) fn shown(wanted: &[usize], selected: usize, room: usize) -> Vec<(usize, usize)> {
    (0..=selected)
        .map(|first| from(wanted, first, room))
        .find(|shown| shown.iter().any(|(at, _)| *at == selected))
        .unwrap_or_default()
}

/// The columns from this one on, after the first.
fn from(wanted: &[usize], first: usize, room: usize) -> Vec<(usize, usize)> {
    let mut left = room;
    let mut shown = Vec::new();
    if first > 0 {
        let width = wanted[0].min(KEPT).min(left);
        shown.push((0, width));
        left = left.saturating_sub(width + 1);
    }
    for (at, wanted) in wanted.iter().enumerate().skip(first) {
        if left < NARROWEST.min(*wanted) && at > first {
            break;
        }
        // The last column may be cut.
        let width = (*wanted).min(left);
        shown.push((at, width));
        left = left.saturating_sub(width + 1);
        if width < *wanted {
            break;
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(wanted: &[usize], selected: usize, room: usize) -> Vec<usize> {
        let shown = shown(wanted, selected, room);
        shown.into_iter().map(|(at, _)| at).collect()
    }

    #[test]
    fn every_column_can_be_reached_and_the_first_one_stays() {
        let wanted = [30, 25, 25, 25, 36];
        assert_eq!(places(&wanted, 0, 70), [0, 1, 2]);
        assert_eq!(places(&wanted, 1, 70), [0, 1, 2]);
        assert_eq!(places(&wanted, 3, 70), [0, 2, 3]);
        assert_eq!(places(&wanted, 4, 70), [0, 3, 4]);
        // At any width.
        for selected in 0..wanted.len() {
            assert!(places(&wanted, selected, 30).contains(&selected));
        }
    }

    #[test]
    fn a_narrow_column_fits_into_little_room() {
        assert_eq!(shown(&[20, 3], 0, 24), [(0, 20), (1, 3)]);
        assert_eq!(shown(&[20, 30], 0, 24), [(0, 20)]);
    }
}
