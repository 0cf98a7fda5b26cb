//! Times in the notation of people at a desk.

use std::borrow::Cow;

use jiff::SignedDuration;
use jiff::Timestamp;
use jiff::ToSpan;
use jiff::civil::{Date, DateTime, Time};
use jiff::tz::{AmbiguousOffset, TimeZone};

use crate::look::locale::Locale;
use crate::look::text::clean;

/// A shorter event is shown with its first day only.
const EVENING: SignedDuration = SignedDuration::from_hours(18);
/// The maximum number of years from now to a year of two digits.
const MOST_AHEAD: i16 = 20;

/// "10:42".
pub(crate) fn clock(at: Timestamp, locale: &Locale) -> String {
    at.to_zoned(locale.zone.clone())
        .strftime("%H:%M")
        .to_string()
}

/// "10:42:07".
pub(crate) fn clock_seconds(at: Timestamp, locale: &Locale) -> String {
    at.to_zoned(locale.zone.clone())
        .strftime("%H:%M:%S")
        .to_string()
}

/// "12 Mar 2025".
pub(crate) fn date(at: Timestamp, locale: &Locale) -> String {
    let day = at.to_zoned(locale.zone.clone()).date();
    locale.language.day(day, true)
}

/// "10:42" today, "12 Mar 10:42" this year, "12 Mar 2025 10:42" otherwise.
pub(crate) fn moment(at: Timestamp, now: Timestamp, locale: &Locale) -> String {
    let at = at.to_zoned(locale.zone.clone());
    let now = now.to_zoned(locale.zone.clone());
    let clock = at.strftime("%H:%M");
    match at.date() == now.date() {
        true => clock.to_string(),
        false => {
            let day = locale.language.day(at.date(), at.year() != now.year());
            format!("{day} {clock}")
        }
    }
}

/// As [`moment`], in the zone with this IANA name, which is added: "12 Mar 10:42 (Sao Paulo)".
pub(crate) fn moment_in(at: Timestamp, now: Timestamp, zone: &str, locale: &Locale) -> String {
    let (zone, place) = match TimeZone::get(zone) {
        Ok(known) => (known, place(zone)),
        Err(_) => (TimeZone::UTC, "UTC".to_owned()),
    };
    format!("{} ({place})", moment(at, now, &Locale { zone, ..*locale }))
}

/// The abbreviation of a time zone: "CET", or "-03" if it has none.
pub(crate) fn zone_of(at: Timestamp, locale: &Locale) -> String {
    at.to_zoned(locale.zone.clone()).strftime("%Z").to_string()
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
pub(crate) fn day_alone(day: Date, now: Timestamp, locale: &Locale) -> String {
    let is_this_year = day.year() == now.to_zoned(locale.zone.clone()).year();
    locale.language.day(day, !is_this_year)
}

/// "today 10:00", "tomorrow 10:00", "yesterday 10:00", "Fri 12 Mar 10:00", with the year if it
/// differs.
pub(crate) fn day(at: Timestamp, now: Timestamp, locale: &Locale) -> String {
    let at = at.to_zoned(locale.zone.clone());
    let now = now.to_zoned(locale.zone.clone());
    let days = now
        .date()
        .until(at.date())
        .map_or(i32::MAX, |span| span.get_days());
    let day = match days {
        0 => "today".to_owned(),
        1 => "tomorrow".to_owned(),
        -1 => "yesterday".to_owned(),
        _ => weekday(at.date(), at.year() != now.year(), locale),
    };
    format!("{day} {}", at.strftime("%H:%M"))
}

/// "Fri 12 Mar", or "Fri 12 Mar 2025".
pub(crate) fn weekday(day: Date, has_year: bool, locale: &Locale) -> String {
    let language = locale.language;
    format!("{} {}", language.weekday(day), language.day(day, has_year))
}

/// Start and end: "today 10:00–18:00", or both days if it is longer than an evening.
pub(crate) fn span(
    start: Option<Timestamp>,
    end: Option<Timestamp>,
    now: Timestamp,
    locale: &Locale,
) -> String {
    match (start, end) {
        (None, None) => "no date".to_owned(),
        (Some(start), None) => day(start, now, locale),
        (None, Some(end)) => format!("until {}", day(end, now, locale)),
        (Some(start), Some(end)) => {
            // A night that ends at two o'clock belongs to the evening.
            let is_one_day = end >= start && end.duration_since(start) < EVENING;
            let end = match is_one_day {
                true => clock(end, locale),
                false => format!(" {}", day(end, now, locale)),
            };
            format!("{}–{end}", day(start, now, locale)).replace("– ", " – ")
        }
    }
}

/// Whether the span includes the day of `now`.
pub(crate) fn is_today(
    start: Option<Timestamp>,
    end: Option<Timestamp>,
    now: Timestamp,
    locale: &Locale,
) -> bool {
    let date = |at: Timestamp| at.to_zoned(locale.zone.clone()).date();
    let today = date(now);
    match (start, end) {
        (Some(start), Some(end)) => date(start) <= today && today <= date(end),
        (Some(at), None) | (None, Some(at)) => date(at) == today,
        (None, None) => false,
    }
}

/// The notation of a form: "2026-03-12 10:00".
pub(crate) fn field(at: Timestamp, locale: &Locale) -> String {
    at.to_zoned(locale.zone.clone())
        .strftime("%Y-%m-%d %H:%M")
        .to_string()
}

/// Parses a time in this zone: `2026-03-12 18:30`, `12 Mar 18:30`, `12.3.2026 18:30`, `tomorrow
/// 18:30`, `friday 18`, `18:30` for today; a date alone means midnight. RFC 3339 is accepted with its own
/// offset.
pub(crate) fn parse(text: &str, now: Timestamp, locale: &Locale) -> Option<Timestamp> {
    if let Ok(at) = text.trim().parse::<Timestamp>() {
        return Some(at);
    }
    // A time that is skipped or repeated by a clock change is resolved as in calendars.
    let at = (locale.zone)
        .to_ambiguous_zoned(local(text, now, locale)?)
        .compatible();
    Some(at.ok()?.timestamp())
}

/// Why the clock does not show this time exactly once; `None` if it does.
pub(crate) fn doubt(text: &str, now: Timestamp, locale: &Locale) -> Option<&'static str> {
    if text.trim().parse::<Timestamp>().is_ok() {
        return None;
    }
    match (locale.zone)
        .to_ambiguous_zoned(local(text, now, locale)?)
        .offset()
    {
        AmbiguousOffset::Unambiguous { .. } => None,
        AmbiguousOffset::Gap { .. } => Some("is skipped when clocks change"),
        AmbiguousOffset::Fold { .. } => Some("occurs twice when clocks change"),
    }
}

/// The local date and time in this text.
fn local(text: &str, now: Timestamp, locale: &Locale) -> Option<DateTime> {
    let text = &*locale.language.plain(text);
    let (day, time) = match text.rsplit_once([' ', 'T']) {
        Some((day, last)) if last.contains(':') => (day, last),
        _ if text.contains(':') => ("today", text),
        // One or two digits are the hour after the name of a day or a year, otherwise the year.
        Some((day, hour))
            if matches!(hour.len(), 1 | 2)
                && hour.parse::<u8>().is_ok()
                && (has_year(day) || !day.contains(|char: char| char.is_ascii_digit())) =>
        {
            (day, hour)
        }
        _ => (text, "00:00"),
    };
    let formats = ["%H:%M", "%H:%M:%S", "%H"];
    let mut times = formats.iter().map(|format| Time::strptime(format, time));
    let time = times.find_map(Result::ok)?;
    Some(parse_day(day, now, locale)?.to_datetime(time))
}

/// Parses a time of day: the first one at or after `start`.
pub(crate) fn parse_after(text: &str, start: Timestamp, locale: &Locale) -> Option<Timestamp> {
    let at = parse(text, start, locale)?;
    match at < start {
        true => Some(
            at.to_zoned(locale.zone.clone())
                .tomorrow()
                .ok()?
                .timestamp(),
        ),
        false => Some(at),
    }
}

/// Parses a date: `2026-03-12`, `12 Mar 2026`, `12.3.26`, `12/3/2026`, `today`, `tomorrow`, `yesterday`, or the
/// next day of the week, as `friday` or `fri`; without a year, the current one. Words can be of the locale's language.
pub(crate) fn parse_day(text: &str, now: Timestamp, locale: &Locale) -> Option<Date> {
    let text = locale.language.plain(text).to_lowercase();
    // 15-Feb-27
    let has_word =
        text.contains(char::is_alphabetic) && text.contains(|char: char| char.is_ascii_digit());
    let text = if has_word {
        text.replace(['-', '/'], " ")
    } else {
        text
    };
    let today = now.to_zoned(locale.zone.clone()).date();
    match text.as_str() {
        "today" => return Some(today),
        "tomorrow" => return today.tomorrow().ok(),
        "overmorrow" => return today.checked_add(2.days()).ok(),
        "yesterday" => return today.yesterday().ok(),
        _ => {}
    }
    let mut week = today.series(1.day()).skip(1).take(7);
    let is_it = |day: &Date| text == day.strftime("%A").to_string().to_lowercase();
    if let Some(day) = week.find(is_it) {
        return Some(day);
    }
    let with_year = format!("{text} {}", today.year());
    let text = match short_year(&text) {
        Some((before, year)) if year <= today.year() + MOST_AHEAD => format!("{before}{year}"),
        Some(_) => return None,
        None => text,
    };
    let formats = [
        "%Y-%m-%d",
        "%Y/%m/%d",
        "%Y.%m.%d",
        "%Y%m%d",
        "%d %b %Y",
        "%d %B %Y",
        "%d.%m.%Y",
        "%d/%m/%Y",
        "%b %d, %Y",
        "%B %d, %Y",
    ];
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

/// The year of a date whose year has two digits, and the text before it.
fn short_year(text: &str) -> Option<(&str, i16)> {
    let marks = [' ', '.', '/'];
    let at = text.rfind(marks)? + 1;
    let (before, year) = text.split_at(at);
    let is_date = before.trim_end_matches(marks).contains(marks) && !has_year(before);
    let year = Some(year).filter(|year| is_date && year.len() == 2)?;
    Some((before, 2000 + year.parse::<u8>().map(i16::from).ok()?))
}

/// Whether one of the numbers has four digits.
fn has_year(text: &str) -> bool {
    let mut numbers = text.split(|char: char| !char.is_ascii_digit());
    numbers.any(|number| number.len() == 4)
}

/// The order of day and month in dates with slashes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    DayFirst,
    MonthFirst,
    /// No date shows it.
    Open,
    /// Some dates are in one order, some in the other.
    Both,
}

impl Order {
    /// The order in a column with these texts.
    pub(crate) fn of<'a>(texts: impl IntoIterator<Item = &'a str>) -> Order {
        let mut order = Order::Open;
        for (first, second, _) in texts.into_iter().filter_map(slashed) {
            let shown = match (first > 12, second > 12) {
                (true, false) => Order::DayFirst,
                (false, true) => Order::MonthFirst,
                _ => continue,
            };
            order = match order {
                Order::Open => shown,
                order if order == shown => order,
                _ => return Order::Both,
            };
        }
        order
    }

    /// The text with the day first and slashes.
    ///
    /// # Errors
    /// Why its order is unknown.
    pub(crate) fn day_first(self, text: &str) -> Result<Cow<'_, str>, String> {
        let Some((first, second, rest)) = slashed(text) else {
            return Ok(Cow::Borrowed(text));
        };
        match self {
            _ if first == second => Ok(Cow::Owned(format!("{first}/{second}/{rest}"))),
            Order::DayFirst => Ok(Cow::Owned(format!("{first}/{second}/{rest}"))),
            Order::MonthFirst => Ok(Cow::Owned(format!("{second}/{first}/{rest}"))),
            Order::Open => Err(format!(
                "{text} can begin with the day or the month; write the year first, as in 2026-12-31"
            )),
            Order::Both => Err(format!(
                "{text}: some dates of this column begin with the day, others with the month; write the year \
                 first, as in 2026-12-31"
            )),
        }
    }
}

/// The text of a day without the time of day after it.
pub(crate) fn without_clock(text: &str) -> &str {
    let text = text.trim();
    let is_clock =
        |(at, _): &(usize, &str)| text[at + 1..].starts_with(|char: char| char.is_ascii_digit());
    let mut marks = text.match_indices(['T', ' ']).filter(is_clock);
    let end = marks
        .find(|(at, _)| text[at + 1..].contains(':'))
        .map(|(at, _)| at);
    text[..end.unwrap_or(text.len())].trim_end_matches(',')
}

/// The first two numbers of a date with slashes or hyphens whose year is at the end, and the rest.
fn slashed(text: &str) -> Option<(u8, u8, &str)> {
    let mark = if text.contains('/') { '/' } else { '-' };
    let mut parts = text.trim().splitn(3, mark);
    let mut number = || parts.next().filter(|part| part.len() <= 2)?.parse().ok();
    let (first, second) = (number()?, number()?);
    let rest = parts.next()?;
    rest.starts_with(|char: char| char.is_ascii_digit())
        .then_some((first, second, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().expect("is a timestamp")
    }

    #[test]
    fn times_are_local_and_short() {
        let zone = Locale::from(TimeZone::fixed(jiff::tz::offset(-3)));
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
        let zone = Locale::from(TimeZone::fixed(jiff::tz::offset(2)));
        let time = at("2026-07-01T08:30:00Z");
        assert_eq!(field(time, &zone), "2026-07-01 10:30");
        assert_eq!(parse(&field(time, &zone), time, &zone), Some(time));
        assert_eq!(parse("soon", time, &zone), None);
    }

    #[test]
    fn days_and_times_are_read_as_people_write_them() {
        let zone = Locale::from(TimeZone::fixed(jiff::tz::offset(-3)));
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
            ("14 Mar 2026 18", "2026-03-14T21:00:00Z"),
            ("14 Mar 18", "2018-03-14T03:00:00Z"),
            ("14 Mar 18 18:30", "2018-03-14T21:30:00Z"),
            ("14.3.27 18:30", "2027-03-14T21:30:00Z"),
            ("March 14, 2027", "2027-03-14T03:00:00Z"),
            ("2027/03/14", "2027-03-14T03:00:00Z"),
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
            "14.3.87",
            "10/12",
            "46490",
            "1.5.202",
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
    fn a_column_has_one_order_of_day_and_month() {
        for (column, expected) in [
            (vec!["03/04/2027", "13/04/2027"], Order::DayFirst),
            (
                vec!["03/04/27 18:30", "04/13/27 18:30", ""],
                Order::MonthFirst,
            ),
            (vec!["03/04/2027", "2027/04/13", "13.4.2027"], Order::Open),
            (vec!["13/04/2027", "04/25/2027"], Order::Both),
        ] {
            assert_eq!(Order::of(column.iter().copied()), expected, "{column:?}");
        }
        let read = |order: Order, text: &str| order.day_first(text).map(Cow::into_owned);
        assert_eq!(
            read(Order::MonthFirst, "03/04/2027 18:30").as_deref(),
            Ok("4/3/2027 18:30")
        );
        assert_eq!(read(Order::Open, "04/04/2027").as_deref(), Ok("4/4/2027"));
        assert!(read(Order::Open, "03/04/2027").is_err());
        assert!(read(Order::Both, "13/04/2027").is_err());
    }

    #[test]
    fn a_time_that_the_clock_skips_or_repeats_is_named() {
        let zone = Locale::from(TimeZone::get("Europe/Lisbon").expect("a zone"));
        let now = at("2026-03-12T12:45:00Z");
        for (text, expected) in [
            ("2026-03-29 01:30", Some("is skipped when clocks change")),
            ("2026-10-25 01:30", Some("occurs twice when clocks change")),
            ("2026-10-25T01:30:00Z", None),
            ("2026-03-29 02:30", None),
        ] {
            assert_eq!(doubt(text, now, &zone), expected, "{text}");
        }
    }

    #[test]
    fn a_time_in_another_zone_names_it() {
        let now = at("2026-03-12T12:45:00Z");
        let there = moment_in(
            at("2026-03-14T12:00:00Z"),
            now,
            "America/Sao_Paulo",
            &TimeZone::UTC.into(),
        );
        assert_eq!(there, "14 Mar 09:00 (Sao Paulo)");
        let there = moment_in(
            at("2026-03-14T12:00:00Z"),
            now,
            "Mars/Base",
            &TimeZone::UTC.into(),
        );
        assert_eq!(there, "14 Mar 12:00 (UTC)");
        assert_eq!(without_seconds("09:00:00"), Some("09:00"));
        assert_eq!(without_seconds("09:00"), None);
        assert_eq!(without_seconds("notes:00"), None);
    }

    #[test]
    fn a_time_after_another_one_can_be_on_the_next_day() {
        let zone = Locale::from(TimeZone::get("America/Sao_Paulo").expect("a zone"));
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
