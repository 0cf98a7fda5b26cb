//! The engineering host: spec runs, task assignment, versioned documents, pull requests.

pub mod document;
pub mod pull_request;
pub mod run;
pub mod task;

use crate::resource::Resource;
use crate::role::{Role, Roles};

/// The resources of the host, in listing order.
pub const RESOURCES: &[Resource] = &[
    run::RESOURCE,
    task::RESOURCE,
    document::RESOURCE,
    pull_request::RESOURCE,
];

/// Roles that build.
const BUILDERS: Roles = Roles::DESK.and(&[Role::Teacher, Role::Fellow]);
/// Everyone in the organisation except machines.
const EVERYBODY: Roles = BUILDERS.and(&[Role::Finance]);
