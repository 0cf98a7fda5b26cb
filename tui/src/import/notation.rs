//! How the numbers and dates of a column are written.

use frontdesk_protocol::number::{self, Mark, Unread};
use jiff::tz::TimeZone;
use serde_json::Value;

use super::columns::allows;
use crate::look::time::Order;

/// How the cells of a column are written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Notation {
    /// The decimal mark.
    pub(super) mark: Option<Mark>,
    /// The order of day and month.
    pub(super) order: Order,
}

/// How a column is read whose cells do not show it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Choices {
    /// Whether dates such as 03/04/2027 begin with the day.
    pub day_first: Option<bool>,
    /// The decimal mark of numbers such as 1.250.
    pub mark: Option<Mark>,
    /// Whether amounts of a statement have the other sign: those without a minus are paid.
    pub negate: Option<bool>,
}

/// The columns whose cells do not show how they are read: the first one, with an example.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Open {
    /// The day or the month can be first.
    pub dates: Option<(String, String)>,
    /// The mark can be a decimal mark, or separate thousands.
    pub numbers: Option<(String, String)>,
    /// Which amounts of a statement were paid.
    pub sign: Option<String>,
}

impl Notation {
    /// The notation of a column with these cells.
    pub(super) fn of<'a>(cells: impl Iterator<Item = &'a str> + Clone) -> Notation {
        Notation {
            mark: number::mark(cells.clone()),
            order: Order::of(cells),
        }
    }

    /// The chosen notation, or that of the whole file, where the cells do not show it.
    pub(super) fn or(self, choices: Choices, mark: Option<Mark>) -> Notation {
        let order = match (self.order, choices.day_first) {
            (Order::Open, Some(true)) => Order::DayFirst,
            (Order::Open, Some(false)) => Order::MonthFirst,
            (order, _) => order,
        };
        Notation {
            mark: self.mark.or(mark).or(choices.mark),
            order,
        }
    }
}

impl Open {
    /// Adds a column for an argument of this schema if its cells are open.
    pub(super) fn add<'a>(
        &mut self,
        name: &str,
        notation: Notation,
        schema: &Value,
        mut cells: impl Iterator<Item = &'a str>,
    ) {
        let is_date = matches!(schema["format"].as_str(), Some("date" | "date-time"));
        let is_number = allows(schema, "number") || allows(schema, "integer");
        let place = match (is_date, is_number) {
            (true, _) if notation.order == Order::Open => &mut self.dates,
            (_, true) if notation.mark.is_none() => &mut self.numbers,
            _ => return,
        };
        let is_open = |cell: &&str| match is_date {
            true => notation.order.day_first(cell).is_err(),
            false => matches!(number::read(cell, None), Err(Unread::Either(..))),
        };
        if place.is_none() {
            *place = cells
                .find(is_open)
                .map(|cell| (name.to_owned(), cell.trim().to_owned()));
        }
    }
}

/// The value of `TZ`, if it is no time zone: times are read as UTC then.
#[must_use]
pub fn unknown_zone() -> Option<String> {
    let name = std::env::var("TZ").ok().filter(|name| !name.is_empty())?;
    let plain = name.strip_prefix(':').unwrap_or(&name);
    let is_known = TimeZone::get(plain).is_ok()
        || TimeZone::posix(plain).is_ok()
        || std::path::Path::new(plain).is_absolute();
    (!is_known).then_some(name)
}

/// What an unknown `TZ` means, as a sentence without its end.
#[must_use]
pub fn zone_warning() -> Option<String> {
    let zone = unknown_zone()?;
    Some(format!(
        "TZ has no time zone “{zone}”: times without an offset are read as UTC"
    ))
}
