//! Sort keys of values.

use std::cmp::{Ordering, Reverse};

use frontdesk_protocol::exact;
use jiff::Timestamp;
use jiff::civil::Date;
use serde_json::Value;

use super::{Field, Is};
use crate::app::shared::Shared;
use crate::look::text::fold;
use crate::tabular;

/// A sort key.
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

/// The sort key of a value.
pub(crate) fn key(field: &Field, value: &Value, shared: &Shared) -> Key {
    let text = value.as_str().filter(|text| !text.is_empty());
    match &field.is {
        _ if value.is_null() => Key::Nothing,
        Is::State(words) => {
            let at = words.iter().position(|word| value == word.as_str());
            at.map_or(Key::Nothing, Key::Rank)
        }
        Is::Time => Key::time(text.and_then(|text| text.parse().ok())),
        Is::Day => {
            let day = text.and_then(|text| text.parse().ok());
            day.map_or(Key::Nothing, Key::Day)
        }
        Is::Number | Is::Amount => Key::number(exact::as_f64(value)),
        Is::Flag => Key::Rank(usize::from(value == &Value::Bool(true))),
        Is::References(_) | Is::Rows(_) => Key::Rank(value.as_array().map_or(0, Vec::len)),
        Is::Reference(_) => Key::text(text.and_then(|id| shared.names.get(id))),
        _ => Key::text(Some(&tabular::cell(value))),
    }
}

/// Sorts these rows. Missing values come last, also in reverse.
pub(crate) fn sort(rows: &mut [usize], is_reversed: bool, key: impl Fn(usize) -> Key) {
    let key = |row: &usize| {
        let key = key(*row);
        (key == Key::Nothing, key)
    };
    match is_reversed {
        false => rows.sort_by_cached_key(key),
        true => rows.sort_by_cached_key(|row| {
            let (is_missing, key) = key(row);
            (is_missing, Reverse(key))
        }),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::testing::shared;

    fn sorted(is: Is, values: &[Value], is_reversed: bool) -> Vec<usize> {
        let (name, title) = ("field".to_owned(), "Field".to_owned());
        let field = Field { name, title, is };
        let mut rows: Vec<usize> = (0..values.len()).collect();
        let shared = shared();
        sort(&mut rows, is_reversed, |at| {
            key(&field, &values[at], &shared)
        });
        rows
    }

    #[test]
    fn states_are_sorted_as_the_schema_lists_them() {
        let words = ["todo", "in_progress", "done"].map(str::to_owned);
        let values = ["done", "todo", "in_progress"].map(Value::from);
        assert_eq!(sorted(Is::State(words.to_vec()), &values, false), [1, 2, 0]);
    }

    #[test]
    fn missing_values_come_last() {
        let values = [json!(10), json!(null), json!(9)];
        assert_eq!(sorted(Is::Number, &values, false), [2, 0, 1]);
        assert_eq!(sorted(Is::Number, &values, true), [0, 2, 1]);
    }
}
