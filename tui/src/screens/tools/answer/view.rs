//! How an answer looks: a list of records is a table, a record a card, everything else JSON.

use std::ops::Range;

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};
use serde_json::Value;

use super::{AnswerScreen, Stage};
use crate::app::shared::Shared;
use crate::screens::tools::lines::wrapped;
use crate::screens::tools::trouble::trouble;
use crate::shape::{self, Shape};
use crate::ui::frame::{waiting, wrapped_height};
use crate::ui::mark::Mark;
use crate::ui::panel;
use crate::ui::table::{self, Column, Row};
use crate::ui::text::{cells, clean, count, fit};

/// The widest that a column is, where a long text would push the others off the screen.
const WIDEST: usize = 40;
/// The widest that the names of fields are.
const NAMES: usize = 40;
/// Header and footer, the line above the answer, and an empty one.
const AROUND: u16 = 4;

/// One line of a card or of JSON.
struct Text {
    name: String,
    value: String,
}

/// Draws the screen.
pub(super) fn draw(screen: &AnswerScreen, shared: &Shared, frame: &mut Frame, area: Rect) {
    let status = status(screen, shared);
    let width = usize::from(area.width.saturating_sub(2));
    let height: u16 = status
        .iter()
        .map(|line| wrapped_height(&line.to_string(), width))
        .sum();
    let [head, said, _, body] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Length(height),
        Constraint::Length(1),
        Constraint::Fill(1),
    ])
    .areas(area);
    frame.render_widget(title(screen, shared), head);
    let said = Rect {
        x: said.x + 1,
        width: said.width.saturating_sub(2),
        ..said
    };
    frame.render_widget(Paragraph::new(status).wrap(Wrap { trim: true }), said);
    match screen.records() {
        Some(records) => draw_list(screen, shared, frame, records, body),
        None => draw_lines(screen, shared, frame, body),
    }
}

fn title(screen: &AnswerScreen, shared: &Shared) -> Line<'static> {
    let theme = &shared.theme;
    let mut spans = vec![
        Span::styled(format!(" {} ", clean(screen.call.peer.name())), theme.dim),
        Span::styled(clean(&screen.call.tool).into_owned(), theme.title),
        Span::raw("  "),
    ];
    match screen.stage {
        Stage::Answer => spans.push(Mark::Good.span(theme, "answered")),
        Stage::Applied => spans.push(Mark::Good.span(theme, "done")),
        Stage::Record => spans.push(Mark::Info.span(theme, "one record")),
        Stage::Preview if screen.reply.error().is_some() => {
            spans.push(Mark::Warn.span(theme, "out of date, and not done"));
        }
        Stage::Preview => {
            spans.push(Mark::Waiting.span(theme, "not done yet: "));
            spans.push(Span::styled(shared.keymap.key("preview.apply"), theme.key));
            let bound = match screen.digest() {
                Some(_) => " does this, or nothing",
                None => " does it",
            };
            spans.push(Span::raw(bound));
        }
    }
    if let Some(records) = screen.records() {
        let from = screen.json().get("offset").and_then(Value::as_u64);
        let more = match screen.json().get("has_more") == Some(&Value::Bool(true)) {
            true => ", and there are more",
            false => "",
        };
        let records = match from {
            Some(from) if from > 0 => {
                format!("records {} to {}", from + 1, from + records.len() as u64)
            }
            _ => count(records.len(), "record", "records"),
        };
        spans.push(Span::styled(format!("  {records}{more}"), theme.dim));
    }
    Line::from(spans)
}

/// What went wrong since.
fn status(screen: &AnswerScreen, shared: &Shared) -> Vec<Line<'static>> {
    let theme = &shared.theme;
    if screen.reply.is_loading() {
        let words = match screen.applying {
            Some(_) => "being done…",
            None => "asking again…",
        };
        return vec![waiting(shared, words)];
    }
    let Some(error) = screen.reply.error() else {
        return Vec::new();
    };
    let problem = trouble(error, !screen.was_applied);
    let words = format!("✗ {}. {}", problem.title, clean(&problem.what));
    let mut lines = vec![Line::styled(words, theme.bad)];
    if !problem.help.is_empty() {
        lines.push(Line::from(clean(&problem.help).into_owned()));
    }
    let again = match screen.stage {
        Stage::Preview => " previews it again",
        _ => " asks again",
    };
    lines.push(Line::from(vec![
        Span::styled(shared.keymap.key("app.refresh"), theme.key),
        Span::raw(again),
    ]));
    lines
}

fn draw_list(
    screen: &AnswerScreen,
    shared: &Shared,
    frame: &mut Frame,
    records: &[Value],
    area: Rect,
) {
    let theme = &shared.theme;
    let fields = Shape::of(screen.json()).map_or(Vec::new(), |shape| {
        let width = usize::from(area.width.saturating_sub(2));
        // What it says once leaves most of the room to the list.
        let most = usize::from(area.height / 2).saturating_sub(1);
        let key = shared.keymap.key("answer.json");
        short_fields(&shape, width, most, &key)
    });
    let shown = fields.len();
    let gap = u16::from(shown > 0);
    let [above, _, list] = Layout::vertical([
        Constraint::Length(shown as u16),
        Constraint::Length(gap),
        Constraint::Fill(1),
    ])
    .areas(area);
    draw_texts(shared, frame, &fields, 0..shown, above);
    if records.is_empty() {
        let message = panel::middle(list, list.width.saturating_sub(4), 1);
        frame.render_widget(Line::styled("There are none.", theme.dim), message);
        return;
    }
    let chosen = columns(records, list.width);
    let drawn: Vec<Column> = chosen
        .iter()
        .enumerate()
        .map(|(at, (name, width))| match at + 1 == chosen.len() {
            true => Column::share(clean(name).into_owned(), 1),
            false => Column::fixed(clean(name).into_owned(), *width),
        })
        .collect();
    let at = Some(screen.at);
    table::draw(frame, list, theme, &drawn, records.len(), at, |at| {
        chosen.iter().fold(Row::new(), |row, (name, _)| {
            row.cell(records[at].get(name).map_or(String::new(), shape::cell))
        })
    });
}

/// As many columns as there is room for, those first that people look for first.
fn columns(records: &[Value], room: u16) -> Vec<(String, u16)> {
    let mut left = usize::from(room.saturating_sub(2));
    let mut chosen = Vec::new();
    for (name, width) in shape::columns(records) {
        // An id that is cut is of no use.
        let is_id = name == "id" || name.ends_with("_id");
        if is_id && width > left {
            continue;
        }
        let width = width.min(WIDEST).max(cells(&name).min(WIDEST));
        // The last may be cut: some of it is better than none.
        let is_last = width > left;
        if left < 8 && !chosen.is_empty() {
            break;
        }
        let width = width.min(left);
        chosen.push((name, width as u16));
        left = left.saturating_sub(width + 1);
        if is_last {
            break;
        }
    }
    chosen
}

fn draw_lines(screen: &AnswerScreen, shared: &Shared, frame: &mut Frame, area: Rect) {
    let texts = texts(screen, usize::from(area.width.saturating_sub(2)));
    let last = texts.len().saturating_sub(area.height.into());
    let top = screen.top.min(last);
    draw_texts(shared, frame, &texts, top..texts.len(), area);
}

/// How far down the lines of the answer can be moved.
pub(super) fn last_top(screen: &AnswerScreen, shared: &Shared) -> usize {
    let width = usize::from(shared.size.width.saturating_sub(2));
    let height = usize::from(shared.size.height.saturating_sub(AROUND));
    texts(screen, width).len().saturating_sub(height)
}

fn texts(screen: &AnswerScreen, width: usize) -> Vec<Text> {
    let value = screen.json();
    match Shape::of(value).filter(|_| !screen.is_json) {
        Some(shape) if shape.list.is_none() => fields_of(&shape, width),
        _ => {
            let text = match value {
                // What is no JSON is read as it stands.
                Value::String(text) if !screen.is_json => text.clone(),
                value => serde_json::to_string_pretty(value).unwrap_or_default(),
            };
            let lines = wrapped(&text, width).into_iter();
            let plain = |value| Text {
                name: String::new(),
                value,
            };
            lines.map(plain).collect()
        }
    }
}

/// Names and values, a line each. What there is no room for is told to be there.
fn short_fields(shape: &Shape, width: usize, most: usize, key: &str) -> Vec<Text> {
    let names = names_width(shape);
    let mut texts: Vec<Text> = shape
        .fields
        .iter()
        .map(|(name, value)| {
            let value = match value {
                Value::Null => "null".to_owned(),
                value => shape::cell(value),
            };
            Text {
                name: padded(name, names),
                value: fit(&value, width.saturating_sub(names + 2)),
            }
        })
        .collect();
    if texts.len() > most {
        texts.truncate(most.saturating_sub(1));
        let more = shape.fields.len() - texts.len();
        texts.push(Text {
            name: format!("… and {more} more, which {key} shows as JSON"),
            value: String::new(),
        });
    }
    texts
}

/// How wide the names of the fields are.
fn names_width(shape: &Shape) -> usize {
    let widest = shape.fields.iter().map(|(name, _)| cells(name)).max();
    widest.unwrap_or(0).min(NAMES)
}

/// The name of a field, with the room after it.
fn padded(name: &str, width: usize) -> String {
    let name = fit(name, width);
    let gap = " ".repeat(width.saturating_sub(cells(&name)) + 2);
    format!("{name}{gap}")
}

/// Names and values, a value of several lines below itself.
fn fields_of(shape: &Shape, width: usize) -> Vec<Text> {
    let names = names_width(shape);
    let room = width.saturating_sub(names + 2);
    let mut texts = Vec::new();
    for (name, value) in &shape.fields {
        let text = match value {
            Value::Null => "null".to_owned(),
            Value::String(text) => text.clone(),
            value @ (Value::Array(_) | Value::Object(_)) => {
                let short = value.to_string();
                match cells(&short) <= room {
                    true => short,
                    false => serde_json::to_string_pretty(value).unwrap_or_default(),
                }
            }
            value => value.to_string(),
        };
        for (at, value) in wrapped(&text, room).into_iter().enumerate() {
            let name = match at {
                0 => padded(name, names),
                _ => padded("", names),
            };
            texts.push(Text { name, value });
        }
    }
    texts
}

fn draw_texts(shared: &Shared, frame: &mut Frame, texts: &[Text], range: Range<usize>, area: Rect) {
    let shown = texts.get(range).unwrap_or_default();
    for (text, y) in shown.iter().zip(area.top()..area.bottom()) {
        let place = Rect {
            x: area.x + 1,
            y,
            width: area.width.saturating_sub(1),
            height: 1,
        };
        let line = Line::from(vec![
            Span::styled(text.name.as_str(), shared.theme.dim),
            Span::raw(text.value.as_str()),
        ]);
        frame.render_widget(line, place);
    }
}
