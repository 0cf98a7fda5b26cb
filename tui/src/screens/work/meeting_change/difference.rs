//! The difference between the plan that was shown and the current one.

use std::collections::HashMap;

use frontdesk_protocol::id::OccurrenceId;
use frontdesk_protocol::work::plan::{Action, Planned};

use super::preview::{Preview, Verdict};
use super::words::{carries, would};
use crate::preview::Previewed;

/// The differences, one per line: totals first, then occurrences by date. Empty if the plans are
/// equal.
pub(super) fn difference(before: &Preview, now: &Preview) -> Vec<String> {
    if before.digest().is_some() && before.digest() == now.digest() {
        return Vec::new();
    }
    let mut lines = Vec::new();
    for violation in now.violations() {
        if !before.is_refused_by(violation.guard) {
            lines.push(format!("now refused: {}", violation.message));
        }
    }
    for action in Action::ALL {
        let (was, is) = (before.totals().count(action), now.totals().count(action));
        if was != is {
            lines.push(format!("{}: {was} before, {is} now", would(action)));
        }
    }
    if before.title() != now.title() {
        lines.push(format!(
            "title: {} before, {} now",
            before.title(),
            now.title()
        ));
    }
    occurrences(before, now, &mut lines);
    meetings(before, now, &mut lines);
    if lines.is_empty() {
        lines.push("a value not shown here, such as the series' time of day".to_owned());
    }
    lines
}

fn occurrences(before: &Preview, now: &Preview, lines: &mut Vec<String>) {
    let by_id = |preview: &Preview| -> HashMap<OccurrenceId, Planned> {
        let occurrences = preview.occurrences().iter();
        occurrences
            .map(|planned| (planned.id, planned.clone()))
            .collect()
    };
    let (was, is) = (by_id(before), by_id(now));
    let mut changed = Vec::new();
    for planned in was.values().filter(|planned| !is.contains_key(&planned.id)) {
        let line = format!("no longer exists (before: {})", would(planned.action));
        changed.push((planned.occurrence_date, line));
    }
    for planned in is.values() {
        let line = match was.get(&planned.id) {
            None => Some(format!("is new: {}", would(planned.action))),
            Some(earlier) => change(earlier, planned),
        };
        changed.extend(line.map(|line| (planned.occurrence_date, line)));
    }
    changed.sort();
    lines.extend(
        changed
            .into_iter()
            .map(|(date, line)| format!("{date} {line}")),
    );
}

/// The difference of one occurrence.
fn change(was: &Planned, is: &Planned) -> Option<String> {
    if was == is {
        return None;
    }
    let mut parts = Vec::new();
    let mut note = |what: &str, was: String, is: String| {
        if was != is {
            parts.push(format!("{what}{was} before, {is} now"));
        }
    };
    note(
        "",
        would(was.action).to_owned(),
        would(is.action).to_owned(),
    );
    note("has ", carries(was).to_owned(), carries(is).to_owned());
    note(
        "date ",
        was.occurrence_date.to_string(),
        is.occurrence_date.to_string(),
    );
    note("status ", was.status.clone(), is.status.clone());
    if parts.is_empty() {
        parts.push("its content or destination changed".to_owned());
    }
    Some(parts.join("; "))
}

/// The differences that concern no occurrence.
fn meetings(before: &Preview, now: &Preview, lines: &mut Vec<String>) {
    let (was, is) = match (&before.verdict, &now.verdict) {
        (Verdict::Merge(was), Verdict::Merge(is)) => (was, is),
        _ => return,
    };
    if was.children != is.children {
        let words = |children| super::words::children(children).unwrap_or("nothing".to_owned());
        lines.push(format!(
            "attached to the other meeting: {} before, {} now",
            words(&was.children),
            words(&is.children)
        ));
    }
    if was.transcript != is.transcript {
        lines.push("the other meeting's own transcript changed".to_owned());
    }
    if was.template_taken != is.template_taken {
        lines.push("the template to be taken over changed".to_owned());
    }
}
