//! Values as text: cells of tables, and facts with more room.

use frontdesk_protocol::exact;
use jiff::civil::Date;
use ratatui::style::Style;
use serde_json::{Number, Value};

use super::{Field, Is};
use crate::app::shared::Shared;
use crate::look::locale::Language;
use crate::look::mark::Mark;
use crate::look::text::{clean, count};
use crate::look::theme::Theme;
use crate::look::time;
use crate::tabular;

/// Maximum length of a nested value in bytes.
const NESTED: usize = 400;
/// Length of an id shown instead of a name: its end, because ids created at the same moment share
/// their beginning.
const SHORT: usize = 8;

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

/// A value in a table.
pub(crate) fn cell(field: &Field, value: &Value, shared: &Shared) -> Cell {
    let text = value.as_str().filter(|text| !text.is_empty());
    let len = value.as_array().map_or(0, Vec::len);
    let shown = match &field.is {
        _ if value.is_null() => None,
        Is::State(_) => text.map(state),
        Is::Time => {
            let at = text.and_then(|text| text.parse().ok());
            at.map(|at| Cell::new(time::moment(at, shared.now, &shared.locale)))
        }
        Is::Day => {
            let day = text.and_then(|text| text.parse().ok());
            day.map(|day| Cell::new(time::day_alone(day, shared.now, &shared.locale)))
        }
        Is::Reference(_) => text.map(|id| name(id, shared)),
        Is::References(_) | Is::Rows(_) if len == 0 => return Cell::new(""),
        Is::References(_) | Is::Rows(_) => Some(Cell::new(len.to_string())),
        Is::Amount => value
            .as_f64()
            .map(|number| Cell::new(amount(number, shared))),
        Is::Flag => value.as_bool().map(|flag| match flag {
            true => Cell::new(Mark::Good.glyph()),
            false => Cell::dim("–"),
        }),
        Is::Id => Some(Cell::dim(short(&tabular::cell(value)))),
        _ if exact::digits(value).is_some() => Some(Cell::new(exact::plain(value))),
        Is::Number => value
            .as_number()
            .map(|one| Cell::new(number(one, shared.locale.language))),
        Is::Record(_) | Is::Other => Some(Cell::new(nested(value))),
        Is::Text => text.and_then(time::without_seconds).map(Cell::new),
        Is::Name | Is::Prose => None,
    };
    shown.unwrap_or_else(|| Cell::new(tabular::preview(value, NESTED)))
}

/// A value with more room: all referenced names, the whole id, and the lines of a text.
pub(crate) fn fact(field: &Field, value: &Value, shared: &Shared) -> Cell {
    match (&field.is, value) {
        (Is::References(_), Value::Array(ids)) => {
            let ids = ids.iter().filter_map(Value::as_str);
            let names: Vec<&str> = ids.map(|id| shared.names.get(id).unwrap_or(id)).collect();
            Cell::new(names.join(", "))
        }
        (Is::Id, value) => Cell::dim(tabular::cell(value)),
        (Is::Flag, Value::Bool(flag)) => Cell::new(if *flag { "✓ yes" } else { "– no" }),
        (Is::Reference(_), Value::String(id)) => match shared.names.get(id) {
            Some(name) => Cell::new(name),
            None => Cell::dim(id),
        },
        (Is::Text, Value::String(text)) if time::without_seconds(text).is_some() => {
            cell(field, value, shared)
        }
        (Is::Prose | Is::Text, Value::String(text)) => Cell {
            // Line breaks are kept.
            text: text.lines().map(clean).collect::<Vec<_>>().join("\n"),
            tone: Tone::Plain,
        },
        _ => cell(field, value, shared),
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
    due < shared.now.to_zoned(shared.locale.zone.clone()).date()
}

/// A due date, marked if it is open and overdue.
pub(crate) fn due(due: Option<Date>, is_open: bool, shared: &Shared) -> Cell {
    let Some(due) = due else {
        return Cell::new("");
    };
    let words = time::day_alone(due, shared.now, &shared.locale);
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
        Value::String(word) if exact::digits(value).is_none() => words(word),
        other => exact::plain(other),
    }
}

/// An amount of money: "1,250.00".
pub(crate) fn amount(number: f64, shared: &Shared) -> String {
    shared.locale.language.number(&format!("{number:.2}"))
}

/// A number without rounding: "12,000", "2026", "0.5".
fn number(number: &Number, language: &Language) -> String {
    let size = number.as_f64().unwrap_or_default();
    let text = match size.fract() == 0.0 && number.is_f64() {
        true => size.to_string(),
        false => number.to_string(),
    };
    match size.abs() < 10_000.0 {
        true => language.decimal(&text),
        false => language.number(&text),
    }
}

/// A list of words, the name of a record, or the keys and values of an object.
fn nested(value: &Value) -> String {
    let name = tabular::label(value).filter(|_| value.get("id").is_some());
    match value {
        _ if name.is_some() => name.unwrap_or_default().to_owned(),
        Value::Array(items)
            if items
                .iter()
                .all(|item| !item.is_object() && !item.is_array()) =>
        {
            let items: Vec<String> = items.iter().map(tabular::cell).collect();
            items.join(", ")
        }
        Value::Array(items) => count(items.len(), "item", "items"),
        Value::Object(map) => {
            let entries = map
                .iter()
                .map(|(key, value)| format!("{key}: {}", tabular::preview(value, NESTED)));
            entries.collect::<Vec<_>>().join(", ")
        }
        other => tabular::cell(other),
    }
}

/// The shortened id, used without a name.
pub(crate) fn short(id: &str) -> String {
    let id = clean(id);
    let letters = id.chars().count();
    match letters > SHORT {
        true => format!("…{}", id.chars().skip(letters - SHORT).collect::<String>()),
        false => id.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::testing::shared;

    fn shown(is: Is, value: Value) -> String {
        let (name, title) = ("field".to_owned(), "Field".to_owned());
        cell(&Field { name, title, is }, &value, &shared()).text
    }

    #[test]
    fn values_are_shown_as_people_read_them() {
        let state = Is::State(vec!["in_progress".to_owned()]);
        assert_eq!(shown(state, json!("in_progress")), "◐ in progress");
        assert_eq!(shown(Is::Day, json!("2024-02-29")), "29 Feb 2024");
        assert_eq!(shown(Is::Day, json!("soon")), "soon");
        assert_eq!(shown(Is::Amount, json!(1250)), "1,250.00");
        assert_eq!(shown(Is::Amount, json!(-0.5)), "-0.50");
        assert_eq!(shown(Is::Number, json!(12000)), "12,000");
        assert_eq!(shown(Is::Number, json!(2026)), "2026");
        assert_eq!(shown(Is::Number, json!(3.0)), "3");
        let large = json!(9_007_199_254_740_993_u64);
        assert_eq!(shown(Is::Number, large), "9,007,199,254,740,993");
        assert_eq!(shown(Is::Other, json!({ "diet": "vegan" })), "diet: vegan");
        let guests = Is::References("guest".to_owned());
        assert_eq!(shown(guests, json!(["a", "b"])), "2");
        assert_eq!(shown(Is::Text, json!(null)), "");
        assert_eq!(shown(Is::Name, json!("Zoë\u{1b}[2J")), "Zoë[2J");
    }

    #[test]
    fn an_id_is_shown_by_the_name_of_what_it_refers_to() {
        let member = "0190a1b2-0000-7000-8000-0000000000aa";
        let mut shared = shared();
        assert_eq!(name(member, &shared).text, "…000000aa");
        shared.names.note(member, "Ana Souza");
        assert_eq!(name(member, &shared).text, "Ana Souza");
    }
}
