//! The strategy host: business models, personas, competitors.

pub mod canvas;
pub mod competitor;
pub mod persona;

use crate::role::{Role, Roles};
use crate::tool::Declaration;

/// The tools of the host, by resource.
pub const TOOLS: &[&[Declaration]] = &[canvas::TOOLS, persona::TOOLS, competitor::TOOLS];

/// Roles that see business units and their canvases.
const MANAGERS: Roles = Roles::of(&[Role::Owner, Role::Admin, Role::Finance]);
/// Roles that read personas and competitors.
const STAFF: Roles = Roles::DESK.and(&[Role::Teacher, Role::Finance]);
