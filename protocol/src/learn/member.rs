//! Members: the people of an organisation. Other hosts refer to them by the id that `lookup_member` returns
//! (specification, section 1.7).

use super::{EVERYBODY, STAFF};
use crate::id::MemberId;
use crate::record::{All, One, record};
use crate::role::Roles;
use crate::tool::tool;
use crate::value::{Change, Flag, Limit, Line, Mail, Name, UpTo};

record! {
    /// A member.
    Member = "member", "members" (name: name) {
        id: MemberId,
        name: Name [create, change],
        personal_email: Option<Mail> [create, change],
        corporate_email: Option<Mail> [create, change],
        phone: Option<Line> [create, change],
        city: Option<Line> [create, change],
        state: Option<Line> [create, change],
        /// `waiting_list`, `active` or `alumni`.
        phase_id: Option<Line> [create, change],
        tags: UpTo<Name, 100> [create?],
        is_active: bool [change],
    }
    /// Lists members by name.
    list ListMembers = "list_members" on Learn for EVERYBODY {
        opt {
            phase_id: Option<Line>,
            is_active: Option<bool>,
            /// Part of the name or an e-mail address.
            search: Option<Line>,
        }
    }
    /// Gets a member.
    get GetMember = "get_member" on Learn for EVERYBODY;
    /// Adds a member.
    create CreateMember = "create_member" on Learn for Roles::DESK;
    /// Changes a member.
    change UpdateMember = "update_member" on Learn for Roles::DESK {
        opt {
            /// Replaces all tags.
            tags: Change<UpTo<Name, 100>>,
        }
    }
    delete DeleteMember;
    other LookupMember;
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
