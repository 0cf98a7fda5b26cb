//! Times in the notation of people at a desk.

use jiff::SignedDuration;
use jiff::Timestamp;
use jiff::ToSpan;
use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;

use crate::ui::text::clean;

/// A shorter event is shown with its first day only.
const EVENING: SignedDuration = SignedDuration::from_hours(18);

/// "10:42".
pub(crate) fn clock(at: Timestamp, zone: &TimeZone) -> String {
    at.to_zoned(zone.clone()).strftime("%H:%M").to_string()
}

/// "10:42:07".
pub(crate) fn clock_seconds(at: Timestamp, zone: &TimeZone) -> String {
    at.to_zoned(zone.clone()).strftime("%H:%M:%S").to_string()
}

/// "12 Mar 2025".
pub(crate) fn date(at: Timestamp, zone: &TimeZone) -> String {
    at.to_zoned(zone.clone()).strftime("%-d %b %Y").to_string()
}

/// "10:42" today, "12 Mar 10:42" this year, "12 Mar 2025 10:42" otherwise.
pub(crate) fn moment(at: Timestamp, now: Timestamp, zone: &TimeZone) -> String {
    let at = at.to_zoned(zone.clone());
    let now = now.to_zoned(zone.clone());
    let format = if at.date() == now.date() {
        "%H:%M"
    } else if at.year() == now.year() {
        "%-d %b %H:%M"
    } else {
        "%-d %b %Y %H:%M"
    };
    at.strftime(format).to_string()
}

/// As [`moment`], in the zone with this IANA name, which is added: "12 Mar 10:42 (Sao Paulo)".
pub(crate) fn moment_in(at: Timestamp, now: Timestamp, zone: &str) -> String {
    match TimeZone::get(zone) {
        Ok(known) => format!("{} ({})", moment(at, now, &known), place(zone)),
        Err(_) => format!("{} (UTC)", moment(at, now, &TimeZone::UTC)),
    }
}

/// The abbreviation of a time zone: "CET", or "-03" if it has none.
pub(crate) fn zone_of(at: Timestamp, zone: &TimeZone) -> String {
    at.to_zoned(zone.clone()).strftime("%Z").to_string()
}

/// The name of a time zone for people: "Sao Paulo" for `America/Sao_Paulo`.
pub(crate) fn place(zone: &str) -> String {
    let place = zone.rsplit('/').next().unwrap_or(zone);
    clean(&place.replace('_', " ")).into_owned()
}

/// A time of day without its seconds if they are zero: "10:42" for "10:42:00". `None` for any other
/// text.
pub(crate) fn without_seconds(text: &str) -> Option<&str> {
    let short = text.strip_suffix(":00")?;
    let is_time = short.len() == 5 && Time::strptime("%H:%M", short).is_ok();
    is_time.then_some(short)
}

/// "12 Mar" this year, "12 Mar 2025" otherwise.
pub(crate) fn day_alone(day: Date, now: Timestamp, zone: &TimeZone) -> String {
    let is_this_year = day.year() == now.to_zoned(zone.clone()).year();
    let format = if is_this_year { "%-d %b" } else { "%-d %b %Y" };
    day.strftime(format).to_string()
}

/// "today 10:00", "tomorrow 10:00", "yesterday 10:00", "Fri 12 Mar 10:00", with the year if it
/// differs.
pub(crate) fn day(at: Timestamp, now: Timestamp, zone: &TimeZone) -> String {
    let at = at.to_zoned(zone.clone());
    let now = now.to_zoned(zone.clone());
    let days = now
        .date()
        .until(at.date())
        .map_or(i32::MAX, |span| span.get_days());
    let format = match days {
        0 => "today %H:%M",
        1 => "tomorrow %H:%M",
        -1 => "yesterday %H:%M",
        _ if at.year() == now.year() => "%a %-d %b %H:%M",
        _ => "%a %-d %b %Y %H:%M",
    };
    at.strftime(format).to_string()
}

/// Start and end: "today 10:00–18:00", or both days if it is longer than an evening.
pub(crate) fn span(
    start: Option<Timestamp>,
    end: Option<Timestamp>,
    now: Timestamp,
    zone: &TimeZone,
) -> String {
    match (start, end) {
        (None, None) => "no date".to_owned(),
        (Some(start), None) => day(start, now, zone),
        (None, Some(end)) => format!("until {}", day(end, now, zone)),
        (Some(start), Some(end)) => {
            // A night that ends at two o'clock belongs to the evening.
            let is_one_day = end >= start && end.duration_since(start) < EVENING;
            let end = match is_one_day {
                true => clock(end, zone),
                false => format!(" {}", day(end, now, zone)),
            };
            format!("{}–{end}", day(start, now, zone)).replace("– ", " – ")
        }
    }
}

/// Whether the span includes the day of `now`.
pub(crate) fn is_today(
    start: Option<Timestamp>,
    end: Option<Timestamp>,
    now: Timestamp,
    zone: &TimeZone,
) -> bool {
    let date = |at: Timestamp| at.to_zoned(zone.clone()).date();
    let today = date(now);
    match (start, end) {
        (Some(start), Some(end)) => date(start) <= today && today <= date(end),
        (Some(at), None) | (None, Some(at)) => date(at) == today,
        (None, None) => false,
    }
}

/// The notation of a form: "2026-03-12 10:00".
pub(crate) fn field(at: Timestamp, zone: &TimeZone) -> String {
    at.to_zoned(zone.clone())
        .strftime("%Y-%m-%d %H:%M")
        .to_string()
}

/// Parses a time in this zone: `2026-03-12 18:30`, `12 Mar 18:30`, `12.3.2026 18:30`, `tomorrow
/// 18:30`, `friday 18`, `18:30` for today; a date alone means midnight. RFC 3339 is accepted with its own
/// offset.
pub(crate) fn parse(text: &str, now: Timestamp, zone: &TimeZone) -> Option<Timestamp> {
    let text = text.trim();
    if let Ok(at) = text.parse::<Timestamp>() {
        return Some(at);
    }
    let (day, time) = match text.rsplit_once([' ', 'T']) {
        Some((day, last)) if last.contains(':') => (day, last),
        _ if text.contains(':') => ("today", text),
        // One or two digits after a day are the hour.
        Some((day, hour)) if matches!(hour.len(), 1 | 2) && hour.parse::<u8>().is_ok() => {
            (day, hour)
        }
        _ => (text, "00:00"),
    };
    let formats = ["%H:%M", "%H:%M:%S", "%H"];
    let mut times = formats.iter().map(|format| Time::strptime(format, time));
    let time = times.find_map(Result::ok)?;
    let at = parse_day(day, now, zone)?.to_datetime(time);
    // A time that is skipped or repeated by a clock change is resolved as in calendars.
    let at = zone.to_ambiguous_zoned(at).compatible();
    Some(at.ok()?.timestamp())
}

/// Parses a time of day: the first one at or after `start`.
pub(crate) fn parse_after(text: &str, start: Timestamp, zone: &TimeZone) -> Option<Timestamp> {
    let at = parse(text, start, zone)?;
    match at < start {
        true => Some(at.to_zoned(zone.clone()).tomorrow().ok()?.timestamp()),
        false => Some(at),
    }
}

/// Parses a date: `2026-03-12`, `12 Mar 2026`, `12.3.2026`, `today`, `tomorrow`, `yesterday`, or the
/// next day of the week, as `friday` or `fri`; without a year, the current one.
pub(crate) fn parse_day(text: &str, now: Timestamp, zone: &TimeZone) -> Option<Date> {
    let text = text.trim().to_lowercase();
    let today = now.to_zoned(zone.clone()).date();
    match text.as_str() {
        "today" => return Some(today),
        "tomorrow" => return today.tomorrow().ok(),
        "yesterday" => return today.yesterday().ok(),
        _ => {}
    }
    let mut week = today.series(1.day()).skip(1).take(7);
    let is_it = |day: &Date| {
        let name = day.strftime("%A").to_string().to_lowercase();
        text == name || text == name[..3]
    };
    if let Some(day) = week.find(is_it) {
        return Some(day);
    }
    let with_year = format!("{text} {}", today.year());
    let formats = ["%Y-%m-%d", "%d %b %Y", "%d %B %Y", "%d.%m.%Y", "%d/%m/%Y"];
    let mut full = formats.iter().map(|format| Date::strptime(format, &text));
    if let Some(Ok(day)) = full.find(Result::is_ok) {
        return Some(day).filter(|day| day.year() > 999);
    }
    let formats = ["%d %b %Y", "%d %B %Y", "%d.%m. %Y", "%d.%m %Y"];
    let mut short = formats
        .iter()
        .map(|format| Date::strptime(format, &with_year));
    short.find_map(Result::ok)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().expect("is a timestamp")
    }

    #[test]
    fn times_are_local_and_short() {
        let zone = TimeZone::fixed(jiff::tz::offset(-3));
        let now = at("2026-03-12T13:00:00Z");
        assert_eq!(clock(now, &zone), "10:00");
        assert_eq!(day(at("2026-03-12T21:00:00Z"), now, &zone), "today 18:00");
        assert_eq!(
            day(at("2026-03-14T13:00:00Z"), now, &zone),
            "Sat 14 Mar 10:00"
        );
        assert_eq!(
            day(at("2025-03-14T13:00:00Z"), now, &zone),
            "Fri 14 Mar 2025 10:00"
        );
        assert_eq!(
            span(Some(now), Some(at("2026-03-12T21:00:00Z")), now, &zone),
            "today 10:00–18:00"
        );
        assert_eq!(
            span(Some(now), Some(at("2026-03-13T21:00:00Z")), now, &zone),
            "today 10:00 – tomorrow 18:00"
        );
        assert_eq!(
            span(
                Some(at("2026-03-12T23:00:00Z")),
                Some(at("2026-03-13T05:00:00Z")),
                now,
                &zone
            ),
            "today 20:00–02:00"
        );
        assert!(is_today(
            Some(at("2026-03-11T13:00:00Z")),
            Some(now),
            now,
            &zone
        ));
    }

    #[test]
    fn a_field_is_read_back_as_it_was_shown() {
        let zone = TimeZone::fixed(jiff::tz::offset(2));
        let time = at("2026-07-01T08:30:00Z");
        assert_eq!(field(time, &zone), "2026-07-01 10:30");
        assert_eq!(parse(&field(time, &zone), time, &zone), Some(time));
        assert_eq!(parse("soon", time, &zone), None);
    }

    #[test]
    fn days_and_times_are_read_as_people_write_them() {
        let zone = TimeZone::fixed(jiff::tz::offset(-3));
        let now = at("2026-03-12T12:45:00Z");
        for (text, expected) in [
            ("2026-03-14 18:30", "2026-03-14T21:30:00Z"),
            ("2026-03-14T18:30", "2026-03-14T21:30:00Z"),
            ("14 Mar 18:30", "2026-03-14T21:30:00Z"),
            ("14 march 2026 18:30", "2026-03-14T21:30:00Z"),
            ("14.3.2026 18:30", "2026-03-14T21:30:00Z"),
            ("14.3. 18:30", "2026-03-14T21:30:00Z"),
            ("tomorrow 9:05", "2026-03-13T12:05:00Z"),
            ("18:30", "2026-03-12T21:30:00Z"),
            ("tomorrow 22", "2026-03-14T01:00:00Z"),
            ("friday", "2026-03-13T03:00:00Z"),
            ("Thu 9", "2026-03-19T12:00:00Z"),
            ("14 Mar 18", "2026-03-14T21:00:00Z"),
            ("14 Mar", "2026-03-14T03:00:00Z"),
            ("2026-03-14T21:30:00Z", "2026-03-14T21:30:00Z"),
        ] {
            assert_eq!(parse(text, now, &zone), Some(at(expected)), "{text}");
        }
        for text in [
            "",
            "14",
            "2026-03",
            "25:00",
            "31 Feb 10:00",
            "14.3.20 18:30",
            "tomorrow 24",
            "frida",
        ] {
            assert_eq!(parse(text, now, &zone), None, "{text}");
        }
        let day = |text: &str| parse_day(text, now, &zone).map(|day| day.to_string());
        assert_eq!(day("14 mar").as_deref(), Some("2026-03-14"));
        assert_eq!(day("yesterday").as_deref(), Some("2026-03-11"));
        assert_eq!(day("Sunday").as_deref(), Some("2026-03-15"));
    }

    #[test]
    fn a_time_in_another_zone_names_it() {
        let now = at("2026-03-12T12:45:00Z");
        let there = moment_in(at("2026-03-14T12:00:00Z"), now, "America/Sao_Paulo");
        assert_eq!(there, "14 Mar 09:00 (Sao Paulo)");
        let there = moment_in(at("2026-03-14T12:00:00Z"), now, "Mars/Base");
        assert_eq!(there, "14 Mar 12:00 (UTC)");
        assert_eq!(without_seconds("09:00:00"), Some("09:00"));
        assert_eq!(without_seconds("09:00"), None);
        assert_eq!(without_seconds("notes:00"), None);
    }

    #[test]
    fn a_time_after_another_one_can_be_on_the_next_day() {
        let zone = TimeZone::get("America/Sao_Paulo").expect("a zone");
        let start = at("2026-03-12T21:00:00Z");
        assert_eq!(
            parse_after("22:00", start, &zone),
            Some(at("2026-03-13T01:00:00Z"))
        );
        assert_eq!(
            parse_after("2:30", start, &zone),
            Some(at("2026-03-13T05:30:00Z"))
        );
    }
}
