//! The learn host: members, profiles, cohorts, courses, lessons, programs, progress, the wiki
//! (specification, section 4.4).

pub mod cohort;
pub mod course;
pub mod dependency;
pub mod lesson;
pub mod member;
pub mod milestone;
pub mod profile;
pub mod program;
pub mod progress;
pub mod stage;
pub mod status;
pub mod tutor;
pub mod wiki;

use crate::resource::Resource;
use crate::role::{Role, Roles};

/// The resources of the host, in listing order.
pub const RESOURCES: &[Resource] = &[
    member::RESOURCE,
    profile::RESOURCE,
    cohort::RESOURCE,
    course::RESOURCE,
    lesson::RESOURCE,
    program::RESOURCE,
    stage::RESOURCE,
    milestone::RESOURCE,
    dependency::RESOURCE,
    progress::RESOURCE,
    tutor::RESOURCE,
    wiki::RESOURCE,
];

/// Everyone in the organisation except machines.
const EVERYBODY: Roles = STAFF.and(&[Role::Fellow]);
/// The staff of an organisation, without machine accounts.
const STAFF: Roles = Roles::DESK.and(&[Role::Teacher, Role::Finance]);
/// Roles that are offered the tools for global admins: those that usually are global admins. The
/// database checks the level.
const ADMINS: Roles = Roles::of(&[Role::Owner, Role::Admin]);
