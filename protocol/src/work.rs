//! The work host: projects, epics, deliveries, tasks, placements, business units and meetings (specification,
//! section 4.5).

pub mod alias;
pub mod business_unit;
pub mod delivery;
pub mod epic;
pub mod meeting;
pub mod occurrence;
pub mod placement;
pub mod plan;
pub mod project;
pub mod series;
pub mod task;
pub mod weekly;

use crate::resource::Resource;
use crate::role::{Role, Roles};

/// The resources of the host, in listing order.
pub const RESOURCES: &[Resource] = &[
    project::RESOURCE,
    epic::RESOURCE,
    delivery::RESOURCE,
    task::RESOURCE,
    series::RESOURCE,
    meeting::RESOURCE,
    occurrence::RESOURCE,
    business_unit::RESOURCE,
    placement::RESOURCE,
    alias::RESOURCE,
    weekly::RESOURCE,
];

/// Roles that see the work and write tasks: everyone in the organisation except machines.
const EVERYBODY: Roles = STAFF.and(&[Role::Fellow]);
/// Roles that read meetings: the organisation's staff.
const STAFF: Roles = Roles::DESK.and(&[Role::Teacher, Role::Finance]);
/// Roles that are offered the tools that change meetings: those that usually are global admins.
/// The database checks the level.
const ADMINS: Roles = Roles::of(&[Role::Owner, Role::Admin]);
