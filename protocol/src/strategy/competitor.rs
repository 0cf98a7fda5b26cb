//! Competitors of the business units.

use super::STAFF;
use crate::id::{BusinessUnitId, CompetitorId};
use crate::record::record;
use crate::role::Roles;
use crate::value::{Change, Line, Name, Text, UpTo, WebUrl};

record! {
    /// A competitor.
    Competitor = "competitor", "competitors" (name: name) {
        id: CompetitorId,
        name: Name [create, change],
        website: Option<WebUrl> [create, change],
        business_unit_id: Option<BusinessUnitId> [create, change],
        business_unit_name: Option<String>,
        strengths: UpTo<Name, 50> [create?],
        weaknesses: UpTo<Name, 50> [create?],
        notes: Option<Text<0, 2000>> [create, change],
    }
    /// Lists competitors by name.
    list ListCompetitors = "list_competitors" on Strategy for STAFF {
        opt {
            business_unit_id: Option<BusinessUnitId>,
            /// Part of the name or notes.
            search: Option<Line>,
        }
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
    /// Deletes a competitor.
    delete DeleteCompetitor = "delete_competitor" on Strategy for Roles::DESK;
}
