//! ADRs: decisions, with why they were made.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::EVERYBODY;
use crate::id::{AdrId, PlanId, UserId};
use crate::record::{List, Maybe, One, record};
use crate::role::Roles;
use crate::tool::{tool, tools};
use crate::value::{Limit, Line, Name, Offset, Prose, Text};
use crate::words::words;

words! {
    /// What became of an ADR.
    AdrStatus {
        Proposed = "proposed",
        Accepted = "accepted",
        Rejected = "rejected",
        Superseded = "superseded",
    }
}

/// A long text that says something.
type Reason = Text<1, 20_000>;

/// An ADR.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Adr {
    /// Identifies the ADR.
    pub id: AdrId,
    /// Title.
    pub title: String,
    /// Why there is something to decide.
    pub context: String,
    /// What is decided.
    pub decision: String,
    /// What follows.
    pub consequences: Option<String>,
    /// The plan that it belongs to.
    pub plan_id: Option<PlanId>,
    /// What became of it.
    pub status: AdrStatus,
    /// Its successor.
    pub superseded_by: Option<AdrId>,
    /// Who wrote it.
    pub created_by: Option<UserId>,
    /// When.
    pub created_at: Timestamp,
}
record!(Adr, "adr", "adrs");

tool! {
    /// Lists ADRs, the newest first.
    ListAdrs = "list_adrs" on Plans, READ, for EVERYBODY => List<Adr> {
        opt {
            /// Only ADRs of this plan.
            plan_id: Option<PlanId>,
            /// Only ADRs of this status.
            status: Option<AdrStatus>,
            /// Part of the title.
            search: Option<Line>,
            /// Most ADRs to return.
            limit: Limit,
            /// ADRs to skip.
            offset: Offset,
        }
    }
}

tool! {
    /// Gets an ADR.
    GetAdr = "get_adr" on Plans, READ, for EVERYBODY => Maybe<Adr> {
        req {
            /// The ADR.
            id: AdrId,
        }
    }
}

tool! {
    /// Proposes an ADR.
    CreateAdr = "create_adr" on Plans, CREATE, for EVERYBODY => One<Adr> {
        req {
            /// Title.
            title: Name,
            /// Why there is something to decide.
            context: Reason,
            /// What is to be decided.
            decision: Reason,
        }
        opt {
            /// What follows.
            consequences: Option<Prose>,
            /// The plan that it belongs to.
            plan_id: Option<PlanId>,
        }
    }
}

tool! {
    /// Accepts or rejects a proposed ADR, or supersedes an accepted one.
    SetAdrStatus = "set_adr_status" on Plans, UPDATE, for Roles::DESK => One<Adr> {
        req {
            /// The ADR.
            id: AdrId,
            /// What becomes of it.
            status: AdrStatus,
        }
        opt {
            /// The successor, where superseded.
            superseded_by: Option<AdrId>,
        }
    }
}

tools![ListAdrs, GetAdr, CreateAdr, SetAdrStatus];
