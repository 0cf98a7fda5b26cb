//! Placements: where members found work.

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ADMINS;
use crate::id::{MemberId, PlacementId, UserId};
use crate::record::{One, record};
use crate::tool::{tool, tools};
use crate::value::{Day, Name, Prose, UpTo, WebUrl};
use crate::words::words;

words! {
    /// How a member works there.
    PlacementType {
        Employed = "employed",
        Freelance = "freelance",
        Founded = "founded",
        Internship = "internship",
    }
}

words! {
    /// What kind of work it is.
    Tier {
        /// External employment.
        A = "A",
        /// External, paid, freelance or a project.
        B = "B",
        /// Internal, a paid project.
        C = "C",
    }
}

words! {
    /// How sure it is, the least first.
    Source {
        SelfReport = "self_report",
        MentorConfirmed = "mentor_confirmed",
        ContractDoc = "contract_doc",
        EmployerConfirmed = "employer_confirmed",
    }
}

/// A placement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Placement {
    /// Identifies the placement.
    pub id: PlacementId,
    /// Who.
    pub member_id: MemberId,
    /// Where.
    pub company: String,
    /// As what.
    pub role: String,
    /// How.
    #[serde(rename = "type")]
    pub type_: PlacementType,
    /// First day.
    pub started_at: Date,
    /// Last day.
    pub ended_at: Option<Date>,
    /// A external employment, B external project, C internal project.
    pub placement_tier: Option<Tier>,
    /// Who says so.
    pub source_of_record: Source,
    /// Hired from within.
    pub is_internal_hire_promoted: bool,
    /// Whether the member had worked in technology before.
    pub had_prior_tech_background: Option<bool>,
    /// Without it external reports leave the placement out.
    pub consent_to_report: bool,
    /// Evidence.
    pub evidence_url: Option<String>,
    /// Notes.
    pub notes: Option<String>,
    /// Who wrote it down.
    pub created_by: Option<UserId>,
}
record!(Placement, "placement", "placements");

tool! {
    /// Adds a placement. Global admins only.
    CreatePlacement = "create_placement" on Work, CREATE, for ADMINS => One<Placement> {
        req {
            /// The member.
            member_id: MemberId,
            /// Where.
            company: Name,
            /// As what.
            role: Name,
            /// First day.
            started_at: Day,
        }
        opt {
            /// employed where left out.
            r#type: Option<PlacementType>,
            /// Last day.
            ended_at: Option<Day>,
            /// A external employment, B external project, C internal project.
            placement_tier: Option<Tier>,
            /// self_report where left out.
            source_of_record: Option<Source>,
            /// Cannot be stored yet: leave it out.
            reason_we_helped: Option<UpTo<Name, 20>>,
            /// Hired from within.
            is_internal_hire_promoted: Option<bool>,
            /// Whether the member had worked in technology before.
            had_prior_tech_background: Option<bool>,
            /// Without it external reports leave the placement out.
            consent_to_report: Option<bool>,
            /// Evidence.
            evidence_url: Option<WebUrl>,
            /// Notes.
            notes: Option<Prose>,
            /// Who wrote it down; you where left out.
            created_by: Option<UserId>,
        }
    }
}

tools![CreatePlacement];
