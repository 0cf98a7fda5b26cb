//! The work host's table of docs/access.md as data.

use frontdesk_protocol::Role;

/// What somebody may do with an organisation's meetings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Right {
    Nothing,
    Read,
    /// Changes, and reads.
    Change,
}

/// Which global levels a line of the table is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Levels {
    All,
    From80,
    Below80,
}

const STAFF: &[Role] = &[Role::Admin, Role::Staff, Role::Teacher, Role::Finance];

/// The lines about the own organisation, in their order.
const TABLE: [(&[Role], Levels, Right); 5] = [
    (&[Role::Owner], Levels::All, Right::Change),
    (STAFF, Levels::From80, Right::Change),
    (STAFF, Levels::Below80, Right::Read),
    (&[Role::Fellow], Levels::All, Right::Nothing),
    (&[Role::Automation], Levels::All, Right::Nothing),
];

impl Levels {
    fn contain(self, level: u8) -> bool {
        match self {
            Levels::All => true,
            Levels::From80 => level >= 80,
            Levels::Below80 => level < 80,
        }
    }
}

/// What the role may do in its own organisation, with this global level.
pub(crate) fn right(role: Role, level: u8) -> Right {
    let line = TABLE
        .iter()
        .find(|(roles, levels, _)| roles.contains(&role) && levels.contain(level));
    line.unwrap_or_else(|| panic!("no line for {role:?} of level {level}"))
        .2
}

mod tests {
    use super::*;

    const DOCUMENT: &str = include_str!("../../../docs/access.md");

    fn line(who: &str, right: Right) -> String {
        let (series, change) = match right {
            Right::Nothing => ("–", "–"),
            Right::Read => ("read", "–"),
            Right::Change => ("read", "yes"),
        };
        format!("| {who} | {series} | {change} |")
    }

    #[test]
    fn the_document_and_the_table_say_the_same() {
        let mut expected = vec![
            "| | series | change |".to_owned(),
            "|---|---|---|".to_owned(),
        ];
        for (roles, levels, right) in TABLE {
            let names: Vec<_> = roles.iter().map(|role| role.name()).collect();
            let levels = match levels {
                Levels::All => "",
                Levels::From80 => "; level 80 and above",
                Levels::Below80 => "; below level 80",
            };
            expected.push(line(&format!("{}{levels}", names.join(", ")), right));
        }
        expected.push(line("another organisation", Right::Nothing));
        let documented: Vec<_> = DOCUMENT
            .lines()
            .skip_while(|line| *line != "## Work host")
            .skip_while(|line| !line.starts_with('|'))
            .take_while(|line| line.starts_with('|'))
            .collect();
        assert_eq!(documented, expected);
    }

    #[test]
    fn the_table_knows_every_role_at_every_level() {
        for role in Role::ALL {
            for level in 0..=100 {
                right(role, level);
            }
        }
    }
}
