//! The payments host: transactions and payments to fellows.

pub mod fellow_payment;
pub mod transaction;

use crate::resource::Resource;
use crate::role::{Role, Roles};

/// The resources of the host, in listing order.
pub const RESOURCES: &[Resource] = &[transaction::RESOURCE, fellow_payment::RESOURCE];

/// Roles that record payments.
const KEEPERS: Roles = Roles::of(&[Role::Owner, Role::Admin, Role::Finance]);
/// Roles that read all payments.
const OFFICE: Roles = KEEPERS.and(&[Role::Staff]);
