//! Days and times in a form: shown and typed as people at a desk write them, sent as the schema says.

use frontdesk_form::kind::Format;
use frontdesk_form::{Entry, Field, Kind};
use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::ui::time;

/// What is said of a day or time that cannot be read.
const LIKE: &str = "write it like 2026-03-12 18:30, 12 Mar 18:30 or tomorrow 18:30";
/// The same of a day.
const LIKE_DAY: &str = "write it like 2026-03-12, 12 Mar or tomorrow";

/// The time and the zone in which a form is filled in.
#[derive(Debug, Clone)]
pub(super) struct Clock {
    pub(super) now: Timestamp,
    pub(super) zone: TimeZone,
}

impl Clock {
    /// The local text of a time that the field holds; `None` where it holds none.
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

    /// What the text means as the schema writes it; `None` where that is the text itself.
    pub(super) fn read(&self, field: &Field, text: &str) -> Option<String> {
        match format(field.leaf())? {
            Format::DateTime => time::parse(text, self.now, &self.zone).map(|at| at.to_string()),
            Format::Date => time::parse_day(text, self.now, &self.zone).map(|day| day.to_string()),
            _ => None,
        }
    }

    /// What is to be said instead where the field holds a text that is no day or time.
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
