//! The payments host: money that moved, and what fellows are to be paid.

pub mod fellow_payment;
pub mod transaction;

use crate::role::{Role, Roles};
use crate::tool::Declaration;

/// The tools of the host, by resource.
pub const TOOLS: &[&[Declaration]] = &[transaction::TOOLS, fellow_payment::TOOLS];

/// Who writes down what is paid.
const KEEPERS: Roles = Roles::of(&[Role::Owner, Role::Admin, Role::Finance]);
/// Who reads all of it.
const OFFICE: Roles = KEEPERS.and(&[Role::Staff]);
