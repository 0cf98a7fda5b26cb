//! The difference between two orders of tasks.

use std::collections::HashMap;
use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

/// The change of a task; positions count from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    Added { to: usize },
    Moved { from: usize, to: usize },
    TakenAway { from: usize },
}

/// The changes from one order to the other: additions and moves in the second order, then removals.
/// As few tasks as possible move.
pub(super) fn changes<'a>(before: &[&'a str], after: &[&'a str]) -> Vec<(&'a str, Change)> {
    let (mut gone, mut come) = (Vec::new(), Vec::new());
    for op in capture_diff_slices(Algorithm::Myers, before, after) {
        if !matches!(op, DiffOp::Equal { .. }) {
            gone.extend::<Range<usize>>(op.old_range());
            come.extend::<Range<usize>>(op.new_range());
        }
    }
    let mut from: HashMap<&str, usize> = gone.iter().map(|at| (before[*at], *at)).collect();
    let come = come.into_iter().map(|to| {
        let change = match from.remove(after[to]) {
            Some(from) => Change::Moved { from, to },
            None => Change::Added { to },
        };
        (after[to], change)
    });
    let mut changes: Vec<_> = come.collect();
    let left = gone.into_iter().filter(|at| from.contains_key(before[*at]));
    changes.extend(left.map(|from| (before[from], Change::TakenAway { from })));
    changes
}

/// "2 added, 1 moved, 1 removed"; empty without changes.
pub(super) fn summary(changes: &[(&str, Change)]) -> String {
    let number = |is: fn(&Change) -> bool| changes.iter().filter(|(_, change)| is(change)).count();
    let parts = [
        (
            number(|change| matches!(change, Change::Added { .. })),
            "added",
        ),
        (
            number(|change| matches!(change, Change::Moved { .. })),
            "moved",
        ),
        (
            number(|change| matches!(change, Change::TakenAway { .. })),
            "removed",
        ),
    ];
    let parts = parts.iter().filter(|(number, _)| *number > 0);
    let parts: Vec<String> = parts
        .map(|(number, word)| format!("{number} {word}"))
        .collect();
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_added_moved_and_taken_away_is_told_apart() {
        let found = changes(&["a", "b", "c", "d"], &["d", "a", "x", "c"]);
        assert_eq!(
            found,
            [
                ("d", Change::Moved { from: 3, to: 0 }),
                ("x", Change::Added { to: 2 }),
                ("b", Change::TakenAway { from: 1 }),
            ]
        );
        assert_eq!(summary(&found), "1 added, 1 moved, 1 removed");
        assert_eq!(changes(&["a"], &["a"]), []);
        assert_eq!(summary(&[]), "");
    }
}
