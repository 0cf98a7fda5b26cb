//! Dates and times in a form: displayed and parsed in local notation, sent as the schema requires.

use frontdesk_form::kind::Format;
use frontdesk_form::{Entry, Field, Kind};
use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::look::time;

/// The error for an invalid time.
const LIKE: &str = "write it like 2026-03-12 18:30, 12 Mar 18:30 or friday 18:30";
/// The error for an invalid date.
const LIKE_DAY: &str = "write it like 2026-03-12, 12 Mar or friday";

/// The time and time zone of the form.
#[derive(Debug, Clone)]
pub(super) struct Clock {
    pub(super) now: Timestamp,
    pub(super) zone: TimeZone,
}

impl Clock {
    /// The local text of a time in the field; `None` if it has none.
    pub(super) fn show(&self, field: &Field) -> Option<String> {
        let leaf = field.leaf();
        let Entry::Text(text) = leaf.entry() else {
            return None;
        };
        let is_shown = match leaf.kind() {
            // A pattern can require a time of day.
            Kind::Text(kind) => kind.format == Some(Format::DateTime) || kind.pattern.is_some(),
            _ => false,
        };
        is_shown.then(|| self.words(text))?
    }

    /// A value in local notation.
    pub(super) fn words(&self, value: &str) -> Option<String> {
        match value.parse::<Timestamp>() {
            Ok(at) => Some(time::field(at, &self.zone)),
            Err(_) => time::without_seconds(value).map(str::to_owned),
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
        match format(field.leaf())? {
            Format::DateTime => {
                let at = match start.filter(|_| !text.trim().contains([' ', 'T'])) {
                    Some(start) => time::parse_after(text, start, &self.zone),
                    None => time::parse(text, self.now, &self.zone),
                };
                at.map(|at| at.to_string())
            }
            Format::Date => time::parse_day(text, self.now, &self.zone).map(|day| day.to_string()),
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
        let is_span =
            start.contains(':') && end.contains(':') && text.parse::<Timestamp>().is_err();
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
                let local = at.to_zoned(self.zone.clone());
                let place = self.zone.iana_name().map(time::place).unwrap_or_default();
                let words = local.strftime("= %a %-d %b %Y %H:%M").to_string();
                Some(format!("{words} {place}").trim_end().to_owned())
            }
            Format::Date => {
                let day = text.parse::<jiff::civil::Date>().ok()?;
                Some(day.strftime("= %a %-d %b %Y").to_string())
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
