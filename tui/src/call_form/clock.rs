//! Dates and times in a form: displayed and parsed in local notation, sent as the schema requires.

use frontdesk_form::kind::Format;
use frontdesk_form::{Entry, Field, Kind};
use jiff::Timestamp;
use serde_json::Value;

use crate::look::locale::Locale;
use crate::look::time;

/// The error for an invalid time.
const LIKE: &str = "write it like 2026-03-12 18:30, 12 Mar 18:30 or friday 18:30";
/// The error for an invalid date.
const LIKE_DAY: &str = "write it like 2026-03-12, 12 Mar or friday";

/// The time of the form, and how it writes times and numbers.
#[derive(Debug, Clone)]
pub(super) struct Clock {
    pub(super) now: Timestamp,
    pub(super) locale: Locale,
}

impl Clock {
    /// The local text of a time or number in the field; `None` if it has none.
    pub(super) fn show(&self, field: &Field) -> Option<String> {
        let leaf = field.leaf();
        let Entry::Text(text) = leaf.entry() else {
            return None;
        };
        let is_shown = match leaf.kind() {
            Kind::Number(_) => return Some(self.locale.language.decimal(text)),
            // A pattern can require a time of day.
            Kind::Text(kind) => kind.format == Some(Format::DateTime) || kind.pattern.is_some(),
            _ => false,
        };
        is_shown.then(|| self.time(text))?
    }

    /// A time or number in local notation.
    pub(super) fn words(&self, value: &Value) -> Option<String> {
        match value {
            Value::Number(number) => Some(self.locale.language.decimal(&number.to_string())),
            value => self.time(value.as_str()?),
        }
    }

    fn time(&self, text: &str) -> Option<String> {
        match text.parse::<Timestamp>() {
            Ok(at) => Some(time::field(at, &self.locale)),
            Err(_) => time::without_seconds(text).map(str::to_owned),
        }
    }

    /// The text in the notation of the schema; `None` if it already is. A time without a day is of the day of `start`
    /// or, if it is earlier, of the next.
    pub(super) fn read(
        &self,
        field: &Field,
        text: &str,
        start: Option<Timestamp>,
    ) -> Option<String> {
        let language = &self.locale.language;
        match field.leaf().kind() {
            Kind::Number(_) => return language.typed_number(text),
            // A time of day, such as `19h`.
            Kind::Text(kind) if kind.is_clock => {
                return Some(language.plain(text)).filter(|plain| plain != text);
            }
            _ => {}
        }
        match format(field.leaf())? {
            Format::DateTime => {
                let at = match start.filter(|_| !text.trim().contains([' ', 'T'])) {
                    Some(start) => time::parse_after(text, start, &self.locale),
                    None => time::parse(text, self.now, &self.locale),
                };
                at.map(|at| at.to_string())
            }
            Format::Date => {
                time::parse_day(text, self.now, &self.locale).map(|day| day.to_string())
            }
            _ => None,
        }
    }

    /// The time in the field.
    pub(super) fn at(field: &Field) -> Option<Timestamp> {
        let leaf = field.leaf();
        match (format(leaf)?, leaf.entry()) {
            (Format::DateTime, Entry::Text(text)) => text.parse().ok(),
            _ => None,
        }
    }

    /// Whether the field holds a time.
    pub(super) fn is_time(field: &Field) -> bool {
        matches!(format(field.leaf()), Some(Format::DateTime))
    }

    /// The two times of a text such as "tomorrow 18:00–22:00".
    pub(super) fn span(text: &str) -> Option<(&str, &str)> {
        let (start, end) = text.rsplit_once(['–', '-'])?;
        // "18:00" or "18h".
        let has_hour = |text: &str| {
            let mut chars = text.trim_end().chars().rev();
            text.contains(':')
                || matches!((chars.next(), chars.next()), (Some('h'), Some('0'..='9')))
        };
        let is_span = has_hour(start) && has_hour(end) && text.parse::<Timestamp>().is_err();
        is_span.then(|| (start.trim(), end.trim()))
    }

    /// How to write a date or time, in place of the notation of the schema.
    pub(super) fn hint(field: &Field) -> Option<&'static str> {
        match format(field.leaf())? {
            Format::DateTime => Some(LIKE),
            Format::Date => Some(LIKE_DAY),
            _ => None,
        }
    }

    /// The date or time in the field, as it was understood: "= Thu 12 Mar 2026 18:30 Sao Paulo".
    pub(super) fn echo(&self, field: &Field) -> Option<String> {
        let leaf = field.leaf();
        let Entry::Text(text) = leaf.entry() else {
            return None;
        };
        match format(leaf)? {
            Format::DateTime => {
                let at = text.parse::<Timestamp>().ok()?;
                let local = at.to_zoned(self.locale.zone.clone());
                let place = self
                    .locale
                    .zone
                    .iana_name()
                    .map(time::place)
                    .unwrap_or_default();
                let day = time::weekday(local.date(), true, &self.locale);
                let clock = local.strftime("%H:%M");
                Some(format!("= {day} {clock} {place}").trim_end().to_owned())
            }
            Format::Date => {
                let day = text.parse::<jiff::civil::Date>().ok()?;
                Some(format!("= {}", time::weekday(day, true, &self.locale)))
            }
            _ => None,
        }
    }

    /// The error if the field holds an invalid date or time.
    pub(super) fn complaint(&self, field: &Field) -> Option<&'static str> {
        let leaf = field.leaf();
        let Entry::Text(text) = leaf.entry() else {
            return None;
        };
        match format(leaf)? {
            Format::DateTime if text.parse::<Timestamp>().is_err() => Some(LIKE),
            Format::Date if text.parse::<jiff::civil::Date>().is_err() => Some(LIKE_DAY),
            _ => None,
        }
    }
}

fn format(field: &Field) -> Option<&Format> {
    match field.kind() {
        Kind::Text(text) => text.format.as_ref(),
        _ => None,
    }
}
