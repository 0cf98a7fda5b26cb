//! Passages of guests: into a place, and out of it.

use jiff::Timestamp;

use crate::wire::Wire;
use crate::words::words;

words! {
    /// The direction of a movement.
    Direction {
        /// Into the event or the place.
        In = "in",
        /// Out of it.
        Out = "out",
    }
}

words! {
    /// How a guest was found.
    Source {
        /// By a scanned code.
        Scan = "scan",
        /// By name.
        Name = "name",
    }
}

words! {
    /// What becomes of a guest at an entrance.
    Verdict {
        /// They pass.
        Passed = "passed",
        /// They are inside already.
        Already = "already",
        /// They are not inside, and cannot leave.
        NotInside = "not_inside",
        /// They have been inside, and enter only once.
        Once = "once",
        /// The place is for other guests.
        WrongEntrance = "wrong_entrance",
        /// The place does not admit yet.
        NotYet = "not_yet",
        /// The place admits nobody any more.
        Closed = "closed",
        /// The place has as many guests as it holds.
        Full = "full",
        /// The guest is blocked.
        Blocked = "blocked",
    }
}

impl Verdict {
    /// Whether the rules keep the guest out, so that a person may decide otherwise.
    #[must_use]
    pub fn turns_away(self) -> bool {
        !matches!(
            self,
            Verdict::Passed | Verdict::Already | Verdict::NotInside
        )
    }
}

/// A guest's last passage.
#[derive(Debug, Clone, PartialEq, Eq, Wire)]
#[wire(inline)]
pub struct Passage {
    pub direction: Direction,
    pub at: Timestamp,
    /// The gate, as the desk names it.
    pub gate: Option<String>,
    /// The name of the account at the desk.
    pub by: Option<String>,
}
