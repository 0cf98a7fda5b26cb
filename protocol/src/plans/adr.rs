//! Architecture decision records.

use jiff::Timestamp;

use super::EVERYBODY;
use crate::id::{AdrId, PlanId, UserId};
use crate::record::{List, Maybe, One, record};
use crate::resource::resource;
use crate::role::Roles;
use crate::tool::tool;
use crate::value::{Limit, Line, Name, Offset, Prose, Text};
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
    Adr {
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
    /// Proposes an ADR.
    create CreateAdr = "create_adr" on Plans for EVERYBODY {
        req {
            /// The problem to decide on.
            context: Reason,
            decision: Reason,
        }
    }
}

resource! {
    Adr = "adr", "adrs" (name: title, state: status) {
        list: ListAdrs,
        get: GetAdr,
        create: CreateAdr,
        set: SetAdrStatus,
    }
}

tool! {
    /// Lists ADRs, newest first.
    ListAdrs = "list_adrs" on Plans, READ, for EVERYBODY => List<Adr> {
        opt {
            plan_id: Option<PlanId>,
            status: Option<AdrStatus>,
            search: Option<Line>,
            limit: Limit,
            offset: Offset,
        }
    }
}

tool! {
    /// Gets an ADR.
    GetAdr = "get_adr" on Plans, READ, for EVERYBODY => Maybe<Adr> {
        req {
            id: AdrId,
        }
    }
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
