//! The platform host: accounts and their levels, apps, media, sandboxes, messages between accounts.

pub mod account;
pub mod app;
pub mod media;
pub mod message;
pub mod sandbox;

use crate::role::{Role, Roles};
use crate::tool::Declaration;

/// The tools of the host, by resource.
pub const TOOLS: &[&[Declaration]] = &[
    account::TOOLS,
    app::TOOLS,
    media::TOOLS,
    sandbox::TOOLS,
    message::TOOLS,
];

/// Roles that manage accounts and apps.
const MANAGERS: Roles = Roles::of(&[Role::Owner, Role::Admin]);
/// Roles that build: everyone on the staff except finance.
const BUILDERS: Roles = Roles::DESK.and(&[Role::Teacher, Role::Automation]);
/// Everyone on the staff.
const STAFF: Roles = BUILDERS.and(&[Role::Finance]);
/// Everyone.
const EVERYBODY: Roles = STAFF.and(&[Role::Fellow]);
