//! Architecture decision records.

use jiff::Timestamp;

use super::EVERYBODY;
use crate::id::{AdrId, PlanId, UserId};
use crate::record::{One, record};
use crate::role::Roles;
use crate::tool::tool;
use crate::value::{Line, Name, Prose, Text};
use crate::words::words;

words! {
    /// The status of an ADR.
    AdrStatus {
        Proposed = "proposed",
        Accepted = "accepted",
        Rejected = "rejected",
        Superseded = "superseded",
    }
}

/// A long text that must not be empty.
type Reason = Text<1, 20_000>;

record! {
    /// An ADR.
    Adr = "adr", "adrs" (name: title, state: status) {
        id: AdrId,
        title: Name [create],
        /// The problem to decide on.
        context: String,
        decision: String,
        consequences: Option<Prose> [create],
        plan_id: Option<PlanId> [create],
        status: AdrStatus,
        /// The ADR that supersedes it.
        superseded_by: Option<AdrId>,
        /// The author.
        created_by: Option<UserId>,
        created_by_name: Option<String>,
        /// When it was proposed.
        created_at: Timestamp,
    }
    /// Lists ADRs, newest first.
    list ListAdrs = "list_adrs" on Plans for EVERYBODY {
        opt {
            plan_id: Option<PlanId>,
            status: Option<AdrStatus>,
            search: Option<Line>,
        }
    }
    /// Gets an ADR.
    get GetAdr = "get_adr" on Plans for EVERYBODY;
    /// Proposes an ADR.
    create CreateAdr = "create_adr" on Plans for EVERYBODY {
        req {
            /// The problem to decide on.
            context: Reason,
            decision: Reason,
        }
    }
    set SetAdrStatus;
}

tool! {
    /// Accepts or rejects a proposed ADR, or supersedes an accepted one.
    SetAdrStatus = "set_adr_status" on Plans, UPDATE, for Roles::DESK => One<Adr> {
        req {
            id: AdrId,
            status: AdrStatus,
        }
        opt {
            /// If superseded.
            superseded_by: Option<AdrId>,
        }
    }
}
