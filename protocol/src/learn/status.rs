//! The status of programs, stages and milestones.

use crate::words::words;

words! {
    /// The status of a program, stage or milestone.
    Progress {
        Upcoming = "upcoming",
        Locked = "locked",
        Active = "active",
        Done = "done",
    }
}
