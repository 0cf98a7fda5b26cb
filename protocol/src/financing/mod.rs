//! The accounting ledger: accounts, journal entries, lines of bank statements.

pub mod account;
pub mod balance;
pub mod journal;
pub mod statement;

use crate::role::{Role, Roles};
use crate::tool::Declaration;

/// The tools of the host, by resource.
pub const TOOLS: &[&[Declaration]] = &[
    account::TOOLS,
    journal::TOOLS,
    statement::TOOLS,
    balance::TOOLS,
];

/// Roles that keep the books.
const KEEPERS: Roles = Roles::of(&[Role::Owner, Role::Admin, Role::Finance]);
/// Roles that read the books.
const OFFICE: Roles = KEEPERS.and(&[Role::Staff]);
