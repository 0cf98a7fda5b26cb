//! Drawing of a form: a row for each field, and below them help for the focused one.

use frontdesk_form::{Entry, Field, Kind, Row, State};
use ratatui::Frame;
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::layout::{Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::CallScreen;
use super::clock::Clock;
use super::editing::{has_lines, is_json};
use crate::app::peer::Peer;
use crate::app::shared::Shared;
use crate::call_form::signature::effect;
use crate::fields::cell::{value_words, words};
use crate::look::text::{cells, clean, count, fit};
use crate::look::time::clock;
use crate::ui::frame::{waiting, wrapped_height};
use crate::ui::panel;
use crate::ui::panel::framed;
use crate::ui::trouble::trouble;

/// Height of a multi-line field.
const LINES: u16 = 6;

/// Draws the screen.
pub(super) fn draw(screen: &CallScreen, shared: &Shared, frame: &mut Frame, area: Rect) {
    let status = status(screen, shared);
    let height = panel::said_height(&status, area);
    let about = screen.purpose().map(|purpose| purpose.head(shared));
    let about = about.unwrap_or_default();
    let about_height = panel::said_height(&about, area).min(area.height / 2);
    let [head, above, _, rows, said, help] = Layout::vertical([
        Length(1),
        Length(about_height),
        Length(1),
        Fill(1),
        Length(height),
        Length(help_height(screen, area)),
    ])
    .areas(area);
    frame.render_widget(title(screen, shared), head);
    panel::said(frame, about, above);
    draw_rows(screen, shared, frame, rows);
    panel::said(frame, status, said);
    draw_help(screen, shared, frame, help);
}

/// The height of the help, the same for all fields.
fn help_height(screen: &CallScreen, area: Rect) -> u16 {
    if !screen.is_rewriting() {
        return 5;
    }
    let rows = screen.form.rows();
    let lines = rows.iter().filter_map(|row| row.field.description());
    let width = usize::from(area.width.saturating_sub(4));
    let heights = lines.map(|text| text.lines().map(|line| wrapped_height(line, width)).sum());
    let most: u16 = heights.max().unwrap_or(0);
    (most + 3).clamp(5, (area.height * 2 / 3).max(5))
}

fn title(screen: &CallScreen, shared: &Shared) -> Line<'static> {
    let theme = &shared.settings.theme;
    if let Some(purpose) = screen.own_purpose() {
        return Line::styled(format!(" {purpose}"), theme.title);
    }
    let (mark, word) = effect(&screen.tool);
    let mut spans = vec![
        Span::styled(format!(" {} ", clean(screen.peer.name())), theme.dim),
        match &screen.prepared {
            Some(prepared) => Span::styled(
                format!("{} · {}", clean(&prepared.title), clean(&screen.tool.name)),
                theme.title,
            ),
            None => Span::styled(clean(&screen.tool.name).into_owned(), theme.title),
        },
        Span::raw("  "),
        mark.span(theme, word),
    ];
    match screen.preset_count() {
        0 => {}
        presets => {
            let key = shared.settings.keymap.key_while_typing("tool.recall");
            spans.push(Span::raw(" · "));
            spans.push(Span::styled(key, theme.key));
            spans.push(Span::raw(format!(
                " {}",
                count(presets, "preset", "presets")
            )));
        }
    }
    Line::from(spans)
}

/// Messages that belong to no field.
fn status(screen: &CallScreen, shared: &Shared) -> Vec<Line<'static>> {
    let theme = &shared.settings.theme;
    if screen.calling.is_loading() {
        return vec![under_way(screen, shared)];
    }
    if screen.loading.is_loading() {
        return vec![waiting(shared, "loading the record")];
    }
    let mut lines: Vec<Line> = record(screen, shared).into_iter().collect();
    if let Some(missing) = screen.missing_in_words() {
        lines.push(Line::styled(format!("! {missing}"), theme.warn));
    }
    if let Some(complaint) = &screen.complaint {
        let words = format!("✗ {}", clean(complaint));
        lines.push(Line::styled(words, theme.bad));
    }
    if let Some(error) = screen.loading.error() {
        let problem = trouble(error, &screen.peer, true);
        let words = format!("✗ Not loaded. {}: {}", problem.title, clean(&problem.what));
        lines.push(Line::styled(words, theme.bad));
    }
    if let Some(error) = screen.calling.error() {
        let sent = screen.sent.as_ref();
        let is_safe = sent.is_some_and(|call| call.changes_nothing);
        let problem = trouble(error, &screen.peer, is_safe);
        let words = format!("✗ {}. {}", problem.title, clean(&problem.what));
        lines.push(Line::styled(words, theme.bad));
        if !problem.help.is_empty() {
            lines.push(Line::from(clean(&problem.help).into_owned()));
        }
    }
    lines
}

/// The progress of the call.
fn under_way(screen: &CallScreen, shared: &Shared) -> Line<'static> {
    let mut line = waiting(
        shared,
        if screen.tool.read_only {
            "loading"
        } else {
            "saving"
        },
    );
    if let Some(progress) = &screen.progress {
        let done = match progress.total {
            Some(total) => format!("{} of {total}", progress.done),
            // A step of unknown size.
            None if progress.done == 0.0 => String::new(),
            None => progress.done.to_string(),
        };
        line.push_span(Span::styled(
            format!(" {done}"),
            shared.settings.theme.title,
        ));
        if let Some(message) = &progress.message {
            line.push_span(Span::raw(format!(" · {}", clean(message))));
        }
    }
    if screen.stops {
        line.push_span(Span::styled("  ·  stopping", shared.settings.theme.dim));
    }
    if screen.can_be_given_up() {
        let key = shared.settings.keymap.key_while_typing("app.back");
        line.push_span(Span::styled("  ·  ", shared.settings.theme.dim));
        line.push_span(Span::styled(key, shared.settings.theme.key));
        line.push_span(Span::raw(match screen.is_task() {
            true => " leaves the task",
            false => " stops it",
        }));
    }
    line
}

/// The record being changed and the number of changes.
fn record(screen: &CallScreen, shared: &Shared) -> Option<Line<'static>> {
    let loaded = screen.record.as_ref()?;
    let at = clock(loaded.at, &shared.locale);
    let name = fit(&loaded.found.name, 40);
    Some(match screen.changes()? {
        0 => Line::styled(
            format!("{name} as of {at}. Only changes are sent."),
            shared.settings.theme.dim,
        ),
        changes => Line::from(vec![
            Span::styled("● ", shared.settings.theme.warn),
            Span::raw(format!(
                "{changes} changed: {name} as of {at}. Only changes are sent."
            )),
        ]),
    })
}

fn draw_rows(screen: &CallScreen, shared: &Shared, frame: &mut Frame, area: Rect) {
    let rows = screen.form.rows();
    if rows.is_empty() {
        if screen.own_purpose().is_some() {
            return;
        }
        let words = Line::styled("  No arguments", shared.settings.theme.dim);
        frame.render_widget(words, area);
        return;
    }
    let heights = rows.iter().map(|row| height(screen, row, area.width));
    let heights: Vec<u16> = heights.collect();
    let focused = rows.iter().position(|row| row.path == screen.focus);
    let first = first_row(&heights, focused.unwrap_or(0), area.height);
    let mut y = area.y;
    for (row, height) in rows.iter().zip(&heights).skip(first) {
        if y >= area.bottom() {
            break;
        }
        let place = Rect {
            y,
            height: (*height).min(area.bottom() - y),
            ..area
        };
        draw_row(screen, shared, frame, row, place);
        y += height;
    }
}

fn height(screen: &CallScreen, row: &Row, width: u16) -> u16 {
    let is_focused = row.path == screen.focus;
    let field = match is_focused && has_lines(row.field) {
        true => LINES,
        false => 1,
    };
    field
        + complaints(screen, row, width)
            .map(|one| one.height)
            .sum::<u16>()
}

/// The width of the labels.
fn labels(width: u16) -> u16 {
    (width * 2 / 5).clamp(16, 40)
}

/// What is wrong with a field, and its place.
struct Complaint {
    words: String,
    left: u16,
    height: u16,
}

/// What is wrong with a field: below its value, or further left and in as many lines as it takes.
fn complaints(screen: &CallScreen, row: &Row, width: u16) -> impl Iterator<Item = Complaint> {
    let errors = screen.errors_at(&row.path, row.field);
    errors.map(move |error| {
        let instead = screen.clock.complaint(row.field);
        let message = in_labels(screen, instead.unwrap_or(&error.message));
        let words = format!("✗ {}", clean(&message));
        let left = match cells(&words) <= usize::from(width.saturating_sub(labels(width))) {
            true => labels(width),
            false => 4,
        };
        let height = wrapped_height(&words, width.saturating_sub(left).into()).min(LINES);
        Complaint {
            words,
            left,
            height,
        }
    })
}

/// The first visible row, such that the focused one is completely visible.
fn first_row(heights: &[u16], focused: usize, room: u16) -> usize {
    let mut first = focused;
    let mut used: u16 = heights.get(focused).copied().unwrap_or(1);
    // The rows after the focused one are as useful as those before.
    let after: u16 = heights.iter().skip(focused + 1).sum();
    let room = room.saturating_sub(after.min(room / 3));
    while first > 0 && used + heights[first - 1] <= room {
        first -= 1;
        used += heights[first];
    }
    first
}

fn draw_row(screen: &CallScreen, shared: &Shared, frame: &mut Frame, row: &Row, area: Rect) {
    let theme = &shared.settings.theme;
    let is_focused = row.path == screen.focus;
    let labels = labels(area.width);
    let [label, value] = Layout::horizontal([Length(labels), Fill(1)]).areas(area);
    let indent = " ".repeat((row.depth * 2).min(16));
    let star = match row.field.is_required() {
        true => " *",
        false => "",
    };
    let changed = match row.changed {
        true => " ●",
        false => "",
    };
    let room = usize::from(labels).saturating_sub(5 + indent.len() + cells(changed));
    let words = format!("{indent}{}", fit(row.field.label(), room));
    let (sign, style) = match is_focused {
        true => ("▸ ", theme.title),
        false => ("  ", Style::new()),
    };
    let spans = vec![
        Span::styled(sign, theme.focus),
        Span::styled(words, style),
        Span::styled(star, theme.warn),
        Span::styled(changed, theme.warn),
    ];
    frame.render_widget(Line::from(spans), Rect { height: 1, ..label });
    let complaints: Vec<_> = complaints(screen, row, area.width).collect();
    let below: u16 = complaints.iter().map(|one| one.height).sum();
    let height = value.height.saturating_sub(below).max(1);
    let height = height.min(value.height);
    let place = Rect { height, ..value };
    draw_value(screen, shared, frame, row, is_focused, place);
    let mut y = value.y + height;
    for Complaint {
        words,
        left,
        height,
    } in complaints
    {
        let place = Rect::new(area.x + left, y, area.width.saturating_sub(left), height);
        panel::text(
            frame,
            place.intersection(area),
            Line::styled(words, theme.bad),
        );
        y += height;
    }
}

fn draw_value(
    screen: &CallScreen,
    shared: &Shared,
    frame: &mut Frame,
    row: &Row,
    is_focused: bool,
    area: Rect,
) {
    let theme = &shared.settings.theme;
    let (field, path) = (row.field, &row.path);
    let state = match field.state() {
        State::Absent if field.is_required() => Some("required"),
        State::Absent => Some("optional"),
        State::Null => Some("empty"),
        State::Empty if field.leaf().kind().is_container() => Some("no entries"),
        State::Empty => Some("empty text"),
        State::Filled => None,
    };
    let name = screen.name_of(shared, field);
    // A known name stands for its id.
    if let (true, Some(input), None) = (is_focused, &screen.input, name) {
        let width = state.map_or(0, |word| cells(word) as u16 + 1);
        let [place, note_place] = Layout::horizontal([Fill(1), Length(width)]).areas(area);
        input.draw(frame, place, Style::new().underlined(), true);
        if let Some(word) = state {
            let line = Line::styled(format!(" {word}"), theme.dim);
            let place = Rect {
                height: 1,
                ..note_place
            };
            frame.render_widget(line, place);
        }
        return;
    }
    let words = match state {
        Some(word) => word.to_owned(),
        None => match name {
            // Half an id says nothing; the whole one is there when the field is focused.
            Some(name) if is_focused || screen.is_locked(path) => name.to_owned(),
            Some(name) => {
                let both = format!("{name} · {}", shown(screen, field));
                match cells(&both) + 4 <= usize::from(area.width) {
                    true => both,
                    false => name.to_owned(),
                }
            }
            None => screen
                .clock
                .show(field)
                .unwrap_or_else(|| shown(screen, field)),
        },
    };
    let words = fit(&words, usize::from(area.width).saturating_sub(4));
    let is_locked = screen.is_locked(path);
    let line = match (is_focused, state) {
        _ if is_locked => Line::styled(format!("{words} · given"), theme.dim),
        (true, _) => Line::from(vec![
            Span::styled("‹ ", theme.key),
            Span::styled(words, theme.title),
            Span::styled(" ›", theme.key),
        ]),
        (false, Some(_)) => Line::styled(words, theme.dim),
        (false, None) => Line::from(words),
    };
    frame.render_widget(line, Rect { height: 1, ..area });
}

/// What is set, in a line.
fn shown(screen: &CallScreen, field: &Field) -> String {
    let leaf = field.leaf();
    let summary = match leaf.kind() {
        Kind::Text(text) if text.secret => "•".repeat(leaf.summary().chars().count().min(12)),
        // The words of our hosts, as lists and previews show them.
        Kind::Choice(_) if matches!(screen.peer, Peer::Host(_)) => words(&leaf.summary()),
        _ => leaf.summary(),
    };
    match field.kind() {
        // Which of several it is matters as much as what is in it.
        Kind::Variant(_) if leaf.kind().is_container() => {
            format!("{}: {summary}", field.summary())
        }
        _ => summary,
    }
}

/// A text with the labels of other fields in place of their names: “Starts” for `start_at`.
fn in_labels(screen: &CallScreen, text: &str) -> String {
    if !text.contains('_') {
        return text.to_owned();
    }
    let rows = screen.form.rows();
    let named = |word: &str| {
        let is_it = |row: &&Row| row.depth == 0 && row.path.last_key() == Some(word);
        let row = rows.iter().find(is_it).filter(|_| word.contains('_'))?;
        Some(format!("“{}”", row.field.label()))
    };
    let ends = |char: char| !(char.is_alphanumeric() || char == '_');
    let parts = text.split_inclusive(ends).map(|part| {
        let word = part.trim_end_matches(ends);
        named(word).map_or(part.to_owned(), |label| label + &part[word.len()..])
    });
    parts.collect()
}

/// The description of a field, with the default of an optional one.
fn described(field: &Field) -> String {
    let default = field.default().filter(|_| !field.is_required());
    let default = default.map(|value| format!("Default: {}.", value_words(value)));
    let described = field.description().map(str::to_owned);
    let both: Vec<_> = described.into_iter().chain(default).collect();
    both.join(" ")
}

fn draw_help(screen: &CallScreen, shared: &Shared, frame: &mut Frame, area: Rect) {
    let theme = &shared.settings.theme;
    let inside = framed(frame, area, "", theme.border);
    let Some(field) = screen.focused() else {
        return;
    };
    let [about, hint] = Layout::vertical([Fill(1), Length(1)]).areas(inside);
    let about = about.inner(panel::INSET);
    // Where all is given, nothing but the tool itself is left to tell of.
    let is_whole = screen.focus.segments().is_empty() && !is_json(field);
    let described = match is_whole {
        true => screen.tool.description.clone().unwrap_or_default(),
        false => in_labels(screen, &described(field)),
    };
    let lines: Vec<Line> = match screen.is_rewriting() {
        true => described
            .lines()
            .map(|line| Line::raw(clean(line)))
            .collect(),
        false => vec![Line::raw(clean(&described))],
    };
    panel::text(frame, about, lines);
    let mut words = vec![screen.focus.to_string()];
    words.extend(screen.was(&screen.focus).map(|was| fit(&clean(&was), 30)));
    if screen.wants_record(shared) {
        words.push("enter loads the record".to_owned());
    } else if screen.has_list(shared, &screen.focus) {
        let key = shared.settings.keymap.key_while_typing("tool.pick");
        words.push(match screen.wants_list(shared) {
            true => "enter opens the list".to_owned(),
            false => format!("{key} opens the list"),
        });
    }
    if screen.invites_editor(shared) {
        let key = shared.settings.keymap.key_while_typing("tool.editor");
        words.push(format!("{key} opens your editor"));
    }
    if !is_whole {
        let hint = screen.clock.echo(field);
        let hint = hint.or_else(|| Clock::hint(field).map(str::to_owned));
        words.push(hint.unwrap_or_else(|| field.hint()));
    }
    words.extend(keys(field, shared));
    words.retain(|word| !word.is_empty());
    let words = format!(" {}", words.join(" · "));
    let line = Line::styled(fit(&words, hint.width.into()), theme.dim);
    frame.render_widget(line, hint);
}

/// What can be done to the field, where it is more than typing.
fn keys(field: &Field, shared: &Shared) -> Option<String> {
    let key = |id: &str| shared.settings.keymap.key_while_typing(id);
    let leaf = field.leaf();
    match leaf.kind() {
        _ if is_json(field) => Some(format!("{} fields again", key("tool.json"))),
        Kind::List(_) => Some(format!("{} adds an entry", key("tool.add"))),
        Kind::Map(_) => Some(format!("{} adds a key", key("tool.add"))),
        Kind::Object(_) if *leaf.entry() == Entry::Absent => Some("space includes it".to_owned()),
        Kind::Boolean | Kind::Choice(_) => Some("arrows or a letter change it".to_owned()),
        Kind::Variant(_) => Some("space chooses".to_owned()),
        _ if matches!(field.kind(), Kind::Variant(_)) => {
            Some(format!("{} other type", key("tool.variant")))
        }
        _ => None,
    }
}
