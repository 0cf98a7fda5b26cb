//! Who may call what. The database decides; this only says what to offer.

use serde::{Deserialize, Serialize};

/// What a caller is in their organisation. Staff roles come from the caller's staff row; a caller
/// with a profile and no staff row is a fellow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Owns the organisation.
    Owner,
    /// Administers it.
    Admin,
    /// Runs its daily business.
    Staff,
    /// Teaches.
    Teacher,
    /// Looks after the money.
    Finance,
    /// A machine account.
    Automation,
    /// A member who signs in.
    Fellow,
}

impl Role {
    /// Every role.
    pub const ALL: [Role; 7] = [
        Role::Owner,
        Role::Admin,
        Role::Staff,
        Role::Teacher,
        Role::Finance,
        Role::Automation,
        Role::Fellow,
    ];

    /// The role as it is written in the database and in answers.
    pub const fn name(self) -> &'static str {
        match self {
            Role::Owner => "owner",
            Role::Admin => "admin",
            Role::Staff => "staff",
            Role::Teacher => "teacher",
            Role::Finance => "finance",
            Role::Automation => "automation",
            Role::Fellow => "fellow",
        }
    }

    /// The role of this name.
    pub fn from_name(name: &str) -> Option<Role> {
        Role::ALL.into_iter().find(|role| role.name() == name)
    }
}

/// A set of roles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Roles(u8);

impl Roles {
    /// Owner, admin and staff: those who run events.
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

    /// This set and these roles.
    pub const fn and(self, roles: &[Role]) -> Roles {
        Roles(self.0 | Roles::of(roles).0)
    }

    /// Whether the role is in the set.
    pub const fn contains(self, role: Role) -> bool {
        self.0 & (1 << role as u8) != 0
    }
}
