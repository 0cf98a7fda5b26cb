//! The strategy host: business models, personas, competitors.

pub mod canvas;
pub mod competitor;
pub mod persona;

use crate::resource::Resource;
use crate::role::{Role, Roles};

/// The resources of the host, in listing order.
pub const RESOURCES: &[Resource] = &[canvas::RESOURCE, persona::RESOURCE, competitor::RESOURCE];

/// Roles that see business units and their canvases.
const MANAGERS: Roles = Roles::of(&[Role::Owner, Role::Admin, Role::Finance]);
/// Roles that read personas and competitors.
const STAFF: Roles = Roles::DESK.and(&[Role::Teacher, Role::Finance]);
