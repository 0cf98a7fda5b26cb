//! The proposals host: public tenders, a library of answers, submissions.

pub mod answer;
pub mod submission;
pub mod tender;

use crate::role::{Role, Roles};
use crate::tool::Declaration;

/// The tools of the host, by resource.
pub const TOOLS: &[&[Declaration]] = &[tender::TOOLS, answer::TOOLS, submission::TOOLS];

/// Roles that read: the writers and finance.
const READERS: Roles = Roles::DESK.and(&[Role::Finance]);
/// Roles that submit, which commits the organisation.
const SIGNATORIES: Roles = Roles::of(&[Role::Owner, Role::Admin]);
