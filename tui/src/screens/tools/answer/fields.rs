//! The fields of a record as lines: names in one column, values in another.

use serde_json::Value;

use crate::screens::tools::lines::wrapped;
use crate::shape::{self, Shape};
use crate::ui::text::{cells, fit};

/// The widest that the names of fields are.
const NAMES: usize = 40;

/// One line of a card or of a text.
pub(super) struct Text {
    pub(super) name: String,
    pub(super) value: String,
}

/// Names and values, a line each. What there is no room for is told to be there.
pub(super) fn short_fields(shape: &Shape, width: usize, most: usize, key: &str) -> Vec<Text> {
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
pub(super) fn fields_of(shape: &Shape, width: usize) -> Vec<Text> {
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
