//! The number of a record's children, in total, done, and by state.

use ratatui::text::{Line, Span};
use serde_json::Value;

use crate::fields::cell::{self, Cell};
use crate::fields::key::Key;
use crate::look::theme::Theme;
use crate::records::kind;
use crate::records::record::Record;
use crate::ui::gauge;
use frontdesk_protocol::Host;

/// The share of a record's children that are done, as counted by the host.
pub(super) struct Share {
    /// The plural of the children.
    many: &'static str,
    /// The field with the total number.
    pub(super) all: &'static str,
    /// The field with the number of those done.
    pub(super) done: &'static str,
}

/// The tasks of an epic or a delivery.
pub(super) const TASKS: Share = Share {
    many: "tasks",
    all: "number_of_tasks",
    done: "number_of_completed_tasks",
};

/// The epics of a project.
pub(super) const EPICS: Share = Share {
    many: "epics",
    all: "number_of_epics",
    done: "number_of_done_epics",
};

impl Share {
    fn of(&self, record: &Record) -> (u64, u64) {
        let number = |field: &str| record.number(field).unwrap_or_default() as u64;
        (number(self.done), number(self.all))
    }

    /// `███░░ 7 of 12`.
    pub(super) fn cell(&self, record: &Record) -> Cell {
        match self.of(record) {
            (_, 0) => Cell::dim("none"),
            (done, all) => Cell::new(format!("{} {done} of {all}", gauge::bar(5, done, all))),
        }
    }

    /// The sort key of the column.
    pub(super) fn key(&self, record: &Record) -> Key {
        let (done, all) = self.of(record);
        Key::number((all > 0).then(|| done as f64 / all as f64))
    }

    /// `7 of 12 tasks`.
    pub(super) fn words(&self, record: &Record) -> String {
        let (done, all) = self.of(record);
        format!("{done} of {all} {}", self.many)
    }
}

/// `8 epics: ✓ 1 done, … 6 in progress`, from these fields.
pub(super) fn states(record: &Record, fields: &[&str], theme: &Theme) -> Line<'static> {
    let mut spans = Vec::new();
    for field in fields {
        let (Some(held), Some(kind)) = (
            record.get(field).as_array(),
            kind::inside(Host::Work, field),
        ) else {
            continue;
        };
        let name = if held.len() == 1 {
            &kind.one
        } else {
            &kind.many
        };
        let between = if spans.is_empty() { "" } else { "  " };
        spans.push(Span::raw(format!("{between}{} {name}", held.len())));
        let words = kind.state_field().map_or(&[][..], |(_, words)| words);
        let number = |word: &str| {
            let is_so = |one: &&Value| one["status"] == word;
            held.iter().filter(is_so).count()
        };
        let counted = words.iter().map(|word| (word, number(word)));
        for (at, (word, number)) in counted.filter(|(_, number)| *number > 0).enumerate() {
            let state = cell::state(word);
            let between = if at == 0 { ": " } else { ", " };
            spans.push(Span::styled(between, theme.dim));
            let style = state.tone.style(theme);
            let words = cell::words(word);
            let glyph = state.text.strip_suffix(&words).unwrap_or_default();
            spans.push(Span::styled(format!("{glyph}{number} {words}"), style));
        }
    }
    Line::from(spans)
}
