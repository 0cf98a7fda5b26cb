//! The skills host: the skill catalogue.

pub mod skill;

use crate::role::{Role, Roles};
use crate::tool::Declaration;

/// The tools of the host, by resource.
pub const TOOLS: &[&[Declaration]] = &[skill::TOOLS];

/// Roles that publish.
const AUTHORS: Roles = Roles::DESK.and(&[Role::Teacher]);
/// Roles that read: everyone, including machines.
const READERS: Roles = AUTHORS.and(&[Role::Finance, Role::Automation, Role::Fellow]);
