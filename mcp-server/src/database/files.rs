//! The schema as text: a folder for each subject, and the upgrades of databases that were made with an older one.

use super::schema::SchemaVersion;

/// The files of `schema/`, by their paths without `.sql`.
const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/schema.rs"));
/// The files of `upgrades/`, by their numbers.
const UPGRADES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/upgrades.rs"));

/// The subjects, in the order in which a new database gets them: a subject refers to those before it. Of each, `tables.sql`
/// runs first, then `functions.sql`, then `policies.sql`, each from top to bottom.
///
/// The order of the text is the only order. A body in `$$` is checked when it is called, so it can name anything. A body
/// that PostgreSQL resolves at once (`return`, `begin atomic`) stands after what it names, in its own subject or in a later
/// one. A function that a table needs, in a default, a check, a generated column or an index, stands above it in
/// `tables.sql`: an upgrade runs those before it changes tables, and all others afterwards.
const SUBJECTS: &[&str] = &[
    "caller",
    "versions",
    "records",
    "search",
    "changes",
    "reading_changes",
    "undo",
    "organizations",
    "calls",
    "erasure",
    "people",
    "identity",
    "callers",
    "accounts",
    "invitations",
    "password_links",
    "factors",
    "webhooks",
    "business_units",
    "events",
    "guests",
    "learn",
    "programs",
    "progress",
    "payments",
    "work",
    "meetings",
    "wiki",
    "engineering",
    "weekly_updates",
    "plans",
    "students",
    "invoices",
    "staff_accounts",
    "financing",
    "studio",
    "campaigns",
    "strategy",
    "proposals",
    "quiz",
    "dispatches",
    "ops",
    "skills",
    "movements",
    "forgotten_people",
    "admission",
    "retention",
    "backups",
    "listening",
];

/// The files of a subject, in order.
const KINDS: [&str; 3] = [TABLES, "functions", "policies"];
const TABLES: &str = "tables";

/// A file of a subject.
#[derive(Debug, Clone, Copy)]
pub(super) struct File {
    /// Its path without `.sql`: `events/tables`.
    pub(super) name: &'static str,
    pub(super) text: &'static str,
}

impl File {
    /// Whether its functions are needed by tables.
    pub(super) fn is_of_tables(self) -> bool {
        self.name.ends_with(TABLES)
    }
}

/// The files that create a database, in order.
pub(super) fn files() -> impl Iterator<Item = File> {
    let names = SUBJECTS
        .iter()
        .flat_map(|subject| KINDS.map(|kind| (*subject, kind)));
    names.filter_map(|(subject, kind)| {
        let mut files = FILES.iter().copied();
        let (name, text) = files.find(|(name, _)| name.split_once('/') == Some((subject, kind)))?;
        Some(File { name, text })
    })
}

/// A part of an upgrade, below the line of comment with its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// Runs before functions are replaced.
    Tables,
    /// Policies, grants and triggers: they can use the functions of the new schema.
    Policies,
    /// Changes of rows, last. It also runs when a backup of an older schema is restored: the rows are then in the tables of
    /// the new one.
    Data,
}

/// The change of tables and rows from one schema to the next.
#[derive(Debug, Clone, Copy)]
pub(super) struct Upgrade {
    /// The schema that it leads to.
    pub(super) version: SchemaVersion,
    text: &'static str,
}

impl Upgrade {
    /// The name of its file.
    pub(super) fn name(self) -> String {
        format!("upgrades/{}", self.version)
    }

    /// One of its parts; empty if it has none.
    pub(super) fn part(self, part: Part) -> &'static str {
        let mut rest = self.text;
        while let Some((heading, from)) = heading(rest) {
            let (text, after) = match next_heading(from) {
                Some(at) => from.split_at(at),
                None => (from, ""),
            };
            if heading == part {
                return text;
            }
            rest = after;
        }
        ""
    }
}

/// The first heading of a part, and the text below it.
fn heading(text: &'static str) -> Option<(Part, &'static str)> {
    let text = &text[next_heading(text)?..];
    let (line, below) = text.split_once('\n').unwrap_or((text, ""));
    Some((part_of(line)?, below))
}

/// Where the next heading begins.
fn next_heading(text: &str) -> Option<usize> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if part_of(line).is_some() {
            return Some(at);
        }
        at += line.len();
    }
    None
}

/// The part that begins below this line.
fn part_of(line: &str) -> Option<Part> {
    let name = line.strip_prefix("-- ")?.trim_end().trim_end_matches('-');
    match name {
        "Tables " => Some(Part::Tables),
        "Policies " => Some(Part::Policies),
        "Data " => Some(Part::Data),
        _ => None,
    }
}

/// All upgrades, in order.
pub(super) fn upgrades() -> Vec<Upgrade> {
    let upgrades = UPGRADES.iter().filter_map(|(name, text)| {
        let version = name.parse().ok()?;
        Some(Upgrade { version, text })
    });
    let mut upgrades: Vec<_> = upgrades.collect();
    upgrades.sort_unstable_by_key(|upgrade| upgrade.version);
    upgrades
}

/// The text of all files, for a digest.
pub(super) fn texts() -> impl Iterator<Item = &'static str> {
    let all = FILES.iter().chain(UPGRADES);
    all.flat_map(|(name, text)| [*name, *text])
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn each_file_belongs_to_a_subject_with_a_place_in_the_order() {
        for (name, _) in FILES.iter().filter(|(name, _)| *name != "bootstrap") {
            let (subject, kind) = name.split_once('/').unwrap();
            assert!(SUBJECTS.contains(&subject), "{subject} is not in the order");
            assert!(KINDS.contains(&kind), "{name}");
        }
        let created = files().count();
        assert_eq!(created, FILES.len() - 1);
        for subject in SUBJECTS {
            let has_file = files().any(|file| file.name.starts_with(&format!("{subject}/")));
            assert!(has_file, "{subject} has no file");
        }
    }

    #[test]
    fn each_upgrade_has_a_number_and_its_statements_are_in_parts() {
        assert_eq!(upgrades().len(), UPGRADES.len());
        for upgrade in upgrades() {
            let before = &upgrade.text[..next_heading(upgrade.text).unwrap()];
            let is_comment = |line: &str| line.is_empty() || line.starts_with("--");
            assert!(
                before.lines().all(is_comment),
                "{}: {before}",
                upgrade.name()
            );
        }
    }

    /// Processes of the version before go on while a cluster is upgraded. A function goes when no file defines it.
    #[test]
    fn upgrades_only_add() {
        let removes = [
            "drop table",
            "drop column",
            "drop function",
            "drop schema",
            "create function",
            "rename ",
            "alter column",
        ];
        for upgrade in upgrades() {
            // A function's body does nothing yet.
            let text: String = upgrade.text.split("$$").step_by(2).collect();
            let text = text.to_lowercase();
            let removes = removes.iter().find(|words| text.contains(**words));
            assert_eq!(removes, None, "{}", upgrade.name());
        }
    }

    #[test]
    fn a_part_ends_where_the_next_begins() {
        let text = "-- Why.\n\n-- Tables ---\n\nalter table a;\n\n-- Data ---\n\nupdate a;\n";
        let upgrade = Upgrade { version: 1, text };
        assert_eq!(upgrade.part(Part::Tables), "\nalter table a;\n\n");
        assert_eq!(upgrade.part(Part::Policies), "");
        assert_eq!(upgrade.part(Part::Data), "\nupdate a;\n");
    }
}
