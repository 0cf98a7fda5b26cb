//! The plans host: plans and their tasks, decisions, questions. The specification names
//! `set_plan_tasks` (section 4.2); the other tools are additions.

pub mod adr;
pub mod plan;
pub mod question;

use crate::resource::Resource;
use crate::role::{Role, Roles};

/// The resources of the host, in listing order.
pub const RESOURCES: &[Resource] = &[plan::RESOURCE, adr::RESOURCE, question::RESOURCE];

/// Everyone in the organisation except machines.
const EVERYBODY: Roles = Roles::DESK.and(&[Role::Teacher, Role::Finance, Role::Fellow]);
