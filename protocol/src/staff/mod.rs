//! The staff-management host: students, the staff and their invitations, invoices (specification, sections 1,
//! 4.2 and 5). Its tools but `list_students` and `invite_staff` are ours.

pub mod invitation;
pub mod invoice;
pub mod student;
pub mod user;

use crate::role::{Role, Roles};
use crate::tool::Declaration;

/// The tools of the host, by resource.
pub const TOOLS: &[&[Declaration]] = &[
    student::TOOLS,
    user::TOOLS,
    invitation::TOOLS,
    invoice::TOOLS,
];

/// The staff of an organisation; machines are none.
const STAFF: Roles = FINANCE.and(&[Role::Teacher]);
/// Who sees the staff.
const ADMINS: Roles = Roles::of(&[Role::Owner, Role::Admin]);
/// Who decides on the staff.
const OWNERS: Roles = Roles::of(&[Role::Owner]);
/// Who sees finance.
const FINANCE: Roles = Roles::DESK.and(&[Role::Finance]);
/// Who sends invoices: machines may.
const BILLING: Roles = FINANCE.and(&[Role::Automation]);
