//! The time zones that calendars name: those that a file defines (VTIMEZONE); otherwise those of the IANA, also with a
//! program's prefix, and those of Windows.

use std::cell::RefCell;
use std::collections::HashMap;

use jiff::civil::{Date, DateTime, Time};
use jiff::tz::{Offset, TimeZone};
use jiff::{SignedDuration, Timestamp};
use rrule::{Frequency, RRule, Unvalidated};
use strum::IntoEnumIterator;
use windows_timezones::WindowsTimezone;

use super::super::clock::zone_of;
use super::super::days::Days;
use super::file::Part;

/// A time zone with the name under which it is found again.
#[derive(Debug, Clone)]
pub(super) struct Zone {
    pub(super) name: String,
    pub(super) zone: TimeZone,
}

impl Zone {
    /// A zone of the IANA, in any case.
    fn named(name: &str) -> Option<Zone> {
        let zone = TimeZone::get(name).ok()?;
        let name = zone.iana_name().unwrap_or(name).to_owned();
        Some(Zone { name, zone })
    }

    /// Coordinated universal time.
    pub(super) fn utc() -> Zone {
        Zone {
            name: "UTC".to_owned(),
            zone: TimeZone::UTC,
        }
    }

    /// A zone of rules (POSIX).
    fn of_rules(rules: String) -> Option<Zone> {
        let zone = TimeZone::posix(&rules).ok()?;
        Some(Zone { name: rules, zone })
    }

    /// The zone of a fixed offset: `-0300`.
    pub(super) fn fixed(offset: &str) -> Option<Zone> {
        Zone::of_rules(standard(self::offset(offset)?))
    }
}

/// The zone of a name: that of the file's own changes of clocks; if it defines none, that of the IANA or of Windows.
///
/// # Errors
/// Why it cannot be used.
fn find(name: &str, defined: &[&Part<'_>]) -> Result<Zone, String> {
    let mut parts = defined.iter();
    let part = parts.find(|zone| {
        zone.text("TZID")
            .is_some_and(|id| id.trim_matches('"') == name)
    });
    let changes = part.and_then(|part| Some((part, changes(part)?)));
    let found = match changes {
        Some((part, changes)) => {
            let place = part.text("X-LIC-LOCATION").and_then(Zone::named);
            let known = place.into_iter().chain(known(name));
            let mut known = known.filter(|zone| changes.agree(&zone.zone));
            known
                .next()
                .or_else(|| changes.rules().and_then(Zone::of_rules))
        }
        None => known(name).next(),
    };
    let found = found.filter(|zone| zone_of(&zone.name).is_some());
    found.ok_or_else(|| format!("the time zone {name} is unknown"))
}

/// The zones of a name. `/freeassociation.sourceforge.net/Europe/Berlin` ends with one of the IANA; one of Windows is its
/// name, or what it shows: `(UTC-03:00) Brasilia`.
fn known(name: &str) -> impl Iterator<Item = Zone> {
    let ends = std::iter::once(name).chain(
        name.match_indices('/')
            .map(|(at, _)| name.split_at(at + 1).1),
    );
    let of_iana = ends.filter(|end| !end.is_empty()).filter_map(Zone::named);
    let mut all = WindowsTimezone::iter();
    let is_it = |zone: &WindowsTimezone| zone.description() == name || zone.name() == name;
    of_iana.chain(all.find(is_it).and_then(|zone| Zone::named(zone.tzdb_id())))
}

/// The zones that entries name, each found once.
pub(super) struct Zones<'a> {
    defined: Vec<&'a Part<'a>>,
    found: RefCell<HashMap<String, Result<Zone, String>>>,
}

impl<'a> Zones<'a> {
    pub(super) fn new(defined: Vec<&'a Part<'a>>) -> Zones<'a> {
        Zones {
            defined,
            found: RefCell::default(),
        }
    }

    /// The zone of this name.
    ///
    /// # Errors
    /// Why it cannot be used.
    pub(super) fn find(&self, name: &str) -> Result<Zone, String> {
        let name = name.trim().trim_matches('"');
        let mut found = self.found.borrow_mut();
        let zone = found.entry(name.to_owned());
        zone.or_insert_with(|| find(name, &self.defined)).clone()
    }
}

/// The years in which a zone of the file is compared with known ones. Before them, a known one is trusted.
const YEARS: std::ops::Range<i16> = 2025..2038;
/// The most changes of a zone.
const MOST_CHANGES: usize = 500;

/// A change of clocks.
#[derive(Debug, Clone, Copy)]
struct Change {
    at: Timestamp,
    /// What the clock shows before it.
    wall: DateTime,
    to: Offset,
    is_summer: bool,
}

/// The changes of clocks of a zone, in order.
#[derive(Debug)]
struct Changes {
    all: Vec<Change>,
    /// Until when the file says them.
    end: Timestamp,
}

/// The changes that a file defines; `None` if they cannot be read.
fn changes(zone: &Part<'_>) -> Option<Changes> {
    let mut all = Vec::new();
    let mut is_open = false;
    for part in &zone.parts {
        let is_summer = match &*part.name {
            "STANDARD" => false,
            "DAYLIGHT" => true,
            _ => continue,
        };
        let (from, to) = (
            offset(part.text("TZOFFSETFROM")?)?,
            offset(part.text("TZOFFSETTO")?)?,
        );
        let start = wall(part.text("DTSTART")?)?;
        let mut walls = vec![start];
        for property in part.all("RDATE") {
            let values = property.val.as_str().split(',');
            walls.extend(values.filter_map(|value| wall(value.split('/').next()?)));
        }
        for rule in part.all("RRULE") {
            walls.extend(
                days(rule.val.as_str(), start, &mut is_open)?
                    .into_iter()
                    .map(|day| day.to_datetime(start.time())),
            );
        }
        for wall in walls {
            let at = from.to_timestamp(wall).ok()?;
            all.push(Change {
                at,
                wall,
                to,
                is_summer,
            });
        }
    }
    all.sort_by_key(|change| change.at);
    all.dedup_by_key(|change| change.at);
    let last = all.last().filter(|_| all.len() <= MOST_CHANGES)?;
    let end = Date::constant(YEARS.end, 1, 1)
        .at(0, 0, 0, 0)
        .to_zoned(TimeZone::UTC)
        .ok()?
        .timestamp();
    // A list of changes goes on after its last one, nobody knows how.
    let is_list = !is_open && all.len() > 2 && last.wall.year() >= YEARS.start;
    let end = if is_list { last.at } else { end };
    Some(Changes { all, end })
}

/// The days of a yearly rule in the compared years.
fn days(rule: &str, start: DateTime, is_open: &mut bool) -> Option<Vec<Date>> {
    let is_of_day = |part: &&str| {
        !["BYHOUR", "BYMINUTE", "BYSECOND", "UNTIL", "COUNT"]
            .iter()
            .any(|name| part.starts_with(name))
    };
    let until = rule.split(';').find_map(|part| part.strip_prefix("UNTIL="));
    let count = rule.split(';').find_map(|part| part.strip_prefix("COUNT="));
    let kept: Vec<_> = rule.split(';').filter(is_of_day).collect();
    let parsed: RRule<Unvalidated> = kept.join(";").parse().ok()?;
    if parsed.get_freq() != Frequency::Yearly || parsed.get_interval() != 1 {
        return None;
    }
    let last = Date::constant(YEARS.end - 1, 12, 31);
    let end = match until {
        Some(until) => Date::strptime("%Y%m%d", until.get(..8)?).ok()?,
        None => last,
    };
    *is_open |= until.is_none() && count.is_none();
    let first = start.date();
    let early = first.with().year(YEARS.start - 1).build().ok()?;
    let first = if count.is_none() {
        first.max(early)
    } else {
        first
    };
    let most = count
        .and_then(|count| count.parse().ok())
        .unwrap_or(MOST_CHANGES);
    Some(
        Days::new(parsed, first, end.min(last))
            .iter()
            .take(most)
            .collect(),
    )
}

impl Changes {
    /// The offset at a moment.
    fn at(&self, at: Timestamp) -> Offset {
        let before = self.all.partition_point(|change| change.at <= at);
        let change = before
            .checked_sub(1)
            .map_or(&self.all[0], |last| &self.all[last]);
        change.to
    }

    /// Whether a zone has the same offsets in the compared years.
    fn agree(&self, zone: &TimeZone) -> bool {
        let months =
            YEARS.flat_map(|year| (1..=12).map(move |month| Date::constant(year, month, 15)));
        let months = months.filter_map(|day| {
            Some(
                day.at(12, 0, 0, 0)
                    .to_zoned(TimeZone::UTC)
                    .ok()?
                    .timestamp(),
            )
        });
        let around = self
            .all
            .iter()
            .filter(|change| YEARS.contains(&change.wall.year()));
        let second = SignedDuration::from_secs(1);
        let around = around.flat_map(|change| [change.at, change.at - second]);
        let begun = |at: &Timestamp| {
            *at <= self.end && self.all.first().is_some_and(|first| first.at <= *at)
        };
        let mut moments = months.chain(around).filter(begun);
        moments.all(|at| zone.to_offset(at) == self.at(at))
    }

    /// The rules (POSIX) of these changes.
    fn rules(&self) -> Option<String> {
        let mut recent: Vec<_> = self
            .all
            .iter()
            .filter(|change| YEARS.contains(&change.wall.year()))
            .collect();
        if recent.is_empty() || recent.iter().all(|change| change.to == recent[0].to) {
            return Some(standard(self.all.last()?.to));
        }
        recent.truncate(40);
        let side = |is_summer: bool| {
            let walls = recent.iter().filter(|change| change.is_summer == is_summer);
            let walls: Vec<_> = walls.clone().map(|change| change.wall).collect();
            let to = recent
                .iter()
                .find(|change| change.is_summer == is_summer)?
                .to;
            Some((to, begins(&walls)?))
        };
        let ((normal, autumn), (summer, spring)) = (side(false)?, side(true)?);
        let rules = format!("{}{},{spring},{autumn}", standard(normal), standard(summer));
        let zone = TimeZone::posix(&rules).ok()?;
        self.agree(&zone).then_some(rules)
    }
}

/// When clocks change each year, as a rule: `M10.5.0/3:00`.
fn begins(walls: &[DateTime]) -> Option<String> {
    let first = walls.first()?;
    let is_last = |wall: &DateTime| wall.day() + 7 > wall.date().days_in_month();
    let week = |wall: &DateTime| (wall.day() - 1) / 7 + 1;
    let week = match walls.iter().all(is_last) {
        true => 5,
        false => week(first),
    };
    let day = first.weekday().to_sunday_zero_offset();
    let time = first.time().strftime("%H:%M");
    Some(format!("M{}.{week}.{day}/{time}", first.month()))
}

/// A local time without a zone.
fn wall(text: &str) -> Option<DateTime> {
    let text = text.trim().trim_end_matches('Z');
    let day = || {
        Some(
            Date::strptime("%Y%m%d", text)
                .ok()?
                .to_datetime(Time::midnight()),
        )
    };
    DateTime::strptime("%Y%m%dT%H%M%S", text).ok().or_else(day)
}

/// An offset such as `-0330`.
fn offset(text: &str) -> Option<Offset> {
    let text = text.trim();
    let sign = match text.chars().next()? {
        '+' => 1,
        '-' => -1,
        _ => return None,
    };
    let number = |from: usize| text.get(from..from + 2).unwrap_or("00").parse::<i32>().ok();
    let seconds = number(1)? * 3600 + number(3)? * 60 + number(5)?;
    Offset::from_seconds(sign * seconds).ok()
}

/// An offset from UTC in the notation of rules, which counts the other way: `<-0330>3:30`.
fn standard(offset: Offset) -> String {
    let seconds = offset.seconds();
    let (hours, minutes) = (seconds.abs() / 3600, seconds.abs() / 60 % 60);
    let (sign, other) = if seconds < 0 { ('-', '+') } else { ('+', '-') };
    format!("<{sign}{hours:02}{minutes:02}>{other}{hours:02}:{minutes:02}")
}
