//! The events host: events, sessions, guests and check-in, tasks, expenses, photos
//! (specification, section 4.3).

pub mod event;
pub mod expense;
pub mod guest;
pub mod movement;
pub mod passage;
pub mod photo;
pub mod place;
pub mod session;
pub mod task;

use crate::resource::Resource;
use crate::role::{Role, Roles};

/// The resources of the host, in listing order.
pub const RESOURCES: &[Resource] = &[
    event::RESOURCE,
    session::RESOURCE,
    guest::RESOURCE,
    task::RESOURCE,
    expense::RESOURCE,
    photo::RESOURCE,
    place::RESOURCE,
    movement::RESOURCE,
];

/// Roles that see events, sessions and photos: everyone in the organisation except machines.
const READERS: Roles = Roles::DESK.and(&[Role::Teacher, Role::Finance, Role::Fellow]);
/// Roles that see who comes and goes.
const COUNTERS: Roles = Roles::DESK.and(&[Role::Teacher, Role::Finance]);
/// Roles that read everything, apart from teachers.
const OFFICE: Roles = Roles::DESK.and(&[Role::Finance]);
