//! Placements: jobs that members found.

use super::ADMINS;
use crate::id::{MemberId, PlacementId, UserId};
use crate::record::record;
use crate::value::{Day, Name, Prose, UpTo, WebUrl};
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

record! {
    /// A placement.
    Placement = "placement", "placements" (name: company) {
        id: PlacementId,
        member_id: MemberId [create],
        member_name: Option<String>,
        company: Name [create],
        role: Name [create],
        /// Type of employment.
        #[wire(rename = "type")]
        type_: PlacementType,
        started_at: Day [create],
        /// Last day.
        ended_at: Option<Day> [create],
        /// A external employment, B external project, C internal project.
        placement_tier: Option<Tier> [create],
        source_of_record: Source [create = "self_report"],
        is_internal_hire_promoted: bool [create = false],
        had_prior_tech_background: Option<bool> [create],
        /// Without it, external reports omit the placement.
        consent_to_report: bool [create = false],
        evidence_url: Option<WebUrl> [create],
        notes: Option<Prose> [create],
        /// Default: you.
        created_by: Option<UserId> [create],
        created_by_name: Option<String>,
    }
    /// Adds a placement. Global admins only.
    create CreatePlacement = "create_placement" on Work for ADMINS {
        opt {
            r#type: Option<PlacementType> = "employed",
            /// Not supported yet: omit it.
            reason_we_helped: Option<UpTo<Name, 20>>,
        }
    }
}
