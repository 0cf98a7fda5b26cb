//! The engineering host: spec runs, task assignment, versioned documents, pull requests.

pub mod document;
pub mod pull_request;
pub mod run;
pub mod task;

use crate::role::{Role, Roles};
use crate::tool::Declaration;

/// The tools of the host, by resource.
pub const TOOLS: &[&[Declaration]] = &[
    run::TOOLS,
    task::TOOLS,
    document::TOOLS,
    pull_request::TOOLS,
];

/// Roles that build.
const BUILDERS: Roles = Roles::DESK.and(&[Role::Teacher, Role::Fellow]);
/// Everyone in the organisation except machines.
const EVERYBODY: Roles = BUILDERS.and(&[Role::Finance]);
