//! The staff-management host: students, the staff and their invitations, invoices (specification, sections 1,
//! 4.2 and 5). The specification names `list_students` and `invite_staff`; the other tools are additions.

pub mod invitation;
pub mod invoice;
pub mod organization;
pub mod student;
pub mod user;

use crate::resource::Resource;
use crate::role::{Role, Roles};

/// The resources of the host, in listing order.
pub const RESOURCES: &[Resource] = &[
    student::RESOURCE,
    user::RESOURCE,
    invitation::RESOURCE,
    invoice::RESOURCE,
    organization::RESOURCE,
];

/// The staff of an organisation, without machine accounts.
const STAFF: Roles = FINANCE.and(&[Role::Teacher]);
/// Roles that see the staff list.
const ADMINS: Roles = Roles::of(&[Role::Owner, Role::Admin]);
/// Roles that change the staff.
const OWNERS: Roles = Roles::of(&[Role::Owner]);
/// Roles that enrol students.
const DESK: Roles = Roles::DESK;
/// Roles that see invoices.
const FINANCE: Roles = Roles::DESK.and(&[Role::Finance]);
/// Roles that send invoices, including machine accounts.
const BILLING: Roles = FINANCE.and(&[Role::Automation]);
