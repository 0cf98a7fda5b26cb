//! Drawing of the history: a row for each call, and the details of one.

use frontdesk_client::history::{Keep, RecordedCall};
use frontdesk_protocol::exact;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::{HistoryScreen, Sort};
use crate::app::shared::Shared;
use crate::call_form::recorded;
use crate::look::text::{clean, count};
use crate::look::time::moment;
use crate::ui::frame::waiting;
use crate::ui::panel::{self, framed};
use crate::ui::table::{self, Column, Row};
use crate::ui::wrap::wrapped;

/// Height of header, footer and frame.
const AROUND: u16 = 4;

/// Draws the screen.
pub(super) fn draw(screen: &HistoryScreen, shared: &Shared, frame: &mut Frame, area: Rect) {
    let theme = &shared.settings.theme;
    if let (Some(top), Some(entry)) = (screen.top, screen.current()) {
        let title = format!(" {} ", clean(&entry.tool));
        let inside = framed(frame, area, title, theme.border);
        let lines = lines(entry, shared, inside.width.into());
        for (line, place) in lines.iter().skip(top).zip(inside.rows()) {
            frame.render_widget(Line::raw(line.as_str()), place);
        }
        return;
    }
    let inside = framed(frame, area, title(screen, shared), theme.border);
    let inside = screen.search.draw_above(theme, frame, inside);
    let found = screen.found();
    if found.is_empty() {
        draw_empty(screen, shared, frame, inside);
        return;
    }
    let columns = [
        Column::fixed("When", 12),
        Column::fixed("Outcome", 14),
        Column::fixed("Duration", 8).right(),
        Column::share("Call", 1),
    ];
    let at = found
        .iter()
        .position(|entry| Some(entry.id) == screen.selected);
    table::draw(frame, inside, shared, &columns, found.len(), at, |at| {
        row(found[at], screen, shared)
    });
}

fn title(screen: &HistoryScreen, shared: &Shared) -> Line<'static> {
    let calls = screen.entries.as_ref().map_or(0, Vec::len);
    let mut words = format!(" {} ", count(calls, "call", "calls"));
    if screen.keep == Keep::All {
        words.push_str("· unredacted ");
    }
    let order = match (screen.sort, screen.is_reversed) {
        (Sort::When, false) => "",
        (Sort::When, true) => "· the oldest first ",
        (Sort::Tool, false) => "· by tool ",
        (Sort::Tool, true) => "· by tool, reversed ",
        (Sort::Took, false) => "· the slowest first ",
        (Sort::Took, true) => "· the quickest first ",
    };
    words.push_str(order);
    let mut spans = vec![Span::raw(words)];
    if let Some(trouble) = &screen.trouble {
        let words = format!("✗ cannot be read: {} ", clean(trouble));
        spans.push(Span::styled(words, shared.settings.theme.bad));
    }
    Line::from(spans)
}

fn draw_empty(screen: &HistoryScreen, shared: &Shared, frame: &mut Frame, area: Rect) {
    let theme = &shared.settings.theme;
    if screen.entries.is_none() && screen.trouble.is_none() {
        panel::note(frame, area, waiting(shared, "reading"));
        return;
    }
    let words = match (screen.search.is_empty(), screen.keep) {
        (false, _) => format!("No match for “{}”", clean(&screen.search.text())),
        (true, Keep::Off) => recorded::IS_OFF.to_owned(),
        (true, _) => "No calls yet".to_owned(),
    };
    panel::note(frame, area, Line::styled(words, theme.dim));
}

fn row(entry: &RecordedCall, screen: &HistoryScreen, shared: &Shared) -> Row {
    let (mark, word) = recorded::outcome(entry);
    let sign = match screen.marked == Some(entry.id) {
        true => "◆ ",
        false => "",
    };
    let call = format!(
        "{sign}{} {} {}",
        entry.peer,
        entry.tool,
        recorded::arguments(&entry.arguments)
    );
    Row::new()
        .cell(moment(entry.at, shared.now, &shared.locale))
        .styled(
            format!("{} {word}", mark.glyph()),
            mark.style(&shared.settings.theme),
        )
        .cell(recorded::took(entry))
        .cell(call)
}

/// The details of a call.
fn lines(entry: &RecordedCall, shared: &Shared, width: usize) -> Vec<String> {
    let (mark, word) = recorded::outcome(entry);
    let mut text = format!(
        "{} {word} · {} · {} · at {}",
        mark.glyph(),
        moment(entry.at, shared.now, &shared.locale),
        recorded::took(entry),
        entry.peer
    );
    if let Some(message) = recorded::message(entry) {
        text.push_str(&format!("\n{message}"));
    }
    if let Some(words) = recorded::not_kept(entry) {
        text.push_str(&format!("\n! {words}"));
    }
    let pretty = exact::pretty;
    text.push_str(&format!(
        "\n\nCalled with\n{}",
        pretty(&serde_json::Value::Object(entry.arguments.clone()))
    ));
    if let Some(result) = &entry.result {
        text.push_str(&format!("\n\nAnswered: {}", result.summary));
        if result.is_redacted {
            text.push_str("\nFree text is not kept.");
        }
        if result.is_cut {
            text.push_str("\nToo long to be kept completely.");
        }
        match &result.value {
            Some(serde_json::Value::String(answer)) => text.push_str(&format!("\n{answer}")),
            Some(value) => text.push_str(&format!("\n{}", pretty(value))),
            None => {}
        }
    }
    wrapped(&text, width)
}

/// The last possible first line.
pub(super) fn last_top(screen: &HistoryScreen, shared: &Shared) -> usize {
    let width = usize::from(shared.size.width.saturating_sub(2));
    let height = usize::from(shared.size.height.saturating_sub(AROUND));
    let lines = screen.current().map(|entry| lines(entry, shared, width));
    lines.map_or(0, |lines| lines.len().saturating_sub(height))
}
