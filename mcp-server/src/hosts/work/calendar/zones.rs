//! The time zones that calendars name: those of the IANA, also with a program's prefix; those of Windows; and those that
//! a file defines (VTIMEZONE).

use jiff::tz::TimeZone;
use windows_timezones::WindowsTimezone;

use super::super::clock::zone_of;
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
        Zone::of_rules(standard(offset)?)
    }
}

/// The zone of a name, where the file defines these.
///
/// # Errors
/// Why it cannot be used.
pub(super) fn find(name: &str, defined: &[&Part<'_>]) -> Result<Zone, String> {
    let name = name.trim().trim_matches('"');
    // `/freeassociation.sourceforge.net/Europe/Berlin` ends with a name.
    let ends = std::iter::once(name).chain(
        name.match_indices('/')
            .map(|(at, _)| name.split_at(at + 1).1),
    );
    let mut known = ends.filter(|end| !end.is_empty()).filter_map(Zone::named);
    let of_windows = || {
        let zone: WindowsTimezone = name.parse().ok()?;
        Zone::named(zone.tzdb_id())
    };
    let in_file = || {
        let mut defined = defined.iter();
        let zone = defined.find(|zone| {
            zone.text("TZID")
                .is_some_and(|id| id.trim_matches('"') == name)
        })?;
        let place = zone.text("X-LIC-LOCATION").and_then(Zone::named);
        place.or_else(|| Zone::of_rules(rules(zone)?))
    };
    let found = known.next().or_else(of_windows).or_else(in_file);
    let found = found.filter(|zone| zone_of(&zone.name).is_some());
    found.ok_or_else(|| format!("the time zone {name} is unknown"))
}

/// An offset from UTC such as `-0330` in the notation of rules, which counts the other way: `<-03:30>3:30`.
fn standard(offset: &str) -> Option<String> {
    let sign = offset.chars().next().filter(|sign| "+-".contains(*sign))?;
    let (hours, minutes) = (offset.get(1..3)?, offset.get(3..5).unwrap_or("00"));
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(hours) || !is_number(minutes) {
        return None;
    }
    let other = if sign == '+' { '-' } else { '+' };
    Some(format!("<{sign}{hours}{minutes}>{other}{hours}:{minutes}"))
}

/// When a part of a zone begins each year, as a rule: `M10.5.0/3:00:00`.
fn begins(part: &Part<'_>) -> Option<String> {
    let (mut month, mut on) = (None, None);
    for rule in part.text("RRULE")?.split(';') {
        match rule.split_once('=')? {
            ("BYMONTH", value) => month = Some(value.parse::<u8>().ok()?),
            ("BYDAY", value) => on = Some(value),
            ("FREQ", "YEARLY") | ("INTERVAL", "1") | ("WKST", _) => {}
            _ => return None,
        }
    }
    let on = on?;
    let (nth, day) = on.split_at_checked(on.len().checked_sub(2)?)?;
    let days = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"];
    let day = days.iter().position(|one| *one == day)?;
    let week = match nth.parse::<i8>().ok()? {
        -1 => 5,
        week @ 1..=4 => week,
        _ => return None,
    };
    let time = part.text("DTSTART")?.split_once('T')?.1;
    let (hour, minute) = (time.get(..2)?, time.get(2..4)?);
    Some(format!("M{}.{week}.{day}/{hour}:{minute}", month?))
}

/// The rules of a zone that a file defines, as they are after its last change.
fn rules(zone: &Part<'_>) -> Option<String> {
    let last = |name: &str| {
        let parts = zone.parts.iter().filter(|part| part.name == name);
        parts.max_by_key(|part| part.text("DTSTART"))
    };
    let normal = last("STANDARD")?;
    let offset = standard(normal.text("TZOFFSETTO")?)?;
    let has_ended = |part: &&Part<'_>| part.text("RRULE").is_none_or(|rule| rule.contains("UNTIL"));
    match last("DAYLIGHT").filter(|part| !has_ended(part)) {
        Some(summer) => {
            let other = standard(summer.text("TZOFFSETTO")?)?;
            Some(format!(
                "{offset}{other},{},{}",
                begins(summer)?,
                begins(normal)?
            ))
        }
        None => Some(offset),
    }
}
