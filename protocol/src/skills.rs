//! The skills host: the skill catalogue.

pub mod skill;

use crate::resource::Resource;
use crate::role::{Role, Roles};

/// The resources of the host, in listing order.
pub const RESOURCES: &[Resource] = &[skill::RESOURCE];

/// Roles that publish.
const AUTHORS: Roles = Roles::DESK.and(&[Role::Teacher]);
/// Roles that read: everyone, including machines.
const READERS: Roles = AUTHORS.and(&[Role::Finance, Role::Automation, Role::Fellow]);
