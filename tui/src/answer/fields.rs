//! The fields of a record as lines with a column of names and a column of values.

use serde_json::Value;

use crate::shape::{self, Shape};
use crate::ui::text::{cells, fit};

/// Maximum width of the names.
const NAMES: usize = 40;

/// One field on a line.
pub(super) struct Text {
    pub(super) name: String,
    pub(super) value: String,
}

/// Names and values, one line each. A last line counts those that do not fit.
pub(super) fn short_fields(shape: &Shape, width: usize, most: usize, key: &str) -> Vec<Text> {
    let names = names_width(&shape.fields);
    let mut texts: Vec<Text> = shape
        .fields
        .iter()
        .map(|(name, value)| {
            let value = match value {
                Value::Null => "null".to_owned(),
                value => shape::preview(value, width * 4),
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
            name: format!("… and {more} more; {key} shows them as JSON"),
            value: String::new(),
        });
    }
    texts
}

/// The width of the column of names.
pub(super) fn names_width(fields: &[(&String, &Value)]) -> usize {
    let widest = fields.iter().map(|(name, _)| cells(name)).max();
    widest.unwrap_or(0).min(NAMES)
}

/// The name of a field, padded to this width.
pub(super) fn padded(name: &str, width: usize) -> String {
    let name = fit(name, width);
    let gap = " ".repeat(width.saturating_sub(cells(&name)) + 2);
    format!("{name}{gap}")
}
