//! Members: the people of an organisation. Other hosts refer to them by the id that `lookup_member` returns
//! (specification, section 1.7).

use super::{EVERYBODY, STAFF};
use crate::id::MemberId;
use crate::record::{All, List, Maybe, One};
use crate::resource::resource;
use crate::role::Roles;
use crate::tool::tool;
use crate::value::{Change, Flag, Limit, Line, Name, Offset, Patch, UpTo};
use crate::wire::Wire;

/// A member.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Member {
    pub id: MemberId,
    pub name: String,
    /// Private e-mail address.
    pub personal_email: Option<String>,
    /// Work e-mail address.
    pub corporate_email: Option<String>,
    /// Telephone number.
    pub phone: Option<String>,
    pub city: Option<String>,
    pub state: Option<String>,
    /// Phase: `waiting_list`, `active` or `alumni`.
    pub phase_id: Option<String>,
    pub tags: Vec<String>,
    /// False after a soft delete.
    pub is_active: bool,
}

resource! {
    Member = "member", "members" (name: name) {
        list: ListMembers,
        get: GetMember,
        create: CreateMember,
        change: UpdateMember,
        delete: DeleteMember,
        other: LookupMember,
    }
}

tool! {
    /// Lists members by name.
    ListMembers = "list_members" on Learn, READ, for EVERYBODY => List<Member> {
        opt {
            phase_id: Option<Line>,
            is_active: Option<bool>,
            /// Part of the name or an e-mail address.
            search: Option<Line>,
            limit: Limit,
            offset: Offset,
        }
    }
}

tool! {
    /// Gets a member.
    GetMember = "get_member" on Learn, READ, for EVERYBODY => Maybe<Member> {
        req {
            id: MemberId,
        }
    }
}

tool! {
    /// Adds a member.
    CreateMember = "create_member" on Learn, CREATE, for Roles::DESK => One<Member> {
        req {
            name: Name,
        }
        opt {
            personal_email: Option<Line>,
            corporate_email: Option<Line>,
            phone: Option<Line>,
            city: Option<Line>,
            state: Option<Line>,
            /// `waiting_list`, `active` or `alumni`.
            phase_id: Option<Line>,
            tags: Option<UpTo<Name, 100>>,
        }
    }
}

tool! {
    /// Changes a member.
    UpdateMember = "update_member" on Learn, UPDATE, for Roles::DESK => One<Member> {
        req {
            id: MemberId,
        }
        opt {
            name: Change<Name>,
            personal_email: Patch<Line>,
            corporate_email: Patch<Line>,
            phone: Patch<Line>,
            city: Patch<Line>,
            state: Patch<Line>,
            /// `waiting_list`, `active` or `alumni`.
            phase_id: Patch<Line>,
            /// Replaces all tags.
            tags: Change<UpTo<Name, 100>>,
            is_active: Change<bool>,
        }
    }
}

tool! {
    /// Deactivates a member, or deletes the record permanently.
    DeleteMember = "delete_member" on Learn, DELETE, for Roles::DESK => One<Member> {
        req {
            id: MemberId,
        }
        opt {
            /// Delete permanently; refused while other records refer to the member.
            hard_delete: Flag<false>,
        }
    }
}

tool! {
    /// Finds members by name: exact matches first, then names that contain it.
    LookupMember = "lookup_member" on Learn, READ, for STAFF => All<Member> {
        req {
            /// The full name or part of it.
            name: Name,
        }
        opt {
            limit: Limit<10>,
            include_inactive: Flag<false>,
        }
    }
}
