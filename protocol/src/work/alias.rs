//! Label aliases: which member a label of meetings stands for.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::id::{AliasId, MemberId};
use crate::record::{One, record};
use crate::role::Roles;
use crate::tool::{tool, tools};
use crate::value::{Name, Prose, Within};

/// A label that stands for a member.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Alias {
    /// Identifies the alias.
    pub id: AliasId,
    /// The label, to the letter.
    pub alias: String,
    /// The member.
    pub member_id: MemberId,
    /// Who says so.
    pub source: String,
    /// How sure it is, from 0 to 1.
    pub confidence: f64,
    /// Remarks.
    pub context: Option<String>,
}
record!(Alias, "member_label_alias", "member_label_aliases");

tool! {
    /// Says which member a label of meetings stands for. Again, it refreshes source, confidence and context.
    CreateMemberLabelAlias = "create_member_label_alias" on Work, UPDATE, for Roles::DESK => One<Alias> {
        req {
            /// The label exactly as meetings have it: case and spaces count.
            alias: Name,
            /// The member.
            member_id: MemberId,
        }
        opt {
            /// manual where left out.
            source: Option<Name>,
            /// 1 where left out.
            confidence: Option<Within<0, 1>>,
            /// Remarks.
            context: Option<Prose>,
        }
    }
}

tools![CreateMemberLabelAlias];
