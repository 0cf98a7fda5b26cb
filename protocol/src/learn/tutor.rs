//! Tutor profiles: versioned data about a member who teaches.

use serde_json::{Map, Value};

use super::ADMINS;
use crate::id::MemberId;
use crate::record::One;
use crate::resource::resource;
use crate::tool::tool;
use crate::value::{Name, Object};
use crate::wire::Wire;

/// A version of a tutor's profile.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct TutorProfile {
    /// The member who teaches.
    pub member_id: MemberId,
    pub member_name: Option<String>,
    /// Name of the version, for example `v1`.
    pub version: String,
    /// JSON object with free keys.
    pub profile_data: Map<String, Value>,
}

resource! {
    TutorProfile = "tutor_profile", "tutor_profiles" {
        other: UpsertTutorProfile,
    }
}

tool! {
    /// Creates or replaces a version of a tutor's profile. Global admins only.
    UpsertTutorProfile = "upsert_tutor_profile" on Learn, REPLACE, for ADMINS => One<TutorProfile> {
        req {
            /// The member who teaches.
            member_id: MemberId,
            profile_data: Object,
        }
        opt {
            version: Option<Name> = "v1",
        }
    }
}
