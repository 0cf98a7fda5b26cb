//! The events host: events, sessions, guests and check-in, tasks, expenses, photos
//! (specification, section 4.3).

pub mod event;
pub mod expense;
pub mod guest;
pub mod photo;
pub mod session;
pub mod task;

use crate::role::{Role, Roles};
use crate::tool::Declaration;

/// The tools of the host, by resource.
pub const TOOLS: &[&[Declaration]] = &[
    event::TOOLS,
    session::TOOLS,
    guest::TOOLS,
    task::TOOLS,
    expense::TOOLS,
    photo::TOOLS,
];

/// Roles that see events, sessions and photos: everyone in the organisation except machines.
const READERS: Roles = Roles::DESK.and(&[Role::Teacher, Role::Finance, Role::Fellow]);
/// Roles that read everything, apart from teachers.
const OFFICE: Roles = Roles::DESK.and(&[Role::Finance]);
