//! Label aliases: labels in meetings that identify a member.

use crate::id::{AliasId, MemberId};
use crate::record::{One, record};
use crate::role::Roles;
use crate::tool::tool;
use crate::value::{Name, Prose, Within};

record! {
    /// A label that identifies a member.
    Alias = "member_label_alias", "member_label_aliases" (name: alias) {
        id: AliasId,
        /// The exact label.
        alias: String,
        member_id: MemberId,
        member_name: Option<String>,
        /// Source of the assignment.
        source: String,
        /// Confidence, from 0 to 1.
        confidence: f64,
        /// Remarks.
        context: Option<String>,
    }
    create CreateMemberLabelAlias;
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
