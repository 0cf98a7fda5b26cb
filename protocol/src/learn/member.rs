//! Members: the people of an organisation. Other hosts refer to them by the id that `lookup_member` returns
//! (specification, section 1.7).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{EVERYBODY, STAFF};
use crate::id::MemberId;
use crate::record::{All, List, Maybe, One, record};
use crate::role::Roles;
use crate::tool::{tool, tools};
use crate::value::{Change, Flag, Limit, Line, Name, Offset, Patch, UpTo};

/// A member.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Member {
    /// Identifies the member at every host.
    pub id: MemberId,
    /// Name.
    pub name: String,
    /// Private e-mail address.
    pub personal_email: Option<String>,
    /// E-mail address at work.
    pub corporate_email: Option<String>,
    /// Telephone number.
    pub phone: Option<String>,
    /// City.
    pub city: Option<String>,
    /// State.
    pub state: Option<String>,
    /// How far they have come: `waiting_list`, `active`, `alumni`.
    pub phase_id: Option<String>,
    /// Tags.
    pub tags: Vec<String>,
    /// Not deleted.
    pub is_active: bool,
}
record!(Member, "member", "members");

tool! {
    /// Lists members by name.
    ListMembers = "list_members" on Learn, READ, for EVERYBODY => List<Member> {
        opt {
            /// Only members of this phase.
            phase_id: Option<Line>,
            /// Only members that are active, or that are not.
            is_active: Option<bool>,
            /// Part of the name or an e-mail address.
            search: Option<Line>,
            /// Most members to return.
            limit: Limit,
            /// Members to skip.
            offset: Offset,
        }
    }
}

tool! {
    /// Gets a member.
    GetMember = "get_member" on Learn, READ, for EVERYBODY => Maybe<Member> {
        req {
            /// The member.
            id: MemberId,
        }
    }
}

tool! {
    /// Adds a member.
    CreateMember = "create_member" on Learn, CREATE, for Roles::DESK => One<Member> {
        req {
            /// Name.
            name: Name,
        }
        opt {
            /// Private e-mail address.
            personal_email: Option<Line>,
            /// E-mail address at work.
            corporate_email: Option<Line>,
            /// Telephone number.
            phone: Option<Line>,
            /// City.
            city: Option<Line>,
            /// State.
            state: Option<Line>,
            /// `waiting_list`, `active`, `alumni`.
            phase_id: Option<Line>,
            /// Tags.
            tags: Option<UpTo<Name, 100>>,
        }
    }
}

tool! {
    /// Changes a member. Fields left out stay; null clears.
    UpdateMember = "update_member" on Learn, UPDATE, for Roles::DESK => One<Member> {
        req {
            /// The member.
            id: MemberId,
        }
        opt {
            /// Name.
            name: Change<Name>,
            /// Private e-mail address.
            personal_email: Patch<Line>,
            /// E-mail address at work.
            corporate_email: Patch<Line>,
            /// Telephone number.
            phone: Patch<Line>,
            /// City.
            city: Patch<Line>,
            /// State.
            state: Patch<Line>,
            /// `waiting_list`, `active`, `alumni`.
            phase_id: Patch<Line>,
            /// Tags, instead of those before.
            tags: Change<UpTo<Name, 100>>,
            /// Whether the member is active.
            is_active: Change<bool>,
        }
    }
}

tool! {
    /// Deactivates a member, or removes it for good.
    DeleteMember = "delete_member" on Learn, DELETE, for Roles::DESK => One<Member> {
        req {
            /// The member.
            id: MemberId,
        }
        opt {
            /// Remove the row for good; refused while others refer to it.
            hard_delete: Flag<false>,
        }
    }
}

tool! {
    /// Finds members by name: those of exactly this name first, then those that contain it.
    LookupMember = "lookup_member" on Learn, READ, for STAFF => All<Member> {
        req {
            /// The name or a part of it.
            name: Name,
        }
        opt {
            /// Most candidates to return.
            limit: Limit<10>,
            /// Whether inactive members are found as well.
            include_inactive: Flag<false>,
        }
    }
}

tools![
    ListMembers,
    GetMember,
    CreateMember,
    UpdateMember,
    DeleteMember,
    LookupMember
];
