//! The rights at the Events host.

use frontdesk_protocol::Role;

/// The columns of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Resource {
    Events,
    Sessions,
    Guests,
    /// A guest's `check_in_at` only.
    CheckIn,
    Tasks,
    Expenses,
    Photos,
}

/// A role's right to a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cell {
    Nothing,
    /// Reads only the caller's own rows.
    Own,
    Read,
    Write,
}

use Cell::{Nothing, Own, Read, Write};

pub(crate) const COLUMNS: [(Resource, &str); 7] = [
    (Resource::Events, "events"),
    (Resource::Sessions, "sessions"),
    (Resource::Guests, "guests"),
    (Resource::CheckIn, "check-in"),
    (Resource::Tasks, "tasks"),
    (Resource::Expenses, "expenses"),
    (Resource::Photos, "photos"),
];

/// One row for each role, in the order of [`COLUMNS`].
const MATRIX: [(Role, [Cell; 7]); 7] = [
    (
        Role::Owner,
        [Write, Write, Write, Write, Write, Write, Write],
    ),
    (
        Role::Admin,
        [Write, Write, Write, Write, Write, Write, Write],
    ),
    (
        Role::Staff,
        [Write, Write, Write, Write, Write, Write, Write],
    ),
    (
        Role::Teacher,
        [Read, Read, Read, Write, Nothing, Nothing, Nothing],
    ),
    (
        Role::Finance,
        [Read, Read, Read, Nothing, Read, Write, Read],
    ),
    (Role::Fellow, [Read, Read, Own, Nothing, Own, Nothing, Read]),
    (Role::Automation, [Nothing; 7]),
];

/// The cell of a role in its own organisation.
pub(crate) fn cell(role: Role, resource: Resource) -> Cell {
    let row = MATRIX.iter().find(|(of, _)| *of == role);
    let column = COLUMNS.iter().position(|(of, _)| *of == resource);
    let (Some((_, cells)), Some(column)) = (row, column) else {
        panic!("no cell for {role:?} and {resource:?}");
    };
    cells[column]
}
