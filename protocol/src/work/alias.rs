//! Label aliases: labels in meetings that identify a member.

use crate::id::{AliasId, MemberId};
use crate::record::One;
use crate::resource::resource;
use crate::role::Roles;
use crate::tool::tool;
use crate::value::{Name, Prose, Within};
use crate::wire::Wire;

/// A label that identifies a member.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Alias {
    pub id: AliasId,
    /// The exact label.
    pub alias: String,
    pub member_id: MemberId,
    pub member_name: Option<String>,
    /// Source of the assignment.
    pub source: String,
    /// Confidence, from 0 to 1.
    pub confidence: f64,
    /// Remarks.
    pub context: Option<String>,
}

resource! {
    Alias = "member_label_alias", "member_label_aliases" (name: alias) {
        create: CreateMemberLabelAlias,
    }
}

tool! {
    /// Assigns a label used in meetings to a member. Repeating it updates source, confidence and context.
    CreateMemberLabelAlias = "create_member_label_alias" on Work, UPDATE, for Roles::DESK => One<Alias> {
        req {
            /// The label exactly as it appears in meetings: case and spaces matter.
            alias: Name,
            member_id: MemberId,
        }
        opt {
            source: Option<Name> = "manual",
            confidence: Option<Within<0, 1>> = 1,
            /// Remarks.
            context: Option<Prose>,
        }
    }
}
