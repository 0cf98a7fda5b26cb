//! The accounting ledger: accounts, journal entries, lines of bank statements.

pub mod account;
pub mod balance;
pub mod journal;
pub mod statement;

use crate::resource::Resource;
use crate::role::{Role, Roles};

/// The resources of the host, in listing order.
pub const RESOURCES: &[Resource] = &[
    account::RESOURCE,
    journal::RESOURCE,
    statement::RESOURCE,
    balance::RESOURCE,
];

/// Roles that keep the books.
const KEEPERS: Roles = Roles::of(&[Role::Owner, Role::Admin, Role::Finance]);
/// Roles that read the books.
const OFFICE: Roles = KEEPERS.and(&[Role::Staff]);
