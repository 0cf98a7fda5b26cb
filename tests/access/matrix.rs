//! The table of docs/access.md as data.

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

const COLUMNS: [(Resource, &str); 7] = [
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

mod tests {
    use super::*;

    const DOCUMENT: &str = include_str!("../../docs/access.md");

    /// The cells of a line of a Markdown table.
    fn cells(line: &str) -> Vec<&str> {
        let line = line.trim().trim_start_matches('|').trim_end_matches('|');
        line.split('|').map(str::trim).collect()
    }

    fn read(resource: Resource, text: &str) -> Cell {
        match (resource, text) {
            (_, "–") => Nothing,
            (Resource::CheckIn, "yes") => Write,
            (Resource::CheckIn, _) => panic!("check-in is yes or –, not {text}"),
            (_, "own") => Own,
            (_, "read") => Read,
            (_, "read, write") => Write,
            (_, text) => panic!("a cell says {text}"),
        }
    }

    #[test]
    fn the_document_and_the_matrix_say_the_same() {
        let mut lines = DOCUMENT
            .lines()
            .skip_while(|line| *line != "## Events host")
            .skip_while(|line| !line.starts_with('|'))
            .take_while(|line| line.starts_with('|'));
        let header = cells(lines.next().expect("a header"));
        assert_eq!(header[1..], COLUMNS.map(|(_, name)| name));
        let rule = lines.next().expect("a rule");
        assert!(rule.chars().all(|c| matches!(c, '|' | '-')), "{rule}");

        let mut documented = Vec::new();
        let mut outside = None;
        for line in lines {
            let cells = cells(line);
            let (who, said) = cells.split_first().expect("a first cell");
            assert_eq!(said.len(), COLUMNS.len(), "{line}");
            let said: Vec<Cell> = COLUMNS
                .iter()
                .zip(said)
                .map(|((resource, _), text)| read(*resource, text))
                .collect();
            if *who == "another organisation" {
                outside = Some(said);
                continue;
            }
            for role in who.split(", ") {
                let role = Role::from_name(role).unwrap_or_else(|| panic!("no role {role}"));
                documented.push((role, said.clone()));
            }
        }
        assert_eq!(outside, Some(vec![Nothing; 7]));
        assert_eq!(
            documented,
            MATRIX.map(|(role, cells)| (role, cells.to_vec()))
        );
        for role in Role::ALL {
            assert!(MATRIX.iter().any(|(of, _)| *of == role), "{role:?}");
        }
    }
}
