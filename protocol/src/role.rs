//! Roles. The database checks permissions; roles only decide which tools to offer.

use crate::words::words;

words! {
    /// The role of a caller in the organisation. Staff roles come from the caller's staff row; a caller
    /// with a profile and without a staff row is a fellow.
    Role {
        /// Owns the organisation.
        Owner = "owner",
        /// Administers it.
        Admin = "admin",
        /// Runs the daily business.
        Staff = "staff",
        /// Teaches.
        Teacher = "teacher",
        /// Manages the finances.
        Finance = "finance",
        /// A machine account.
        Automation = "automation",
        /// A member who signs in.
        Fellow = "fellow",
    }
}

/// A set of roles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Roles(u8);

impl Roles {
    /// Owner, admin and staff: the roles that run events.
    pub const DESK: Roles = Roles::of(&[Role::Owner, Role::Admin, Role::Staff]);

    /// The set of exactly these roles.
    pub const fn of(roles: &[Role]) -> Roles {
        let mut set = 0;
        let mut at = 0;
        while at < roles.len() {
            set |= 1 << roles[at] as u8;
            at += 1;
        }
        Roles(set)
    }

    /// The union of this set and these roles.
    pub const fn and(self, roles: &[Role]) -> Roles {
        Roles(self.0 | Roles::of(roles).0)
    }

    /// Whether the role is in the set.
    pub const fn contains(self, role: Role) -> bool {
        self.0 & (1 << role as u8) != 0
    }
}
