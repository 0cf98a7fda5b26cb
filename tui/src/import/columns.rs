//! Which argument each column of a sheet is for.

use std::collections::{HashMap, HashSet};

use frontdesk_client::imports::Columns;
use serde_json::Value;

use super::aliases;
use super::aliases::key;
use super::sheet::REASON;

/// Arguments that no column is for unless the user says so.
const NEVER: [&str; 3] = ["limit", "offset", "dry_run"];
/// The minimum length of a name that stands for a longer one.
const SHORTEST: usize = 4;

/// An argument of a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Argument {
    /// Its name.
    pub name: String,
    /// Whether a call needs it.
    pub is_required: bool,
    /// Whether it is an object with keys that the user chooses.
    pub is_free: bool,
}

/// The arguments of a tool with this schema.
pub(super) fn arguments(schema: &Value) -> Vec<Argument> {
    let required = schema["required"].as_array();
    let is_required = |name: &str| required.is_some_and(|all| all.iter().any(|one| one == name));
    let properties = schema["properties"].as_object();
    let all = properties.into_iter().flatten();
    all.map(|(name, schema)| Argument {
        name: name.clone(),
        is_required: is_required(name),
        is_free: schema["additionalProperties"] != Value::Bool(false)
            && allows(schema, "object")
            && schema["properties"].is_null(),
    })
    .collect()
}

/// Whether a value of this schema can be of this kind.
pub(super) fn allows(schema: &Value, kind: &str) -> bool {
    match &schema["type"] {
        Value::String(only) => only == kind,
        Value::Array(kinds) => kinds.iter().any(|one| one == kind),
        _ => false,
    }
}

/// Matches columns to arguments: as given, otherwise as chosen last, otherwise by name. `set` arguments have a value
/// already. Case, accents, spaces and underscores do not matter, and the beginning of a name is enough if only one
/// begins so.
///
/// # Errors
/// A message if a given name does not exist, or two columns are for one argument.
pub(super) fn matched(
    header: &[String],
    arguments: &[Argument],
    set: &[String],
    given: &[(String, String)],
    chosen: &Columns,
) -> Result<Vec<Option<String>>, String> {
    let mut assigned: Vec<Option<Option<String>>> = vec![None; header.len()];
    for (column, argument) in given {
        let at = position(header, column)?;
        assigned[at] = Some(named(argument, arguments)?);
    }
    for (at, column) in header.iter().enumerate() {
        if assigned[at].is_none()
            && let Some(argument) = chosen.get(column)
        {
            assigned[at] = named(argument, arguments).ok();
        }
    }
    let assigned_names = assigned.iter().flatten().flatten();
    let mut taken: HashSet<String> = assigned_names.chain(set).cloned().collect();
    for argument in ["name", "email", "phone_number"] {
        let is_open = arguments.iter().any(|one| one.name == argument) && !taken.contains(argument);
        if let Some(at) =
            aliases::of_attendee(header, argument).filter(|at| is_open && assigned[*at].is_none())
        {
            taken.insert(argument.to_owned());
            assigned[at] = Some(Some(argument.to_owned()));
        }
    }
    for whole in [Whole::Name, Whole::WithoutId, Whole::No] {
        if whole == Whole::No {
            let is_open = |at: usize| assigned[at].is_none() && header[at] != REASON;
            for (at, argument) in aliases::found(header, arguments, is_open, &taken) {
                taken.insert(argument.clone());
                assigned[at] = Some(Some(argument));
            }
        }
        for (at, column) in header.iter().enumerate() {
            if assigned[at].is_some() || column == REASON {
                continue;
            }
            let fitting = arguments.iter().filter(|argument| {
                !NEVER.contains(&argument.name.as_str())
                    && !taken.contains(&argument.name)
                    && fits(column, argument, whole)
            });
            let fitting: Vec<_> = fitting.collect();
            if let [only] = fitting.as_slice() {
                let argument = free_key(column, only);
                taken.insert(argument.clone());
                assigned[at] = Some(Some(argument));
            }
        }
    }
    let assigned: Vec<_> = assigned.into_iter().map(Option::flatten).collect();
    let mut places = HashMap::new();
    for (at, argument) in assigned.iter().enumerate() {
        let Some(argument) = argument else { continue };
        if let Some(before) = places.insert(argument, at) {
            return Err(format!(
                "the columns “{}” and “{}” are both for {argument}; choose with --map COLUMN=ARGUMENT",
                header[before], header[at]
            ));
        }
        if set.contains(argument) {
            return Err(format!(
                "{argument} is both set and the column “{}”; leave one out",
                header[at]
            ));
        }
    }
    Ok(assigned)
}

/// The number of these cells that are names of arguments.
pub(super) fn fitting(cells: &[String], arguments: &[Argument]) -> usize {
    let is_name = |cell: &str| {
        let mut arguments = arguments.iter();
        let wholes = [Whole::Name, Whole::WithoutId];
        arguments.any(|argument| {
            wholes
                .iter()
                .any(|whole| fits(cell.trim(), argument, *whole))
        })
    };
    let aliases = aliases::found(cells, arguments, |_| true, &HashSet::new());
    let is_of_people = arguments.iter().any(|one| one.name == "name");
    let parts = aliases::name_parts(cells).filter(|_| is_of_people);
    let parts = parts.unwrap_or_default();
    let is_alias = |at: usize| parts.contains(&at) || aliases.iter().any(|(other, _)| *other == at);
    let cells = cells.iter().enumerate();
    cells
        .filter(|(at, cell)| is_alias(*at) || is_name(cell))
        .count()
}

/// The argument with this name, or the key of one: `tags.table`. `None` for an empty name: the column is not imported.
///
/// # Errors
/// A message with the existing arguments.
pub fn named(name: &str, arguments: &[Argument]) -> Result<Option<String>, String> {
    if name.is_empty() {
        return Ok(None);
    }
    let (root, below) = match name.split_once('.') {
        Some((root, below)) => (root, Some(below)),
        None => (name, None),
    };
    let found = arguments.iter().find(|one| one.name == root);
    let found = found.or_else(|| arguments.iter().find(|one| key(&one.name) == key(root)));
    match (found, below) {
        (Some(found), None) => Ok(Some(found.name.clone())),
        (Some(found), Some(below)) if found.is_free && !below.is_empty() => {
            Ok(Some(format!("{}.{below}", found.name)))
        }
        _ => {
            let names = arguments.iter().map(|one| one.name.as_str());
            let names: Vec<_> = names.filter(|one| !NEVER.contains(one)).collect();
            Err(format!(
                "there is no argument `{name}`; there are {}",
                names.join(", ")
            ))
        }
    }
}

pub(super) fn position(header: &[String], column: &str) -> Result<usize, String> {
    let exact = header.iter().position(|one| one == column);
    let found = exact.or_else(|| header.iter().position(|one| key(one) == key(column)));
    found.ok_or_else(|| {
        let names: Vec<_> = header.iter().map(|one| format!("“{one}”")).collect();
        format!(
            "there is no column “{column}”; there are {}",
            names.join(", ")
        )
    })
}

/// How much of an argument's name a column has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Whole {
    Name,
    /// The name without `_id`.
    WithoutId,
    /// A beginning.
    No,
}

/// Whether the column is for the argument.
fn fits(column: &str, argument: &Argument, whole: Whole) -> bool {
    let root = match column.split_once('.') {
        Some((root, _)) if argument.is_free => root,
        _ => column,
    };
    let (column, name) = (key(root), key(&argument.name));
    let without_id = ["_ids", "_id"]
        .iter()
        .find_map(|end| argument.name.strip_suffix(end));
    match whole {
        _ if column.is_empty() => false,
        Whole::Name => column == name,
        Whole::WithoutId => without_id.is_some_and(|short| key(short) == column),
        Whole::No => column.len() >= SHORTEST && name.starts_with(&column),
    }
}

/// The argument, with the key that the column names.
fn free_key(column: &str, argument: &Argument) -> String {
    match column.split_once('.') {
        Some((_, below)) if argument.is_free => format!("{}.{below}", argument.name),
        _ => argument.name.clone(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn guest() -> Vec<Argument> {
        arguments(&json!({
            "required": ["event_id", "name"],
            "properties": {
                "event_id": { "type": "string" }, "name": { "type": "string" },
                "email": { "type": "string" }, "phone_number": { "type": "string" },
                "dry_run": { "type": "boolean" },
                "tags": { "type": "object", "additionalProperties": true },
            },
        }))
    }

    fn by_name(header: &[&str], given: &[(&str, &str)]) -> Result<Vec<Option<String>>, String> {
        let header: Vec<_> = header.iter().map(|name| (*name).to_owned()).collect();
        let given: Vec<_> = given
            .iter()
            .map(|(a, b)| ((*a).to_owned(), (*b).to_owned()))
            .collect();
        let set = ["event_id".to_owned()];
        matched(&header, &guest(), &set, &given, &Columns::new())
    }

    #[test]
    fn a_column_is_matched_by_its_name() {
        let header = [
            "Name",
            "E-Mail",
            "Phone",
            "tags.table",
            "Event",
            "Dry run",
            "Ça va",
        ];
        let assigned = by_name(&header, &[]).expect("columns");
        let assigned: Vec<_> = assigned
            .iter()
            .map(|one| one.as_deref().unwrap_or("-"))
            .collect();
        assert_eq!(
            assigned,
            ["name", "email", "phone_number", "tags.table", "-", "-", "-"]
        );
    }

    #[test]
    fn the_user_assigns_the_rest() {
        let assigned =
            by_name(&["Who", "Name"], &[("who", "Name"), ("Name", "")]).expect("columns");
        assert_eq!(assigned, [Some("name".to_owned()), None]);
        let wrong = by_name(&["Who"], &[("Who", "nome")]).expect_err("no such argument");
        assert_eq!(
            wrong,
            "there is no argument `nome`; there are event_id, name, email, phone_number, tags"
        );
        let wrong = by_name(&["Who"], &[("Whom", "name")]).expect_err("no such column");
        assert_eq!(wrong, "there is no column “Whom”; there are “Who”");
        let twice =
            by_name(&["Who", "Name"], &[("Who", "name"), ("Name", "name")]).expect_err("twice");
        assert!(
            twice.starts_with("the columns “Who” and “Name” are both for name"),
            "{twice}"
        );
    }
}
