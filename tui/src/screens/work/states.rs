//! How many records something holds, and how many of them are in each state.

use ratatui::text::{Line, Span};
use serde_json::Value;

use crate::records::cell;
use crate::records::kind;
use crate::records::record::Record;
use crate::ui::theme::Theme;
use frontdesk_protocol::Host;

/// `8 epics: ✓ 1 done, … 6 in progress`, of each of these fields that hold records.
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
