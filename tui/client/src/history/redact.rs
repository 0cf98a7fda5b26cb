//! Takes out of arguments and results what is secret or about a person.
//!
//! Decided by the format that the schema names, by the name of the field, and by what the value looks
//! like. Where a tool or a field is about people, every free text is taken out; elsewhere only what
//! looks like an address, a number or a token. Ids, dates, numbers, yes and no, and the values that
//! the schema itself offers stay, so that most calls can be made again.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::names::Meaning;
use super::patterns::hidden;
use super::schema::Parts;

/// What stands in the place of a value that was taken out.
const REDACTED: &str = "[redacted]";
/// A text that was taken out is looked for elsewhere too, if it has so many letters: a tool may
/// repeat it. Shorter ones stand in other words by chance.
const SHORTEST: usize = 4;
/// More texts than this are not looked for.
const MOST: usize = 50;

/// Takes out what is secret or about a person, of one call.
#[derive(Debug)]
pub(super) struct Redactor {
    is_idle: bool,
    /// The tool is about people.
    people: bool,
    /// Texts of the arguments that were taken out.
    taken: Vec<String>,
    /// Where something was taken out, in the order of the fields.
    found: Vec<String>,
}

/// Where a value is.
#[derive(Debug, Clone)]
struct Place {
    /// What the name of its field says, and those around it.
    meaning: Meaning,
    pointer: String,
}

impl Redactor {
    /// One that takes nothing out.
    pub(super) fn idle() -> Self {
        Redactor {
            is_idle: true,
            people: false,
            taken: Vec::new(),
            found: Vec::new(),
        }
    }

    /// For a call of this tool.
    pub(super) fn new(tool: &str) -> Self {
        Redactor {
            is_idle: false,
            people: Meaning::of(tool).people,
            ..Redactor::idle()
        }
    }

    /// Takes out of the arguments what is not to be kept; where that is, as JSON pointers.
    pub(super) fn arguments(
        &mut self,
        arguments: &mut Map<String, Value>,
        schema: &Value,
    ) -> Vec<String> {
        if self.is_idle {
            return Vec::new();
        }
        self.object(arguments, &Parts::of(schema), &self.outside());
        // What was taken out in one place is not to stand in another.
        let taken = self.taken.clone();
        self.echoes_in(arguments, "", &taken);
        let mut seen = HashSet::new();
        let mut found = std::mem::take(&mut self.found);
        found.retain(|pointer| seen.insert(pointer.clone()));
        found
    }

    /// Takes out of the result what is not to be kept; whether there was something.
    pub(super) fn result(&mut self, value: &mut Value, schema: &Value) -> bool {
        if self.is_idle {
            return false;
        }
        let taken = self.taken.clone();
        self.value(value, &Parts::of(schema), &self.outside());
        self.echoes(value, "", &taken);
        !std::mem::take(&mut self.found).is_empty()
    }

    /// Takes out of a message what is not to be kept.
    pub(super) fn text(&self, text: &str) -> String {
        match self.is_idle {
            true => text.to_owned(),
            false => without(&hidden(text, false), &self.taken),
        }
    }

    fn outside(&self) -> Place {
        Place {
            meaning: Meaning {
                people: self.people,
                ..Meaning::default()
            },
            pointer: String::new(),
        }
    }

    fn value(&mut self, value: &mut Value, parts: &Parts<'_>, place: &Place) {
        let meaning = place.meaning;
        match value {
            Value::Null | Value::Bool(_) => {}
            Value::Number(_) if meaning.numbers || parts.is_secret() => self.take(value, place),
            Value::Number(_) => {}
            Value::String(text) => {
                let is_secret = parts.is_secret() || meaning.secret;
                let is_personal = parts.is_personal() || meaning.personal;
                let offered = Value::String(text.clone());
                let is_offered = !parts.is_secret() && parts.offers(&offered);
                let is_id = meaning.id && !text.contains(char::is_whitespace);
                // A time says nothing about anybody, unless it is somebody's birthday.
                let is_plain = is_uuid(text) || (is_time(text) && !meaning.personal);
                let is_free = !is_id && !meaning.harmless && !parts.is_formal();
                if !text.is_empty()
                    && !is_offered
                    && (is_secret || (!is_plain && (is_personal || (meaning.people && is_free))))
                {
                    return self.take(value, place);
                }
                let left = hidden(text, is_id);
                if !is_offered && left != *text {
                    *value = Value::String(left.into_owned());
                    self.found.push(place.pointer.clone());
                }
            }
            Value::Array(items) => {
                let parts = parts.item();
                for (at, item) in items.iter_mut().enumerate() {
                    let place = Place {
                        pointer: format!("{}/{at}", place.pointer),
                        ..place.clone()
                    };
                    self.value(item, &parts, &place);
                }
            }
            Value::Object(object) => self.object(object, parts, place),
        }
    }

    fn object(&mut self, object: &mut Map<String, Value>, parts: &Parts<'_>, place: &Place) {
        let around = place.meaning;
        let is_secret_pair = names_a_secret(object);
        let mut out = Map::new();
        for (at, (key, mut value)) in std::mem::take(object).into_iter().enumerate() {
            let own = Meaning::of(&key);
            let is_record = value.is_object() || value.is_array();
            let mut meaning = Meaning {
                // What lies in `credentials` is a secret, and in `contact` about a person.
                secret: own.secret || around.secret || (is_secret_pair && key == "value"),
                people: around.people || own.people || (own.personal && is_record),
                numbers: own.numbers || around.numbers,
                ..own
            };
            // The place of `owner` is about people; `"owner": "Zoë"` is the name of one.
            meaning.personal |= own.people && !own.id;
            let name = self.key(&key, at, parts, around.people);
            let inner = Place {
                meaning,
                pointer: format!("{}/{}", place.pointer, escaped(&name)),
            };
            if name != key {
                self.found.push(inner.pointer.clone());
            }
            self.value(&mut value, &parts.key(&key), &inner);
            out.insert(name, value);
        }
        *object = out;
    }

    /// The key without what is not to be kept: keys of free objects may be names or addresses.
    fn key(&mut self, key: &str, at: usize, parts: &Parts<'_>, is_people: bool) -> String {
        if parts.declares(key) {
            return key.to_owned();
        }
        let is_word = key
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || "_-.$/:".contains(letter));
        let is_name = is_people && !is_word;
        match is_name || hidden(key, false) != key {
            true => {
                self.remember(key);
                format!("{REDACTED} {}", at + 1)
            }
            false => key.to_owned(),
        }
    }

    fn take(&mut self, value: &mut Value, place: &Place) {
        match value {
            Value::String(text) => {
                let text = std::mem::take(text);
                self.remember(&text);
            }
            Value::Number(number) => {
                let text = number.to_string();
                self.remember(&text);
            }
            _ => {}
        }
        *value = Value::String(REDACTED.to_owned());
        self.found.push(place.pointer.clone());
    }

    fn remember(&mut self, text: &str) {
        let text = text.trim();
        let is_long = text.chars().nth(SHORTEST - 1).is_some();
        if is_long && self.taken.len() < MOST && !self.taken.iter().any(|taken| taken == text) {
            self.taken.push(text.to_owned());
        }
    }

    fn echoes(&mut self, value: &mut Value, pointer: &str, taken: &[String]) {
        match value {
            Value::String(text) => {
                let left = without(text, taken);
                if left != *text {
                    *text = left;
                    self.found.push(pointer.to_owned());
                }
            }
            Value::Array(items) => {
                for (at, item) in items.iter_mut().enumerate() {
                    self.echoes(item, &format!("{pointer}/{at}"), taken);
                }
            }
            Value::Object(object) => self.echoes_in(object, pointer, taken),
            _ => {}
        }
    }

    fn echoes_in(&mut self, object: &mut Map<String, Value>, pointer: &str, taken: &[String]) {
        let mut out = Map::new();
        for (key, mut value) in std::mem::take(object) {
            let name = without(&key, taken);
            let pointer = format!("{pointer}/{}", escaped(&name));
            if name != key {
                self.found.push(pointer.clone());
            }
            self.echoes(&mut value, &pointer, taken);
            out.insert(name, value);
        }
        *object = out;
    }
}

/// The text without these texts.
fn without(text: &str, taken: &[String]) -> String {
    let mut text = text.to_owned();
    for taken in taken {
        if text.contains(taken.as_str()) {
            text = text.replace(taken.as_str(), REDACTED);
        }
    }
    text
}

/// `{"name": "API_KEY", "value": "…"}`
fn names_a_secret(object: &Map<String, Value>) -> bool {
    let mut names = ["name", "key", "header"].into_iter();
    object.contains_key("value")
        && names.any(|key| {
            let name = object.get(key).and_then(Value::as_str);
            name.is_some_and(|name| Meaning::of(name).secret)
        })
}

fn is_uuid(text: &str) -> bool {
    text.contains('-') && uuid::Uuid::parse_str(text).is_ok()
}

/// Whether the whole text is a day or a time.
fn is_time(text: &str) -> bool {
    text.parse::<jiff::Timestamp>().is_ok()
        || (text.len() == 10 && text.parse::<jiff::civil::Date>().is_ok())
}

/// A step of a JSON pointer.
pub(super) fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}
