//! Architecture decision records.

use jiff::Timestamp;

use super::EVERYBODY;
use crate::id::{AdrId, PlanId, UserId};
use crate::record::{List, Maybe, One};
use crate::resource::resource;
use crate::role::Roles;
use crate::tool::tool;
use crate::value::{Limit, Line, Name, Offset, Prose, Text};
use crate::wire::Wire;
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

/// An ADR.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Adr {
    pub id: AdrId,
    pub title: String,
    /// The problem to decide on.
    pub context: String,
    pub decision: String,
    pub consequences: Option<String>,
    /// The plan it belongs to.
    pub plan_id: Option<PlanId>,
    pub status: AdrStatus,
    /// The ADR that supersedes it.
    pub superseded_by: Option<AdrId>,
    /// The author.
    pub created_by: Option<UserId>,
    pub created_by_name: Option<String>,
    /// When it was proposed.
    pub created_at: Timestamp,
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
    /// Proposes an ADR.
    CreateAdr = "create_adr" on Plans, CREATE, for EVERYBODY => One<Adr> {
        req {
            title: Name,
            /// The problem to decide on.
            context: Reason,
            decision: Reason,
        }
        opt {
            consequences: Option<Prose>,
            plan_id: Option<PlanId>,
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
