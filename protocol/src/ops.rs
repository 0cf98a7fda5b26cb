//! The platform host: the caller's context, accounts and their levels, apps, media, sandboxes, messages between
//! accounts, batches, the history of changes.

pub mod account;
pub mod agenda;
pub mod app;
pub mod batch;
pub mod change;
pub mod context;
pub mod event;
pub mod forgetting;
pub mod guests;
pub mod media;
pub mod message;
pub mod preview;
pub mod report;
pub mod sandbox;
pub mod search;
pub mod work_tree;

use crate::resource::Resource;
use crate::role::{Role, Roles};

/// The resources of the host, in listing order.
pub const RESOURCES: &[Resource] = &[
    context::RESOURCE,
    account::RESOURCE,
    forgetting::RESOURCE,
    app::RESOURCE,
    media::RESOURCE,
    sandbox::RESOURCE,
    message::RESOURCE,
    batch::RESOURCE,
    preview::RESOURCE,
    change::RESOURCE,
    guests::RESOURCE,
    event::RESOURCE,
    work_tree::RESOURCE,
    report::RESOURCE,
    agenda::RESOURCE,
    search::RESOURCE,
];

/// Roles that close accounts.
const OWNERS: Roles = Roles::of(&[Role::Owner]);
/// Roles that manage accounts and apps.
const MANAGERS: Roles = Roles::of(&[Role::Owner, Role::Admin]);
/// Roles that build: everyone on the staff except finance.
const BUILDERS: Roles = Roles::DESK.and(&[Role::Teacher, Role::Automation]);
/// Everyone on the staff.
const STAFF: Roles = BUILDERS.and(&[Role::Finance]);
/// Everyone.
const EVERYBODY: Roles = STAFF.and(&[Role::Fellow]);
