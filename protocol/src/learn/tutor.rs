//! Tutor profiles: what is known of a member who teaches, in versions.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::ADMINS;
use crate::id::MemberId;
use crate::record::{One, record};
use crate::tool::{tool, tools};
use crate::value::{Name, Object};

/// A version of a tutor's profile.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TutorProfile {
    /// The member who teaches.
    pub member_id: MemberId,
    /// The version, `v1`.
    pub version: String,
    /// Free keys.
    pub profile_data: Map<String, Value>,
}
record!(TutorProfile, "tutor_profile", "tutor_profiles");

tool! {
    /// Writes a version of a tutor's profile, instead of what it was. Global admins only.
    UpsertTutorProfile = "upsert_tutor_profile" on Learn, UPDATE, for ADMINS => One<TutorProfile> {
        req {
            /// The member who teaches.
            member_id: MemberId,
            /// Free keys.
            profile_data: Object,
        }
        opt {
            /// v1 where left out.
            version: Option<Name>,
        }
    }
}

tools![UpsertTutorProfile];
