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

use crate::host::Host;
use crate::resource::Resource;
use crate::role::{Role, Roles};
use crate::tool::{Declaration, Tool};

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

/// The writes of a desk's journal, which another account can deliver than the one that made them.
const DELIVERED: [&str; 4] = [
    guest::CheckInGuest::NAME,
    guest::CreateEventGuest::NAME,
    guest::UpdateEventGuest::NAME,
    movement::RecordMovement::NAME,
];

/// Whether the journal of a desk has calls of the tool.
#[must_use]
pub fn is_delivered(tool: &Declaration) -> bool {
    tool.host == Host::Events && DELIVERED.contains(&tool.name)
}

/// Roles that see events, sessions and photos: everyone in the organisation except machines.
const READERS: Roles = Roles::DESK.and(&[Role::Teacher, Role::Finance, Role::Fellow]);
/// Roles that see who comes and goes.
const COUNTERS: Roles = Roles::DESK.and(&[Role::Teacher, Role::Finance]);
/// Roles that read everything, apart from teachers.
const OFFICE: Roles = Roles::DESK.and(&[Role::Finance]);
