//! Forgetting a person.

use super::OWNERS;
use super::guests::MOST_GUESTS;
use crate::id::{GuestId, MemberId};
use crate::tool::{tool, tools};
use crate::value::UpTo;
use crate::wire::Wire;
use crate::words::words;

words! {
    /// The state of a forgotten person's records.
    Outcome {
        Erased = "erased",
        // Without name and address.
        Anonymous = "anonymous",
        Kept = "kept",
    }
}

/// Records of a forgotten person.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(inline)]
pub struct PersonsRecords {
    pub kind: String,
    pub number: u32,
    pub outcome: Outcome,
    /// Why they are kept.
    pub reason: Option<String>,
}

/// The records of a forgotten person.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Forgotten {
    pub records: Vec<PersonsRecords>,
}

tool! {
    // Unremembered: the result is not about the person, but the call is.
    /// Forgets a person: account, contact data, history and stored results go, and records that count the person become
    /// anonymous. Names what stays. Owners only.
    ForgetPerson = "forget_person" on Ops, FORGET, for OWNERS => Forgotten as unremembered {
        opt {
            /// With its guests.
            member_id: Option<MemberId>,
            guest_id: Option<GuestId>,
            /// Others, too.
            guest_ids: Option<UpTo<GuestId, MOST_GUESTS>>,
        }
    }
}

tools![ForgetPerson];
