//! The tables of docs/access.md, from the cases. Each stands below a comment that names its host.

use std::fmt::Write;

use frontdesk_protocol::resource::{Use, Verb};
use frontdesk_protocol::{Host, Role};

use crate::access::hosts::{AREAS, Area};

/// The right to some tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Right {
    Nothing,
    /// To some records only.
    Some,
    Full,
}

/// The rights of each role, below and from level 80.
type Rights = [[Right; 2]; Role::ALL.len()];

/// The rights that both include.
fn lesser(one: Rights, other: Rights) -> Rights {
    std::array::from_fn(|role| [0, 1].map(|level| one[role][level].min(other[role][level])))
}

impl Area {
    /// The rights to a tool: those stated for it, otherwise those of its cases.
    fn rights(&self, tool: &str) -> Rights {
        let stated = self.elsewhere.iter().filter(|(name, _)| *name == tool);
        let mut all: Vec<_> = stated.map(|(_, may)| *may).collect();
        if all.is_empty() {
            let cases = self.cases.iter().filter(|case| case.tool == tool);
            all = cases.map(|case| case.may).collect();
        }
        Role::ALL.map(|role| {
            [0, 80].map(|level| {
                let permitted = all.iter().filter(|may| may.includes(role, level)).count();
                match permitted {
                    0 => Right::Nothing,
                    count if count == all.len() => Right::Full,
                    _ => Right::Some,
                }
            })
        })
    }

    /// A line for the records of each kind, and one for each tool with other rights.
    fn lines(&self) -> Vec<Line> {
        let (mut lines, mut others) = (Vec::new(), Vec::new());
        let mut rest: Vec<&str> = self.host.tools().map(|tool| tool.name).collect();
        for kind in self.host.kinds() {
            rest.retain(|name| !kind.uses.iter().any(|one| one.tool == *name));
            let [reads, writes] = [true, false].map(|is_read| {
                let own = kind.uses.iter().filter(|one| {
                    let tool = self.host.tool(one.tool);
                    tool.is_some_and(|tool| tool.effect.read_only == is_read)
                });
                let main = own.clone().find(|one| one.verb != Verb::Other);
                let get = own.clone().find(|one| one.verb == Verb::Get);
                let usual = main.map(|main| self.rights(main.tool));
                // A list shows less to those who cannot get each record.
                let got = get.map_or(usual, |get| Some(self.rights(get.tool)));
                let usual = usual.zip(got).map(|(listed, got)| lesser(listed, got));
                let is_told = |one: &&Use| {
                    let rights = Some(self.rights(one.tool));
                    let is_main = main.is_some_and(|main| main.tool == one.tool);
                    is_main || rights == usual
                };
                let differ = own.filter(|one| !is_told(one));
                others.extend(differ.map(|one| self.line(one.tool)));
                usual
            });
            if reads.is_none() && writes.is_none() {
                continue;
            }
            let cell = |role: usize, level: usize| {
                let of = |verb: &str, rights: Option<Rights>| match rights?[role][level] {
                    Right::Nothing => None,
                    Right::Some => Some(format!("{verb} some")),
                    Right::Full => Some(verb.to_owned()),
                };
                let parts = [of("read", reads), of("write", writes)];
                parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
            };
            lines.push(Line::new(kind.plural.replace('_', " "), cell));
        }
        others.extend(rest.iter().map(|name| self.line(name)));
        lines.extend(others);
        lines
    }

    /// The line of one tool.
    fn line(&self, tool: &str) -> Line {
        let rights = self.rights(tool);
        Line::new(format!("`{tool}`"), |role, level| {
            let text = match rights[role][level] {
                Right::Nothing => "",
                Right::Some => "some",
                Right::Full => "yes",
            };
            text.to_owned()
        })
    }
}

/// A line of a table.
struct Line {
    name: String,
    /// A cell for each role.
    cells: [String; Role::ALL.len()],
}

impl Line {
    /// The line with these texts, by role, below and from level 80.
    fn new(name: String, text: impl Fn(usize, usize) -> String) -> Line {
        let cells = std::array::from_fn(|role| {
            let [below, from] = [0, 1].map(|level| match text(role, level) {
                text if text.is_empty() => "–".to_owned(),
                text => text,
            });
            match below == from {
                true => below,
                false => format!("{below}; 80: {from}"),
            }
        });
        Line { name, cells }
    }
}

/// A table in which lines, and columns, with the same cells are one.
fn table(lines: Vec<Line>) -> String {
    let mut merged: Vec<Line> = Vec::new();
    for line in lines {
        match merged.iter_mut().find(|one| one.cells == line.cells) {
            Some(same) => {
                same.name += ", ";
                same.name += &line.name;
            }
            None => merged.push(line),
        }
    }
    let mut columns: Vec<Vec<usize>> = Vec::new();
    for at in 0..Role::ALL.len() {
        let is_same = |other: usize| {
            merged
                .iter()
                .all(|line| line.cells[at] == line.cells[other])
        };
        match columns.iter_mut().find(|column| is_same(column[0])) {
            Some(same) => same.push(at),
            None => columns.push(vec![at]),
        }
    }
    let mut text = "| |".to_owned();
    for column in &columns {
        let roles: Vec<_> = column.iter().map(|at| Role::ALL[*at].name()).collect();
        let _ = write!(text, " {} |", roles.join(", "));
    }
    let _ = write!(text, "\n|---|{}\n", "---|".repeat(columns.len()));
    for line in merged {
        let cells: Vec<_> = columns
            .iter()
            .map(|column| line.cells[column[0]].as_str())
            .collect();
        let _ = writeln!(text, "| {} | {} |", line.name, cells.join(" | "));
    }
    text
}

/// The table of a host.
fn of_host(host: Host) -> String {
    let area = AREAS.iter().find(|area| area.host == host);
    table(area.expect("a host has cases").lines())
}

#[test]
fn the_document_has_the_tables_of_the_cases() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/access.md");
    let current = std::fs::read_to_string(path).expect("the document");
    let mut expected = String::new();
    let mut lines = current.lines().peekable();
    let mut hosts = Vec::new();
    while let Some(line) = lines.next() {
        let _ = writeln!(expected, "{line}");
        let Some(area) = line.strip_prefix("<!-- rights: ") else {
            continue;
        };
        let host: Host = area.trim_end_matches(" -->").parse().expect("a host");
        hosts.push(host);
        while lines.next_if(|line| line.starts_with('|')).is_some() {}
        expected += &of_host(host);
    }
    for host in Host::ALL {
        assert!(
            hosts.contains(&host),
            "docs/access.md has no table of {host}"
        );
    }
    if std::env::var_os("UPDATE_REFERENCE").is_some() {
        std::fs::write(path, &expected).expect("the document is written");
        return;
    }
    assert!(
        current == expected,
        "docs/access.md is out of date; UPDATE_REFERENCE=1 cargo test --workspace --test suite access::document writes it"
    );
}
