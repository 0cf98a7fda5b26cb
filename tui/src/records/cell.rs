//! Display and sort keys of record fields.

use std::cmp::Ordering;

use jiff::Timestamp;
use jiff::civil::Date;
use ratatui::style::Style;
use serde_json::Value;

use super::kind::{Field, Is};
use super::record::{Record, short};
use crate::app::shared::Shared;
use crate::shape;
use crate::ui::mark::Mark;
use crate::ui::text::{clean, fold};
use crate::ui::theme::Theme;
use crate::ui::time;

/// Maximum length of a nested value in bytes.
const NESTED: usize = 400;

/// Styled text that is safe to draw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cell {
    pub(crate) text: String,
    pub(crate) tone: Tone,
}

/// The emphasis of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Tone {
    #[default]
    Plain,
    /// Less important.
    Dim,
    /// In the style of a mark.
    Marked(Mark),
}

impl Tone {
    pub(crate) fn style(self, theme: &Theme) -> Style {
        match self {
            Tone::Plain => Style::new(),
            Tone::Dim => theme.dim,
            Tone::Marked(mark) => mark.style(theme),
        }
    }
}

impl Cell {
    /// A plain text.
    pub(crate) fn new(text: impl AsRef<str>) -> Self {
        Cell {
            text: clean(text.as_ref()).into_owned(),
            tone: Tone::Plain,
        }
    }

    /// A less important text.
    pub(crate) fn dim(text: impl AsRef<str>) -> Self {
        Cell {
            tone: Tone::Dim,
            ..Cell::new(text)
        }
    }

    /// A state: glyph and word.
    pub(crate) fn marked(mark: Mark, words: &str) -> Self {
        Cell {
            tone: Tone::Marked(mark),
            ..Cell::new(format!("{} {words}", mark.glyph()))
        }
    }
}

/// A sort key. All keys of a column have the same variant; missing values sort first.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Key {
    Nothing,
    /// Folded: without case and accents.
    Text(String),
    Rank(usize),
    Number(Number),
    Day(Date),
    Time(Timestamp),
}

/// A number with a total order.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Number(f64);

impl Key {
    /// A text, compared without case and accents.
    pub(crate) fn text(text: Option<&str>) -> Self {
        text.map_or(Key::Nothing, |text| Key::Text(fold(text)))
    }

    /// A number.
    pub(crate) fn number(number: Option<f64>) -> Self {
        number.map_or(Key::Nothing, |number| Key::Number(Number(number)))
    }

    /// A moment.
    pub(crate) fn time(at: Option<Timestamp>) -> Self {
        at.map_or(Key::Nothing, Key::Time)
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Number {}

/// The field of a record in a list.
pub(crate) fn cell(field: &Field, record: &Record, shared: &Shared) -> Cell {
    let value = record.get(&field.name);
    if value.is_null() {
        return Cell::new("");
    }
    match &field.is {
        Is::State(_) => state(value.as_str().unwrap_or_default()),
        Is::Time => match record.time(&field.name) {
            Some(at) => Cell::new(time::moment(at, shared.now, &shared.zone)),
            None => Cell::new(shape::cell(value)),
        },
        Is::Day => match record.day(&field.name) {
            Some(day) => Cell::new(time::day_alone(day, shared.now, &shared.zone)),
            None => Cell::new(shape::cell(value)),
        },
        Is::Reference(_) => value.as_str().map_or(Cell::new(""), |id| name(id, shared)),
        Is::References(_) | Is::Rows(_) => match record.len(&field.name) {
            0 => Cell::new(""),
            several => Cell::new(several.to_string()),
        },
        Is::Amount => Cell::new(value.as_f64().map(amount).unwrap_or_default()),
        Is::Flag => match value {
            Value::Bool(true) => Cell::new(Mark::Good.glyph()),
            _ => Cell::dim("–"),
        },
        Is::Id => Cell::dim(short(record.id())),
        Is::Number => Cell::new(value.as_f64().map(number).unwrap_or_default()),
        Is::Name | Is::Text | Is::Prose => Cell::new(shape::preview(value, NESTED)),
        Is::Other => Cell::new(nested(value)),
    }
}

/// The field of a record with more room: all referenced names, and the full id.
pub(crate) fn fact(field: &Field, record: &Record, shared: &Shared) -> Cell {
    match (&field.is, record.get(&field.name)) {
        (Is::References(_), Value::Array(ids)) => {
            let ids = ids.iter().filter_map(Value::as_str);
            let names: Vec<&str> = ids.map(|id| shared.names.get(id).unwrap_or(id)).collect();
            Cell::new(names.join(", "))
        }
        (Is::Id, _) => Cell::dim(record.id()),
        (Is::Flag, Value::Bool(flag)) => Cell::new(if *flag { "✓ yes" } else { "– no" }),
        (Is::Reference(_), Value::String(id)) => match shared.names.get(id) {
            Some(name) => Cell::new(name),
            None => Cell::dim(id),
        },
        (Is::Prose, Value::String(text)) => Cell {
            // Line breaks are kept.
            text: text.lines().map(clean).collect::<Vec<_>>().join("\n"),
            tone: Tone::Plain,
        },
        _ => cell(field, record, shared),
    }
}

/// The sort key of a field.
pub(crate) fn key(field: &Field, record: &Record, shared: &Shared) -> Key {
    let value = record.get(&field.name);
    match &field.is {
        Is::State(words) => {
            let at = words.iter().position(|word| value == word.as_str());
            at.map_or(Key::Nothing, Key::Rank)
        }
        Is::Time => Key::time(record.time(&field.name)),
        Is::Day => record.day(&field.name).map_or(Key::Nothing, Key::Day),
        Is::Number | Is::Amount => Key::number(value.as_f64()),
        Is::Flag => Key::Rank(usize::from(value == &Value::Bool(true))),
        Is::References(_) | Is::Rows(_) => Key::Rank(record.len(&field.name)),
        Is::Reference(_) => Key::text(value.as_str().and_then(|id| shared.names.get(id))),
        _ => Key::text(value.as_str()),
    }
}

/// The name of the record with this id, otherwise the end of the id; empty if the caller must not
/// see it.
pub(crate) fn name(id: &str, shared: &Shared) -> Cell {
    match shared.names.get(id) {
        Some(name) => Cell::new(name),
        None if shared.names.is_nobody(id) => Cell::dim("–"),
        None => Cell::dim(short(id)),
    }
}

/// A state, with a glyph for progress if the word is common.
pub(crate) fn state(word: &str) -> Cell {
    let words = words(word);
    match word {
        "done" | "completed" | "published" | "graduated" | "dev_completed" | "succeeded"
        | "approved" | "accepted" | "paid" | "submitted" | "merged" | "won" => {
            Cell::marked(Mark::Good, &words)
        }
        "in_progress" | "active" | "running" | "in_review" | "sent" | "recording" | "editing" => {
            Cell::marked(Mark::Busy, &words)
        }
        "blocked" | "locked" | "changes_requested" => Cell::marked(Mark::Warn, &words),
        "failed" | "rejected" => Cell::marked(Mark::Bad, &words),
        "canceled" | "cancelled" | "no_longer_needed" | "archived" | "dropped" | "superseded"
        | "withdrawn" | "retired" | "revoked" | "expired" | "ended" | "closed" | "lost" => {
            Cell::dim(format!("× {words}"))
        }
        "todo" | "to_do" | "pending" | "draft" | "upcoming" | "queued" | "proposed" | "open"
        | "due" => Cell::dim(format!("○ {words}")),
        _ => Cell::new(words),
    }
}

/// Whether this due date has passed.
pub(crate) fn is_late(due: Date, shared: &Shared) -> bool {
    due < shared.now.to_zoned(shared.zone.clone()).date()
}

/// A due date, marked if it is open and overdue.
pub(crate) fn due(due: Option<Date>, is_open: bool, shared: &Shared) -> Cell {
    let Some(due) = due else {
        return Cell::new("");
    };
    let words = time::day_alone(due, shared.now, &shared.zone);
    match is_open && is_late(due, shared) {
        true => Cell {
            tone: Tone::Marked(Mark::Warn),
            ..Cell::new(format!("{words} {} late", Mark::Warn.glyph()))
        },
        false => Cell::new(words),
    }
}

/// A value of the protocol in readable form.
pub(crate) fn words(word: &str) -> String {
    match word {
        "todo" => "to do".to_owned(),
        word => clean(&word.replace('_', " ")).into_owned(),
    }
}

/// An argument value in readable form.
pub(crate) fn value_words(value: &Value) -> String {
    match value {
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::String(word) => words(word),
        other => other.to_string(),
    }
}

/// An amount of money: "1,250.00".
pub(crate) fn amount(number: f64) -> String {
    let text = format!("{number:.2}");
    let (whole, rest) = text.split_at(text.len().saturating_sub(3));
    format!("{}{rest}", grouped(whole))
}

/// A number without rounding: "12,000", "2026", "0.5".
fn number(number: f64) -> String {
    let text = number.to_string();
    if number.abs() < 10_000.0 {
        return text;
    }
    match text.split_once('.') {
        Some((whole, rest)) => format!("{}.{rest}", grouped(whole)),
        None => grouped(&text),
    }
}

fn grouped(digits: &str) -> String {
    let is_plain = digits
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'-');
    if !is_plain {
        return digits.to_owned();
    }
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        let left = digits.len() - at;
        if at > 0 && left.is_multiple_of(3) && !out.ends_with('-') {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A list of words, or the keys and values of an object.
fn nested(value: &Value) -> String {
    match value {
        Value::Array(items)
            if items
                .iter()
                .all(|item| !item.is_object() && !item.is_array()) =>
        {
            let items: Vec<String> = items.iter().map(shape::cell).collect();
            items.join(", ")
        }
        Value::Array(items) => items.len().to_string(),
        Value::Object(map) => {
            let entries = map
                .iter()
                .map(|(key, value)| format!("{key}: {}", shape::preview(value, NESTED)));
            entries.collect::<Vec<_>>().join(", ")
        }
        other => shape::cell(other),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::records::kind;
    use crate::testing::shared;

    fn shown(id: &str, field: &str, value: Value) -> String {
        let kind = kind::all()
            .iter()
            .find(|kind| kind.id == id)
            .expect("a kind");
        let record = json!({ "id": "0190a1b2-0000-7000-8000-000000000001", field: value });
        let record = Record::new(&record).expect("a record");
        let field = kind.field(field).expect("a field");
        cell(field, &record, &shared()).text
    }

    #[test]
    fn values_are_shown_as_people_read_them() {
        assert_eq!(
            shown("task", "status", json!("in_progress")),
            "… in progress"
        );
        assert_eq!(
            shown("task", "due_date", json!("2024-02-29")),
            "29 Feb 2024"
        );
        assert_eq!(shown("expense", "amount_paid", json!(1250)), "1,250.00");
        assert_eq!(shown("expense", "amount_paid", json!(-0.5)), "-0.50");
        assert_eq!(shown("event", "guest_count", json!(12000)), "12,000");
        assert_eq!(shown("event", "guest_count", json!(2026)), "2026");
        assert_eq!(
            shown("guest", "tags", json!({ "diet": "vegan" })),
            "diet: vegan"
        );
        assert_eq!(shown("session", "guest_ids", json!(["a", "b"])), "2");
        assert_eq!(shown("guest", "email", json!(null)), "");
        assert_eq!(shown("guest", "name", json!("Zoë\u{1b}[2J")), "Zoë[2J");
    }

    #[test]
    fn an_id_is_shown_by_the_name_of_what_it_refers_to() {
        let member = "0190a1b2-0000-7000-8000-0000000000aa";
        assert_eq!(shown("task", "assignee_id", json!(member)), "…000000aa");
        let kind = kind::all()
            .iter()
            .find(|kind| kind.id == "task")
            .expect("a kind");
        let record = json!({ "id": "a", "assignee_id": member });
        let record = Record::new(&record).expect("a record");
        let mut shared = shared();
        shared.names.note(member, "Ana Souza");
        let field = kind.field("assignee_id").expect("a field");
        assert_eq!(cell(field, &record, &shared).text, "Ana Souza");
    }

    #[test]
    fn states_are_sorted_as_the_schema_lists_them() {
        let kind = kind::all()
            .iter()
            .find(|kind| kind.id == "task")
            .expect("a kind");
        let field = kind.field("status").expect("a field");
        let key = |word: &str| {
            let record = json!({ "id": "a", "status": word });
            super::key(field, &Record::new(&record).expect("a record"), &shared())
        };
        assert!(key("todo") < key("in_progress") && key("in_progress") < key("done"));
    }
}
