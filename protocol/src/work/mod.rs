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

use crate::role::{Role, Roles};
use crate::tool::Declaration;

/// The tools of the host, by resource.
pub const TOOLS: &[&[Declaration]] = &[
    project::TOOLS,
    epic::TOOLS,
    delivery::TOOLS,
    task::TOOLS,
    series::TOOLS,
    meeting::TOOLS,
    occurrence::TOOLS,
    business_unit::TOOLS,
    placement::TOOLS,
    alias::TOOLS,
    weekly::TOOLS,
];

/// Everyone in the organisation but machines: who sees the work and writes tasks.
const EVERYBODY: Roles = STAFF.and(&[Role::Fellow]);
/// Who reads meetings: the organisation's staff.
const STAFF: Roles = Roles::DESK.and(&[Role::Teacher, Role::Finance]);
/// Whom tools that change meetings are offered to: the owner, and those who are global admins as a
/// rule. The database asks for the level.
const ADMINS: Roles = Roles::of(&[Role::Owner, Role::Admin]);
