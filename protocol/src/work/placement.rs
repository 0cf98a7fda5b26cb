//! Placements: jobs that members found.

use jiff::civil::Date;

use super::ADMINS;
use crate::id::{MemberId, PlacementId, UserId};
use crate::record::One;
use crate::resource::resource;
use crate::tool::tool;
use crate::value::{Day, Name, Prose, UpTo, WebUrl};
use crate::wire::Wire;
use crate::words::words;

words! {
    /// The type of employment.
    PlacementType {
        Employed = "employed",
        Freelance = "freelance",
        Founded = "founded",
        Internship = "internship",
    }
}

words! {
    /// The tier of a placement.
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
    /// The source of the information, least reliable first.
    Source {
        SelfReport = "self_report",
        MentorConfirmed = "mentor_confirmed",
        ContractDoc = "contract_doc",
        EmployerConfirmed = "employer_confirmed",
    }
}

/// A placement.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Placement {
    pub id: PlacementId,
    /// The placed member.
    pub member_id: MemberId,
    pub member_name: Option<String>,
    pub company: String,
    pub role: String,
    /// Type of employment.
    #[wire(rename = "type")]
    pub type_: PlacementType,
    /// First day.
    pub started_at: Date,
    /// Last day.
    pub ended_at: Option<Date>,
    /// A external employment, B external project, C internal project.
    pub placement_tier: Option<Tier>,
    /// The source of the information.
    pub source_of_record: Source,
    /// Whether it is an internal promotion.
    pub is_internal_hire_promoted: bool,
    /// Whether the member worked in technology before.
    pub had_prior_tech_background: Option<bool>,
    /// Consent to external reports; without it they omit the placement.
    pub consent_to_report: bool,
    /// Address of evidence.
    pub evidence_url: Option<String>,
    pub notes: Option<String>,
    /// The account that recorded it.
    pub created_by: Option<UserId>,
    pub created_by_name: Option<String>,
}

resource! {
    Placement = "placement", "placements" (name: company) {
        create: CreatePlacement,
    }
}

tool! {
    /// Adds a placement. Global admins only.
    CreatePlacement = "create_placement" on Work, CREATE, for ADMINS => One<Placement> {
        req {
            member_id: MemberId,
            company: Name,
            role: Name,
            started_at: Day,
        }
        opt {
            r#type: Option<PlacementType> = "employed",
            /// Last day.
            ended_at: Option<Day>,
            /// A external employment, B external project, C internal project.
            placement_tier: Option<Tier>,
            source_of_record: Option<Source> = "self_report",
            /// Not supported yet: omit it.
            reason_we_helped: Option<UpTo<Name, 20>>,
            is_internal_hire_promoted: Option<bool> = false,
            had_prior_tech_background: Option<bool>,
            /// Without it, external reports omit the placement.
            consent_to_report: Option<bool> = false,
            evidence_url: Option<WebUrl>,
            notes: Option<Prose>,
            /// Default: you.
            created_by: Option<UserId>,
        }
    }
}
