//! Tutor profiles: versioned data about a member who teaches.

use serde_json::{Map, Value};

use super::ADMINS;
use crate::id::MemberId;
use crate::record::{One, record};
use crate::tool::tool;
use crate::value::{Name, Object};

record! {
    /// A version of a tutor's profile.
    TutorProfile = "tutor_profile", "tutor_profiles" {
        /// The member who teaches.
        member_id: MemberId,
        member_name: Option<String>,
        /// Name of the version, for example `v1`.
        version: String,
        /// JSON object with free keys.
        profile_data: Map<String, Value>,
    }
    other UpsertTutorProfile;
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
