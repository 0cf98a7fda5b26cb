//! Competitors: who else serves the same people.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::STAFF;
use crate::id::{BusinessUnitId, CompetitorId};
use crate::record::{List, One, record};
use crate::role::Roles;
use crate::tool::{tool, tools};
use crate::value::{Change, Limit, Line, Name, Offset, Patch, Text, UpTo, WebUrl};

/// A competitor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Competitor {
    /// Identifies the competitor.
    pub id: CompetitorId,
    /// Name.
    pub name: String,
    /// Where it is on the web.
    pub website: Option<String>,
    /// The business unit it competes with; null for all.
    pub business_unit_id: Option<BusinessUnitId>,
    /// What it does well.
    pub strengths: Vec<String>,
    /// What it does badly.
    pub weaknesses: Vec<String>,
    /// Anything else.
    pub notes: Option<String>,
}
record!(Competitor, "competitor", "competitors");

tool! {
    /// Lists competitors by name.
    ListCompetitors = "list_competitors" on Strategy, READ, for STAFF => List<Competitor> {
        opt {
            /// Only competitors of this business unit.
            business_unit_id: Option<BusinessUnitId>,
            /// Part of name or notes.
            search: Option<Line>,
            /// Most competitors to return.
            limit: Limit,
            /// Competitors to skip.
            offset: Offset,
        }
    }
}

tool! {
    /// Adds a competitor.
    CreateCompetitor = "create_competitor" on Strategy, CREATE, for Roles::DESK => One<Competitor> {
        req {
            /// Name.
            name: Name,
        }
        opt {
            /// Where it is on the web.
            website: Option<WebUrl>,
            /// The business unit it competes with.
            business_unit_id: Option<BusinessUnitId>,
            /// What it does well.
            strengths: Option<UpTo<Name, 50>>,
            /// What it does badly.
            weaknesses: Option<UpTo<Name, 50>>,
            /// Anything else.
            notes: Option<Text<0, 2000>>,
        }
    }
}

tool! {
    /// Changes a competitor. Fields left out stay; null clears.
    UpdateCompetitor = "update_competitor" on Strategy, UPDATE, for Roles::DESK => One<Competitor> {
        req {
            /// The competitor.
            id: CompetitorId,
        }
        opt {
            /// Name.
            name: Change<Name>,
            /// Where it is on the web.
            website: Patch<WebUrl>,
            /// The business unit it competes with.
            business_unit_id: Patch<BusinessUnitId>,
            /// Instead of all strengths.
            strengths: Change<UpTo<Name, 50>>,
            /// Instead of all weaknesses.
            weaknesses: Change<UpTo<Name, 50>>,
            /// Anything else.
            notes: Patch<Text<0, 2000>>,
        }
    }
}

tools![ListCompetitors, CreateCompetitor, UpdateCompetitor];
