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

/// Who manages accounts and apps.
const MANAGERS: Roles = Roles::of(&[Role::Owner, Role::Admin]);
/// Who builds: everybody with a staff row but finance.
const BUILDERS: Roles = Roles::DESK.and(&[Role::Teacher, Role::Automation]);
/// Everybody with a staff row.
const STAFF: Roles = BUILDERS.and(&[Role::Finance]);
/// Everybody.
const EVERYBODY: Roles = STAFF.and(&[Role::Fellow]);
