//! The check-in desk's decision: who is meant by what a person typed or a scanner sent. docs/door.md has the table.
//!
//! [`read`] takes text apart into codes and words, [`decide`] says what one of them means.

mod admit;
mod alert;
mod code;
mod decide;
mod layout;
mod name;
#[cfg(test)]
mod tests;

pub use admit::{Admission, Claim, Visitor, admit, admit_despite, is_nearly_full, may_pass};
pub use alert::{ADMITTED, Alert, GUEST_OF, NO, alert, blocked, guest_of, is_set};
pub use code::{Arrived, Kind, Pace, TICKET, read, tickets};
pub use decide::{Decision, Doubt, Extent, Person, decide};
pub use name::{Spelled, fold};
