//! Competitors of the business units.

use super::STAFF;
use crate::id::{BusinessUnitId, CompetitorId};
use crate::record::{List, One, record};
use crate::resource::resource;
use crate::role::Roles;
use crate::tool::tool;
use crate::value::{Change, Limit, Line, Name, Offset, Text, UpTo, WebUrl};

record! {
    /// A competitor.
    Competitor {
        id: CompetitorId,
        name: Name [create, change],
        website: Option<WebUrl> [create, change],
        business_unit_id: Option<BusinessUnitId> [create, change],
        business_unit_name: Option<String>,
        strengths: UpTo<Name, 50> [create?],
        weaknesses: UpTo<Name, 50> [create?],
        notes: Option<Text<0, 2000>> [create, change],
    }
    /// Adds a competitor.
    create CreateCompetitor = "create_competitor" on Strategy for Roles::DESK;
    /// Changes a competitor.
    change UpdateCompetitor = "update_competitor" on Strategy for Roles::DESK {
        opt {
            /// Replaces all strengths.
            strengths: Change<UpTo<Name, 50>>,
            /// Replaces all weaknesses.
            weaknesses: Change<UpTo<Name, 50>>,
        }
    }
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
    /// Deletes a competitor.
    DeleteCompetitor = "delete_competitor" on Strategy, DELETE, for Roles::DESK => One<Competitor> {
        req {
            id: CompetitorId,
        }
    }
}
