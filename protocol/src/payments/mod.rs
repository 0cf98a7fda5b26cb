//! The payments host: transactions and payments to fellows.

pub mod fellow_payment;
pub mod transaction;

use crate::role::{Role, Roles};
use crate::tool::Declaration;

/// The tools of the host, by resource.
pub const TOOLS: &[&[Declaration]] = &[transaction::TOOLS, fellow_payment::TOOLS];

/// Roles that record payments.
const KEEPERS: Roles = Roles::of(&[Role::Owner, Role::Admin, Role::Finance]);
/// Roles that read all payments.
const OFFICE: Roles = KEEPERS.and(&[Role::Staff]);
