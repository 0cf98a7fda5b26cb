//! Dates and times in a form: displayed and parsed in local notation, sent as the schema requires.

use frontdesk_form::kind::Format;
use frontdesk_form::{Entry, Field, Kind};
use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::ui::time;

/// The error for an invalid time.
const LIKE: &str = "write it like 2026-03-12 18:30, 12 Mar 18:30 or tomorrow 18:30";
/// The error for an invalid date.
const LIKE_DAY: &str = "write it like 2026-03-12, 12 Mar or tomorrow";

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
        match (format(leaf)?, leaf.entry()) {
            (Format::DateTime, Entry::Text(text)) => {
                let at: Timestamp = text.parse().ok()?;
                Some(time::field(at, &self.zone))
            }
            _ => None,
        }
    }

    /// The text in the notation of the schema; `None` if it already is.
    pub(super) fn read(&self, field: &Field, text: &str) -> Option<String> {
        match format(field.leaf())? {
            Format::DateTime => time::parse(text, self.now, &self.zone).map(|at| at.to_string()),
            Format::Date => time::parse_day(text, self.now, &self.zone).map(|day| day.to_string()),
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
