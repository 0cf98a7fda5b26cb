//! The days of a series, by its rule (RFC 5545, RRULE).

use jiff::ToSpan;
use jiff::civil::{Date, date};
use jiff::tz::TimeZone;
use rrule::{Frequency, NWeekday, RRule, RRuleSet, Unvalidated};

use super::days::Days;
use crate::permits::Permit;

/// The rule if none is given.
pub(super) const WEEKLY: &str = "FREQ=WEEKLY";

const NOT_OF_DAYS: &str = "must be a rule of days: a series meets once a day";
/// The years in which a rule has to have another day. It is followed no further.
const YEARS: i16 = 10;
/// The longest rule in characters.
const LONGEST: usize = 500;
/// The earliest first day of a series: a rule is followed from there.
const EARLIEST: Date = date(1900, 1, 1);

/// A rule that begins on a day.
#[derive(Debug)]
pub(super) struct Schedule {
    days: Days,
    /// Whether it is once a week, on one day.
    pub(super) is_weekly: bool,
}

impl Schedule {
    /// Reads a rule of days, which is followed for [`YEARS`] after `from`. A time in UNTIL is one of `zone`, where the
    /// days are.
    ///
    /// # Errors
    /// A message.
    pub(super) fn new(
        _: &Permit,
        rule: &str,
        first: Date,
        from: Date,
        zone: &TimeZone,
    ) -> Result<Schedule, String> {
        let wrong = |why: &dyn std::fmt::Display| {
            format!("must be a rule such as FREQ=WEEKLY;BYDAY=MO: {why}")
        };
        if rule.len() > LONGEST {
            return Err(wrong(&format!("at most {LONGEST} characters")));
        }
        if first < EARLIEST {
            return Err(format!("the first day must be {EARLIEST} or later"));
        }
        let last = from.max(first).saturating_add(YEARS.years());
        let (mut parts, mut end) = (Vec::new(), last);
        for part in rule.trim().trim_start_matches("RRULE:").split(';') {
            let (name, value) = part.split_once('=').ok_or_else(|| wrong(&part))?;
            let name = name.trim().to_ascii_uppercase();
            let value = value.trim().to_ascii_uppercase();
            match name.as_str() {
                "UNTIL" => end = end.min(until(&value, zone).ok_or_else(|| wrong(&part))?),
                "BYHOUR" | "BYMINUTE" | "BYSECOND" | "BYEASTER" => return Err(NOT_OF_DAYS.into()),
                _ => parts.push(format!("{name}={value}")),
            }
        }
        parts.push(format!("UNTIL={}T235959Z", end.strftime("%Y%m%d")));
        let rule = parts.join(";");
        let parsed: RRule<Unvalidated> = rule.parse().map_err(|error| wrong(&error))?;
        let most_days = match parsed.get_freq() {
            Frequency::Daily => 1,
            Frequency::Weekly => 7,
            Frequency::Monthly => 31,
            Frequency::Yearly => 366,
            _ => return Err(NOT_OF_DAYS.to_owned()),
        };
        let mut positions = parsed.get_by_set_pos().iter();
        if let Some(position) = positions.find(|at| at.unsigned_abs() > most_days) {
            let why = format!("BYSETPOS={position} is beyond the days of its FREQ");
            return Err(wrong(&why));
        }
        let is_numbered = |on: &NWeekday| matches!(on, NWeekday::Nth(..));
        if most_days < 31 && parsed.get_by_weekday().iter().any(is_numbered) {
            return Err(wrong(
                &"BYDAY takes numbers only with FREQ=MONTHLY or FREQ=YEARLY",
            ));
        }
        let is_weekly = parsed.get_freq() == Frequency::Weekly && parsed.get_by_weekday().len() < 2;
        let start = first.strftime("%Y%m%d");
        let set = format!("DTSTART:{start}T000000Z\nRRULE:{rule}");
        set.parse::<RRuleSet>().map_err(|error| wrong(&error))?;
        Ok(Schedule {
            days: Days::new(parsed, first, end),
            is_weekly,
        })
    }

    /// The first days after `after`, and whether there are more.
    ///
    /// # Errors
    /// A message for a rule that never meets.
    pub(super) fn days(
        &self,
        after: Option<Date>,
        most: usize,
    ) -> Result<(Vec<Date>, bool), String> {
        let mut days = self
            .days
            .iter()
            .skip_while(|day| after.is_some_and(|after| *day <= after));
        let found: Vec<_> = days.by_ref().take(most).collect();
        if after.is_none() && found.is_empty() {
            return Err(format!("must be a rule with a day within {YEARS} years"));
        }
        let has_later = found.len() == most && days.next().is_some();
        Ok((found, has_later))
    }
}

/// The last day of a rule in `zone`.
fn until(text: &str, zone: &TimeZone) -> Option<Date> {
    match text.split_once('T') {
        None => Date::strptime("%Y%m%d", text).ok(),
        Some((day, time)) => {
            let at = jiff::civil::DateTime::strptime(
                "%Y%m%dT%H%M%S",
                format!("{day}T{}", time.trim_end_matches('Z')),
            )
            .ok()?;
            match time.ends_with('Z') {
                true => {
                    let there = at.to_zoned(TimeZone::UTC).ok()?;
                    Some(there.with_time_zone(zone.clone()).date())
                }
                false => Some(at.date()),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(rule: &str, first: Date, zone: &TimeZone) -> Result<Schedule, String> {
        Schedule::new(&Permit::ALONE, rule, first, first, zone)
    }

    fn days(rule: &str, first: Date, most: usize) -> Vec<String> {
        let schedule = read(rule, first, &TimeZone::UTC).expect(rule);
        let (days, _) = schedule.days(None, most).expect(rule);
        days.iter().map(Date::to_string).collect()
    }

    #[test]
    fn a_rule_gives_days() {
        let monday = date(2027, 1, 4);
        for (rule, expected) in [
            (
                "FREQ=WEEKLY",
                vec!["2027-01-04", "2027-01-11", "2027-01-18"],
            ),
            (
                "freq=weekly;byday=mo,th",
                vec!["2027-01-04", "2027-01-07", "2027-01-11"],
            ),
            (
                "RRULE:FREQ=MONTHLY;BYDAY=1MO",
                vec!["2027-01-04", "2027-02-01", "2027-03-01"],
            ),
            (
                "FREQ=WEEKLY;INTERVAL=2",
                vec!["2027-01-04", "2027-01-18", "2027-02-01"],
            ),
            ("FREQ=DAILY;COUNT=2", vec!["2027-01-04", "2027-01-05"]),
            (
                "FREQ=WEEKLY;UNTIL=20270111",
                vec!["2027-01-04", "2027-01-11"],
            ),
            (
                "FREQ=WEEKLY;UNTIL=20270111T090000Z",
                vec!["2027-01-04", "2027-01-11"],
            ),
        ] {
            assert_eq!(days(rule, monday, 3), expected, "{rule}");
        }
    }

    #[test]
    fn an_end_is_a_day_where_the_series_is() {
        let zone = TimeZone::get("America/Sao_Paulo").expect("a zone");
        // Two o'clock in UTC is still the day before in São Paulo.
        let schedule = read("FREQ=DAILY;UNTIL=20270106T020000Z", date(2027, 1, 4), &zone);
        let (days, has_later) = schedule.expect("a rule").days(None, 12).expect("days");
        assert_eq!((days.len(), has_later), (2, false));
    }

    #[test]
    fn the_next_days_follow_the_last() {
        let schedule = read("FREQ=WEEKLY", date(2027, 1, 4), &TimeZone::UTC).expect("a rule");
        let (days, has_later) = schedule.days(Some(date(2027, 1, 12)), 1).expect("days");
        assert_eq!((days, has_later), (vec![date(2027, 1, 18)], true));
    }

    #[test]
    fn what_is_no_rule_of_days_or_never_meets_is_refused() {
        let long = format!("FREQ=YEARLY;BYYEARDAY={}", vec!["1"; 300].join(","));
        for (rule, part) in [
            ("", "must be a rule"),
            ("weekly", "must be a rule"),
            ("FREQ=HOURLY", "rule of days"),
            ("FREQ=WEEKLY;BYDAY=XX", "must be a rule"),
            ("FREQ=DAILY;BYHOUR=9,17", "rule of days"),
            ("FREQ=DAILY;BYMINUTE=0,1,2;BYSETPOS=1", "rule of days"),
            ("FREQ=DAILY;BYSECOND=1", "rule of days"),
            ("FREQ=WEEKLY;UNTIL=soon", "must be a rule"),
            (
                "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
                "a day within 10 years",
            ),
            (
                "FREQ=YEARLY;INTERVAL=65535;BYMONTH=1;BYMONTHDAY=1",
                "a day within 10 years",
            ),
            ("FREQ=DAILY;BYDAY=MO;BYSETPOS=2", "BYSETPOS=2 is beyond"),
            ("FREQ=WEEKLY;BYDAY=1MO", "takes numbers only"),
            (
                "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=-32",
                "BYSETPOS=-32 is beyond",
            ),
            (&long, "at most 500 characters"),
        ] {
            let days = read(rule, date(2027, 1, 4), &TimeZone::UTC);
            let refused = days.and_then(|rule| rule.days(None, 1)).expect_err(rule);
            assert!(refused.contains(part), "{rule}: {refused}");
        }
        let early = read("FREQ=DAILY", date(1, 1, 1), &TimeZone::UTC).expect_err("too early");
        assert!(early.contains("1900-01-01"), "{early}");
    }
}
