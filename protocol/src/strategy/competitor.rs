//! Competitors of the business units.

use super::STAFF;
use crate::id::{BusinessUnitId, CompetitorId};
use crate::record::{List, One};
use crate::resource::resource;
use crate::role::Roles;
use crate::tool::tool;
use crate::value::{Change, Limit, Line, Name, Offset, Patch, Text, UpTo, WebUrl};
use crate::wire::Wire;

/// A competitor.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Competitor {
    pub id: CompetitorId,
    pub name: String,
    pub website: Option<String>,
    /// The business unit it competes with; null: all.
    pub business_unit_id: Option<BusinessUnitId>,
    pub business_unit_name: Option<String>,
    pub strengths: Vec<String>,
    pub weaknesses: Vec<String>,
    pub notes: Option<String>,
}

resource! {
    Competitor = "competitor", "competitors" (name: name) {
        list: ListCompetitors,
        create: CreateCompetitor,
        change: UpdateCompetitor,
        delete: DeleteCompetitor,
    }
}

tool! {
    /// Lists competitors by name.
    ListCompetitors = "list_competitors" on Strategy, READ, for STAFF => List<Competitor> {
        opt {
            business_unit_id: Option<BusinessUnitId>,
            /// Part of the name or notes.
            search: Option<Line>,
            limit: Limit,
            offset: Offset,
        }
    }
}

tool! {
    /// Adds a competitor.
    CreateCompetitor = "create_competitor" on Strategy, CREATE, for Roles::DESK => One<Competitor> {
        req {
            name: Name,
        }
        opt {
            website: Option<WebUrl>,
            business_unit_id: Option<BusinessUnitId>,
            strengths: Option<UpTo<Name, 50>>,
            weaknesses: Option<UpTo<Name, 50>>,
            notes: Option<Text<0, 2000>>,
        }
    }
}

tool! {
    /// Changes a competitor.
    UpdateCompetitor = "update_competitor" on Strategy, UPDATE, for Roles::DESK => One<Competitor> {
        req {
            id: CompetitorId,
        }
        opt {
            name: Change<Name>,
            website: Patch<WebUrl>,
            business_unit_id: Patch<BusinessUnitId>,
            /// Replaces all strengths.
            strengths: Change<UpTo<Name, 50>>,
            /// Replaces all weaknesses.
            weaknesses: Change<UpTo<Name, 50>>,
            notes: Patch<Text<0, 2000>>,
        }
    }
}

tool! {
    /// Deletes a competitor.
    DeleteCompetitor = "delete_competitor" on Strategy, DELETE, for Roles::DESK => One<Competitor> {
        req {
            id: CompetitorId,
        }
    }
}
