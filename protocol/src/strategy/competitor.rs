//! Competitors of the business units.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::STAFF;
use crate::id::{BusinessUnitId, CompetitorId};
use crate::record::{List, One};
use crate::resource::resource;
use crate::role::Roles;
use crate::tool::tool;
use crate::value::{Change, Limit, Line, Name, Offset, Patch, Text, UpTo, WebUrl};

/// A competitor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Competitor {
    /// Identifies the competitor.
    pub id: CompetitorId,
    /// Name.
    pub name: String,
    /// Website.
    pub website: Option<String>,
    /// The business unit it competes with; null: all.
    pub business_unit_id: Option<BusinessUnitId>,
    /// Strengths.
    pub strengths: Vec<String>,
    /// Weaknesses.
    pub weaknesses: Vec<String>,
    /// Notes.
    pub notes: Option<String>,
}

resource! {
    Competitor = "competitor", "competitors" (name: name) {
        list: ListCompetitors,
        create: CreateCompetitor,
        change: UpdateCompetitor,
    }
}

tool! {
    /// Lists competitors by name.
    ListCompetitors = "list_competitors" on Strategy, READ, for STAFF => List<Competitor> {
        opt {
            /// Only competitors of this business unit.
            business_unit_id: Option<BusinessUnitId>,
            /// Part of the name or notes.
            search: Option<Line>,
            /// Maximum number of competitors to return.
            limit: Limit,
            /// Number of competitors to skip.
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
            /// Website.
            website: Option<WebUrl>,
            /// The business unit it competes with.
            business_unit_id: Option<BusinessUnitId>,
            /// Strengths.
            strengths: Option<UpTo<Name, 50>>,
            /// Weaknesses.
            weaknesses: Option<UpTo<Name, 50>>,
            /// Notes.
            notes: Option<Text<0, 2000>>,
        }
    }
}

tool! {
    /// Changes a competitor. Omitted fields keep their value; null clears a field.
    UpdateCompetitor = "update_competitor" on Strategy, UPDATE, for Roles::DESK => One<Competitor> {
        req {
            /// The competitor.
            id: CompetitorId,
        }
        opt {
            /// Name.
            name: Change<Name>,
            /// Website.
            website: Patch<WebUrl>,
            /// The business unit it competes with.
            business_unit_id: Patch<BusinessUnitId>,
            /// Replaces all strengths.
            strengths: Change<UpTo<Name, 50>>,
            /// Replaces all weaknesses.
            weaknesses: Change<UpTo<Name, 50>>,
            /// Notes.
            notes: Patch<Text<0, 2000>>,
        }
    }
}
