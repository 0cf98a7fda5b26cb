//! The plans host: plans and their tasks, decisions, questions. The specification names
//! `set_plan_tasks` (section 4.5); the other tools are additions.

pub mod adr;
pub mod plan;
pub mod question;

use crate::role::{Role, Roles};
use crate::tool::Declaration;

/// The tools of the host, by resource.
pub const TOOLS: &[&[Declaration]] = &[plan::TOOLS, adr::TOOLS, question::TOOLS];

/// Everyone in the organisation except machines.
const EVERYBODY: Roles = Roles::DESK.and(&[Role::Teacher, Role::Finance, Role::Fellow]);
