//! The proposals host: public tenders, a library of answers, submissions.

pub mod answer;
pub mod submission;
pub mod tender;

use crate::resource::Resource;
use crate::role::{Role, Roles};

/// The resources of the host, in listing order.
pub const RESOURCES: &[Resource] = &[tender::RESOURCE, answer::RESOURCE, submission::RESOURCE];

/// Roles that read: the writers and finance.
const READERS: Roles = Roles::DESK.and(&[Role::Finance]);
/// Roles that submit, which commits the organisation.
const SIGNATORIES: Roles = Roles::of(&[Role::Owner, Role::Admin]);
