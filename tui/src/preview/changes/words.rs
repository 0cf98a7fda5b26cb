//! Changes in words: "deletes program “Robotics”, 8 stages and 37 milestones".

use std::collections::BTreeSet;

use frontdesk_protocol::changes::{Changes, RowChange, RowOperation};

use crate::fields::Is;
use crate::fields::cell;
use crate::look::text::{clean, count, sentence};
use crate::records::kind::{self, Kind};

/// Whether the changes are made already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tense {
    Preview,
    Past,
}

/// The glyph and the verb of an operation.
pub(crate) fn verb(operation: RowOperation, tense: Tense) -> (&'static str, &'static str) {
    match (operation, tense) {
        (RowOperation::Insert, Tense::Preview) => ("+", "add"),
        (RowOperation::Insert, Tense::Past) => ("+", "added"),
        (RowOperation::Update, Tense::Preview) => ("~", "change"),
        (RowOperation::Update, Tense::Past) => ("~", "changed"),
        (RowOperation::Delete, Tense::Preview) => ("-", "delete"),
        (RowOperation::Delete, Tense::Past) => ("-", "deleted"),
    }
}

/// The declared kind of a row, by its name, otherwise by its table. Kinds of several hosts can
/// share a name: the schema of the table names the host.
pub(super) fn kind_of(table: &str, kind: Option<&str>) -> Option<&'static Kind> {
    let (area, plural) = table.split_once('.')?;
    let Some(id) = kind else {
        let mut own = kind::all().iter().filter(|one| one.peer.name() == area);
        return own.find(|one| one.list().key == plural);
    };
    let one = id.replace('_', " ");
    let mut named = kind::all().iter().filter(|kind| kind.one == one);
    let own = named.clone().find(|one| one.peer.name() == area);
    own.or_else(|| named.next())
}

/// The name of a row for people: as the host gives it, otherwise in the field with its name.
pub(super) fn label(row: &RowChange) -> Option<String> {
    let field = || {
        let field = kind_of(&row.table, row.kind.as_deref())?.name_field()?;
        let mut sides = [&row.after, &row.before].into_iter().flatten();
        sides.find_map(|side| side.get(&field.name)?.as_str())
    };
    let label = row.label.as_deref().or_else(field)?;
    Some(clean(label).into_owned())
}

/// The name of a table of parts without that of their whole, unless it is then that of other records: `completions` for
/// `milestone_completions`, and `cohort_members`.
fn own_name(table: &str) -> &str {
    let name = table.rsplit('.').next().unwrap_or(table);
    let kinds = kind::all().iter();
    let mut parts = kinds.filter_map(|kind| {
        let whole = kind.one.replace(' ', "_");
        name.strip_prefix(&whole)?.strip_prefix('_')
    });
    let is_other = |part: &str| kind::all().iter().any(|kind| kind.list().key == part);
    parts
        .find(|part| part.ends_with('s') && !is_other(part))
        .unwrap_or(name)
}

/// Singular and plural of the rows of a table.
fn nouns(table: &str, kind: Option<&str>) -> (String, String) {
    if let Some(kind) = kind_of(table, kind) {
        return (kind.one.clone(), kind.many.clone());
    }
    let words = |name: &str| clean(&name.replace('_', " ")).into_owned();
    match kind {
        Some(one) => (words(one), words(&format!("{one}s"))),
        None => {
            let many = words(own_name(table));
            let one = many.strip_suffix('s').unwrap_or(&many).to_owned();
            (one, many)
        }
    }
}

/// The kind of a row: "guest".
pub(super) fn noun(row: &RowChange) -> String {
    nouns(&row.table, row.kind.as_deref()).0
}

/// A row: "guest “Ana”", or "template “Fellowship”" if a field says which kind of program it is.
pub(super) fn named(row: &RowChange) -> String {
    let Some(label) = label(row) else {
        return noun(row);
    };
    let mut sides = [&row.after, &row.before].into_iter().flatten();
    let word = sides.find_map(|side| side.get("kind")?.as_str());
    let kind = kind_of(&row.table, row.kind.as_deref());
    let field = kind.and_then(|kind| kind.field("kind"));
    let noun = match (word, field.map(|field| &field.is)) {
        (Some(word), Some(Is::State(_))) => cell::words(word),
        _ => noun(row),
    };
    format!("{noun} “{label}”")
}

/// The rows of one table with one operation.
#[derive(Debug)]
struct Group {
    operation: RowOperation,
    one: String,
    many: String,
    rows: u64,
    /// Its only row.
    name: Option<String>,
}

fn groups(changes: &Changes) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut add = |operation, (one, many): (String, String), rows: u64, name: Option<String>| {
        let is_it = |group: &&mut Group| group.operation == operation && group.one == one;
        match groups.iter_mut().find(is_it) {
            Some(group) => {
                group.rows += rows;
                group.name = None;
            }
            None => groups.push(Group {
                operation,
                one,
                many,
                rows,
                name,
            }),
        }
    };
    for row in &changes.rows {
        let nouns = nouns(&row.table, row.kind.as_deref());
        let name = label(row).map(|_| named(row));
        add(row.operation, nouns, 1, name);
    }
    for more in &changes.more {
        let nouns = nouns(&more.table, more.kind.as_deref());
        add(more.operation, nouns, more.count, None);
    }
    groups
}

/// What is added, changed or deleted: "program “Robotics”, 8 stages, 37 milestones".
pub(crate) fn listing(changes: &Changes, operation: RowOperation) -> Option<String> {
    let groups = groups(changes).into_iter();
    let groups = groups.filter(|group| group.operation == operation);
    let parts = groups.map(|group| match group.name {
        Some(name) => name,
        None => count(
            usize::try_from(group.rows).unwrap_or(usize::MAX),
            &group.one,
            &group.many,
        ),
    });
    let parts: Vec<String> = parts.collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// All of it, a line for each operation, then the webhooks.
pub(crate) fn summary(changes: &Changes, tense: Tense) -> Vec<(Option<RowOperation>, String)> {
    let operations = [
        RowOperation::Delete,
        RowOperation::Update,
        RowOperation::Insert,
    ];
    let lines = operations.into_iter().filter_map(|operation| {
        let (_, verb) = verb(operation, tense);
        let listing = listing(changes, operation)?;
        Some((Some(operation), format!("{verb} {listing}")))
    });
    let webhooks = changes.webhooks.iter().map(|webhook| {
        let times = usize::try_from(webhook.count).unwrap_or(usize::MAX);
        let words = count(times, "webhook", "webhooks");
        (None, format!("{words} {}", clean(&webhook.event)))
    });
    lines.chain(webhooks).collect()
}

/// The same as sentences.
pub(crate) fn sentences(changes: &Changes, tense: Tense) -> Vec<String> {
    let lines = summary(changes, tense).into_iter();
    lines
        .map(|(_, words)| format!("{}.", sentence(&words)))
        .collect()
}

/// The kinds of the changed records.
pub(crate) fn kinds(changes: &Changes) -> BTreeSet<&'static str> {
    let rows = changes.rows.iter().map(|row| (&row.table, &row.kind));
    let more = changes.more.iter().map(|more| (&more.table, &more.kind));
    let kinds = rows
        .chain(more)
        .filter_map(|(table, kind)| kind_of(table, kind.as_deref()));
    kinds.map(|kind| kind.id.as_str()).collect()
}

/// The kinds and ids of the deleted records.
pub(super) fn deleted(changes: &Changes) -> Vec<(&'static str, String)> {
    let rows = changes.rows.iter();
    let rows = rows.filter(|row| row.operation == RowOperation::Delete);
    rows.filter_map(|row| {
        let kind = kind_of(&row.table, row.kind.as_deref())?;
        Some((kind.id.as_str(), row.key.get("id")?.as_str()?.to_owned()))
    })
    .collect()
}

/// The number of changed rows.
pub(crate) fn total(changes: &Changes) -> u64 {
    let more: u64 = changes.more.iter().map(|more| more.count).sum();
    changes.rows.len() as u64 + more
}

/// The differences of the changes, one per line; empty if they are equal.
pub(super) fn difference(before: &Changes, now: &Changes) -> Vec<String> {
    if before.digest == now.digest {
        return Vec::new();
    }
    let find = |changes: &'_ Changes, row: &RowChange| {
        let mut rows = changes.rows.iter();
        rows.find(|one| one.table == row.table && one.key == row.key)
            .cloned()
    };
    let mut lines = Vec::new();
    for row in &now.rows {
        let (_, verb) = verb(row.operation, Tense::Preview);
        match find(before, row) {
            None => lines.push(format!("new: {verb} {}", named(row))),
            Some(was) if was.operation != row.operation => {
                lines.push(format!("{}: now {verb}", named(row)));
            }
            Some(was) if (&was.before, &was.after) != (&row.before, &row.after) => {
                lines.push(format!("{} has changed", named(row)));
            }
            Some(_) => {}
        }
    }
    for row in before.rows.iter().filter(|row| find(now, row).is_none()) {
        let (_, verb) = verb(row.operation, Tense::Preview);
        lines.push(format!("no longer: {verb} {}", named(row)));
    }
    if lines.is_empty() {
        let (was, is) = (total(before), total(now));
        lines.push(match was == is {
            true => "a row that is not shown".to_owned(),
            false => format!("rows: {was} before, {is} now"),
        });
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_record_are_named_without_it() {
        for (table, name) in [
            ("learn.milestone_completions", "completions"),
            ("events.guests", "guests"),
            // These would be other records.
            ("learn.cohort_members", "cohort_members"),
            ("events.session_guests", "session_guests"),
        ] {
            assert_eq!(own_name(table), name);
        }
    }
}
