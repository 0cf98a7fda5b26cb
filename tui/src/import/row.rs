//! From a row to the arguments of a call.

use std::collections::HashMap;

use frontdesk_form::kind::Format;
use frontdesk_form::{Form, Kind, Path};
use frontdesk_protocol::number::{self, Unread};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::{Map, Value};

use super::aliases::key;
use super::doubt::{About, Doubt};
use super::notation::Notation;
use crate::look::locale::Locale;
use crate::look::time::{self, Order};
use crate::tabular::cell;

/// What reading cells needs to know.
#[derive(Debug)]
pub(super) struct Reader {
    pub(super) now: Timestamp,
    pub(super) locale: Locale,
    /// The ids of records by argument and name, or why there is none.
    pub(super) names: HashMap<(String, String), Result<Value, String>>,
    /// The notation of each column, by its argument.
    pub(super) notations: HashMap<String, Notation>,
}

impl Reader {
    /// A reader of cells that name no record.
    pub(super) fn new(now: Timestamp, zone: TimeZone) -> Reader {
        Reader {
            now,
            locale: zone.into(),
            names: HashMap::new(),
            notations: HashMap::new(),
        }
    }

    /// The same, without names and notations.
    pub(super) fn empty(&self) -> Reader {
        Reader::new(self.now, self.locale.zone.clone())
    }

    /// The value of a cell.
    ///
    /// # Errors
    /// As [`Reader::enter`].
    pub(super) fn value(&self, form: &Form, argument: &str, text: &str) -> Result<Value, String> {
        let mut form = form.clone();
        self.enter(&mut form, argument, text)?;
        Ok(form
            .value()
            .as_object()
            .map_or(Value::Null, |values| at(values, argument)))
    }

    /// Enters a cell, as a person would in the form. Returns what somebody has to decide about it.
    ///
    /// # Errors
    /// The argument, and what is wrong with the cell.
    pub(super) fn enter(
        &self,
        form: &mut Form,
        argument: &str,
        text: &str,
    ) -> Result<Option<Doubt>, String> {
        // The errors of the form name the argument themselves.
        let about = |message: String| format!("{argument}: {message}");
        let text = text.trim();
        if let Some(named) = self.names.get(&(argument.to_owned(), text.to_owned())) {
            let id = named.clone().map_err(about)?;
            return set(form, &Path::root().key(argument), &id);
        }
        if let Some((root, below)) = argument.split_once('.') {
            let root = Path::root().key(root);
            let _ = form.include(&root);
            let path = root.key(below);
            match form
                .field(&path)
                .map(|field| field.value().unwrap_or_default())
            {
                // A number that was exported.
                Some(value) if cell(&value) == text => return Ok(None),
                Some(_) => {}
                None => {
                    let added = form.add_key(&root, below);
                    added.map_err(|error| error.to_string())?;
                }
            }
            return set(form, &path, &text.into());
        }
        let path = Path::root().key(argument);
        let notation = self.notations.get(argument);
        let kind = form.field(&path).map(|field| field.leaf().kind().clone());
        match kind {
            Some(Kind::Boolean) => {
                let value = match text.to_lowercase().as_str() {
                    "1" | "x" => Some(true),
                    "0" | "-" => Some(false),
                    _ => None,
                };
                if let Some(value) = value {
                    return set(form, &path, &value.into());
                }
            }
            Some(Kind::Choice(choices)) => {
                let is_it = |choice: &&frontdesk_form::kind::Choice| {
                    key(&choice.label) == key(text) || choice.value == *text
                };
                if let Some(choice) = choices.iter().find(is_it) {
                    return set(form, &path, &choice.value);
                }
            }
            Some(Kind::List(_)) => {
                if let Some(parts) = parts(text) {
                    let ids = parts.into_iter().map(|part| {
                        let named = self.names.get(&(argument.to_owned(), part.clone()));
                        named.cloned().unwrap_or(Ok(part.into()))
                    });
                    let ids = ids.collect::<Result<Value, String>>();
                    return set(form, &path, &ids.map_err(about)?);
                }
            }
            Some(Kind::Number(_)) => match number::read(text, notation.and_then(|one| one.mark)) {
                Ok(value) => return set(form, &path, &value),
                Err(why @ Unread::Either(..)) => return Err(about(format!("{text} {why}"))),
                Err(Unread::Not) => {}
            },
            Some(Kind::Text(kind)) => {
                let mut doubt = None;
                let order = notation.map_or(Order::DayFirst, |one| one.order);
                let is_time = matches!(kind.format, Some(Format::DateTime | Format::Date));
                let text = match is_time {
                    true => &*order.day_first(text).map_err(about)?,
                    false => text,
                };
                let read = match kind.format {
                    Some(Format::DateTime) => {
                        let at = time::parse(text, self.now, &self.locale);
                        let why = time::doubt(text, self.now, &self.locale);
                        doubt = at.zip(why).map(|(at, why)| {
                            let at = at.to_zoned(self.locale.zone.clone()).strftime("%H:%M%:z");
                            let reason = format!("{argument}: {text} {why}; {at} is taken");
                            Doubt::new(About::Time, reason)
                        });
                        at.map(|at| at.to_string())
                    }
                    Some(Format::Date) => {
                        // Spreadsheets export the midnight of a day.
                        let midnight = [" 00:00:00", "T00:00:00", " 00:00", " 12:00 AM"];
                        let day = midnight.iter().find_map(|end| text.strip_suffix(end));
                        let day = time::parse_day(day.unwrap_or(text), self.now, &self.locale);
                        day.map(|day| day.to_string())
                    }
                    _ => None,
                };
                if let Some(read) = read {
                    // Hosts write UTC as +00:00.
                    let known = form.field(&path).and_then(|field| field.value());
                    let known = known.as_ref().and_then(Value::as_str);
                    let instant = |text: &str| text.parse::<Timestamp>().ok();
                    if instant(&read).is_some() && known.and_then(instant) == instant(&read) {
                        return Ok(None);
                    }
                    return set(form, &path, &read.into()).map(|_| doubt);
                }
                // A telephone number is written with spaces and brackets.
                if kind.pattern.is_some() && kind.format.is_none() {
                    let is_mark = |char: char| char.is_whitespace() || "()-./".contains(char);
                    let plain: String = text.chars().filter(|char| !is_mark(*char)).collect();
                    let is_number = plain
                        .trim_start_matches('+')
                        .bytes()
                        .all(|b| b.is_ascii_digit());
                    let is_changed = plain != text && !plain.is_empty() && is_number;
                    if is_changed && is_wrong(form, &path, text) {
                        return set(form, &path, &plain.into());
                    }
                }
            }
            _ => {}
        }
        form.set_text(&path, text)
            .map_err(|error| error.to_string())?;
        Ok(None)
    }
}

/// The texts of a list: in JSON, or with a separator between them. `None` if the list has other values.
pub(super) fn parts(text: &str) -> Option<Vec<String>> {
    if text.starts_with('[') {
        return serde_json::from_str(text).ok();
    }
    let separator = ['\n', ';', ','].into_iter().find(|one| text.contains(*one));
    let parts = text.split(|char| Some(char) == separator).map(str::trim);
    let parts = parts.filter(|part| !part.is_empty());
    Some(parts.map(str::to_owned).collect())
}

/// Whether the text is wrong in this field.
fn is_wrong(form: &mut Form, path: &Path, text: &str) -> bool {
    let is_entered = form.set_text(path, text).is_ok();
    !is_entered || form.errors().iter().any(|error| error.path == *path)
}

fn set(form: &mut Form, path: &Path, value: &Value) -> Result<Option<Doubt>, String> {
    form.set(path, value).map_err(|error| error.to_string())?;
    Ok(None)
}

/// The value of an argument, or of the key of one.
pub(super) fn at(values: &Map<String, Value>, argument: &str) -> Value {
    let value = match argument.split_once('.') {
        Some((root, below)) => values.get(root).and_then(|root| root.get(below)),
        None => values.get(argument),
    };
    value.cloned().unwrap_or_default()
}

/// What is wrong with the form, or its arguments.
pub(super) fn arguments(form: &Form) -> Result<Map<String, Value>, String> {
    let errors = form.errors();
    if !errors.is_empty() {
        let errors = errors.iter().map(|error| match error.path.is_root() {
            true => error.message.clone(),
            false => format!("{} {}", error.path, error.message),
        });
        return Err(errors.collect::<Vec<_>>().join("; "));
    }
    match form.value() {
        Value::Object(arguments) => Ok(arguments),
        _ => Err("is not an object".to_owned()),
    }
}
