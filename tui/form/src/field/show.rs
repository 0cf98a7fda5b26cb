//! One-line texts about a field: state, summary, hint.

use serde_json::Value;

use super::{Entry, Field};
use crate::kind::{Bounds, Choice, Kind, Text, plain};

/// Whether a field is left out, null, empty or filled in. All four differ when sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Not sent.
    Absent,
    /// Sent as null.
    Null,
    /// Sent as an empty text, list or object.
    Empty,
    /// Sent with a value.
    Filled,
}

impl Field {
    /// The state of the field.
    pub fn state(&self) -> State {
        match &self.entry {
            Entry::Absent => State::Absent,
            Entry::Null => State::Null,
            Entry::Open if matches!(self.kind, Kind::Variant(_)) => {
                self.body().map_or(State::Absent, Field::state)
            }
            Entry::Open | Entry::Json(_) => match self.value() {
                None => State::Absent,
                Some(Value::Null) => State::Null,
                Some(Value::Array(values)) if values.is_empty() => State::Empty,
                Some(Value::Object(object)) if object.is_empty() => State::Empty,
                Some(Value::String(text)) if text.is_empty() => State::Empty,
                Some(_) => State::Filled,
            },
            Entry::Text(text) if text.is_empty() => State::Empty,
            Entry::Text(_) | Entry::Chosen(_) => State::Filled,
        }
    }

    /// The entry in one line: the text, the label of the choice, the number of entries.
    pub fn summary(&self) -> String {
        match &self.entry {
            Entry::Absent => String::new(),
            Entry::Null => "null".to_owned(),
            Entry::Text(text) => text.clone(),
            Entry::Chosen(value) => match &self.kind {
                Kind::Boolean if *value == Value::Bool(true) => "yes".to_owned(),
                Kind::Boolean => "no".to_owned(),
                Kind::Choice(choices) => {
                    let is_it = |choice: &&Choice| choice.value == *value;
                    let choice = choices.iter().find(is_it);
                    choice.map_or_else(|| plain(value), |choice| choice.label.clone())
                }
                _ => plain(value),
            },
            Entry::Json(json) => match json.value() {
                Ok(value) => value.to_string(),
                Err(_) => json.text().to_owned(),
            },
            Entry::Open => {
                let filled = self.children.iter();
                let filled = filled
                    .filter(|child| child.state() != State::Absent)
                    .count();
                match &self.kind {
                    Kind::Variant(several) => {
                        let label = self.chosen.and_then(|at| several.get(at));
                        label.map_or_else(String::new, |one| one.label.clone())
                    }
                    Kind::List(_) => counted(self.children.len(), "entry", "entries"),
                    Kind::Map(_) => counted(self.children.len(), "key", "keys"),
                    _ => format!("{filled} of {}", self.children.len()),
                }
            }
        }
    }

    /// The expected input in one line: format, bounds, default.
    pub fn hint(&self) -> String {
        let leaf = self.leaf();
        let mut hints: Vec<String> = Vec::new();
        match &leaf.kind {
            Kind::Text(text) => text.hints(&mut hints),
            Kind::Number(bounds) => bounds.hints(&mut hints),
            Kind::List(list) => hints.extend(size(list.min, list.max, "entry", "entries")),
            Kind::Map(map) => hints.extend(size(map.min, map.max, "key", "keys")),
            Kind::Choice(choices) => {
                let labels: Vec<_> = choices.iter().map(|choice| choice.label.as_str()).collect();
                hints.push(labels.join(", "));
            }
            Kind::Variant(several) => {
                let labels: Vec<_> = several.iter().map(|one| one.label.as_str()).collect();
                hints.push(labels.join(" or "));
            }
            Kind::Boolean | Kind::Const(_) | Kind::Object(_) | Kind::Raw => {
                hints.push(leaf.kind.noun().to_owned());
            }
        }
        if let Some(default) = self.default.as_ref().filter(|default| !default.is_null()) {
            hints.push(format!("default {}", plain(default)));
        } else if let Some(example) = leaf.examples.first() {
            hints.push(format!("such as {}", plain(example)));
        }
        hints.join(", ")
    }
}

impl Text {
    fn hints(&self, hints: &mut Vec<String>) {
        if let Some(format) = &self.format {
            let noun = Kind::Text(self.clone()).noun();
            hints.push(match (format.example(), format) {
                (Some(example), _) => format!("{noun} such as {example}"),
                (None, crate::kind::Format::Other(name)) => name.clone(),
                (None, _) => noun.to_owned(),
            });
        }
        // A minimum of 1 is already expressed by "required".
        let min = self.min.filter(|min| *min > 1);
        hints.extend(size(min, self.max, "character", "characters"));
        hints.extend(self.like().map(|like| format!("like {like}")));
        if hints.is_empty() {
            hints.push("text".to_owned());
        }
    }
}

impl Bounds {
    fn hints(&self, hints: &mut Vec<String>) {
        hints.push(
            if self.integer {
                "whole number"
            } else {
                "number"
            }
            .to_owned(),
        );
        match (&self.min, &self.max) {
            (Some(min), Some(max)) => hints.push(format!("{min} to {max}")),
            (Some(min), None) => hints.push(format!("at least {min}")),
            (None, Some(max)) => hints.push(format!("at most {max}")),
            (None, None) => {}
        }
        if let Some(above) = &self.above {
            hints.push(format!("more than {above}"));
        }
        if let Some(below) = &self.below {
            hints.push(format!("less than {below}"));
        }
        if let Some(step) = &self.step {
            hints.push(format!("a multiple of {step}"));
        }
    }
}

pub(crate) fn counted(count: usize, one: &str, many: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        count => format!("{count} {many}"),
    }
}

fn size(min: Option<u64>, max: Option<u64>, one: &str, many: &str) -> Option<String> {
    let noun = |count: u64| if count == 1 { one } else { many };
    match (min, max) {
        (Some(min), Some(max)) if min == max => Some(format!("{max} {}", noun(max))),
        (Some(min), Some(max)) => Some(format!("{min} to {max} {}", noun(max))),
        (Some(min), None) => Some(format!("at least {min} {}", noun(min))),
        (None, Some(max)) => Some(format!("at most {max} {}", noun(max))),
        (None, None) => None,
    }
}
