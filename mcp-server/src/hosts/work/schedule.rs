//! The days of a series, by its rule (RFC 5545, RRULE).

use std::collections::BTreeSet;

use jiff::ToSpan;
use jiff::civil::{Date, DateTime, Time, date};
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
    /// Days beside those of the rule.
    more: BTreeSet<Date>,
    /// Days of the rule on which it does not meet.
    except: BTreeSet<Date>,
    /// Whether it is once a week, on one day.
    pub(super) is_weekly: bool,
}

impl Schedule {
    /// Reads a rule of days, which is followed for [`YEARS`] after `from`. Its days, and a time in UNTIL, are those of
    /// `zone`; the series starts at this time of the day there.
    ///
    /// # Errors
    /// A message.
    pub(super) fn new(
        _: &Permit,
        rule: &str,
        first: Date,
        from: Date,
        (start, zone): (Time, &TimeZone),
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
                "UNTIL" => end = end.min(until(&value, start, zone).ok_or_else(|| wrong(&part))?),
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
        let from = first.strftime("%Y%m%d");
        let set = format!("DTSTART:{from}T000000Z\nRRULE:{rule}");
        set.parse::<RRuleSet>().map_err(|error| wrong(&error))?;
        Ok(Schedule {
            days: Days::new(parsed, first, end),
            more: BTreeSet::new(),
            except: BTreeSet::new(),
            is_weekly,
        })
    }

    /// With these days beside those of the rule, and without those.
    pub(super) fn with(self, more: &[Date], except: &[Date]) -> Schedule {
        Schedule {
            more: more.iter().copied().collect(),
            except: except.iter().copied().collect(),
            ..self
        }
    }

    /// All days, in order.
    fn all(&self) -> impl Iterator<Item = Date> {
        let mut rule = self.days.iter().peekable();
        let mut more = self.more.iter().copied().peekable();
        let all = std::iter::from_fn(move || match (rule.peek(), more.peek()) {
            (Some(by_rule), Some(beside)) if beside == by_rule => more.next().and(rule.next()),
            (Some(by_rule), Some(beside)) if beside < by_rule => more.next(),
            (Some(_), _) => rule.next(),
            (None, _) => more.next(),
        });
        all.filter(|day| !self.except.contains(day))
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
            .all()
            .skip_while(|day| after.is_some_and(|after| *day <= after));
        let found: Vec<_> = days.by_ref().take(most).collect();
        if after.is_none() && found.is_empty() {
            return Err(format!("must be a rule with a day within {YEARS} years"));
        }
        let has_later = found.len() == most && days.next().is_some();
        Ok((found, has_later))
    }
}

/// The last day in `zone` of a series that starts at this time of the day: its start is not after UNTIL.
fn until(text: &str, start: Time, zone: &TimeZone) -> Option<Date> {
    let Some((day, time)) = text.split_once('T') else {
        return Date::strptime("%Y%m%d", text).ok();
    };
    let clock = time.trim_end_matches('Z');
    let seconds = if clock.len() == 4 { "00" } else { "" };
    let at = DateTime::strptime("%Y%m%dT%H%M%S", format!("{day}T{clock}{seconds}")).ok()?;
    let at = match time.ends_with('Z') {
        true => {
            let there = at.to_zoned(TimeZone::UTC).ok()?;
            there.with_time_zone(zone.clone()).datetime()
        }
        false => at,
    };
    match at.time() >= start {
        true => Some(at.date()),
        false => at.date().yesterday().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(rule: &str, first: Date, zone: &TimeZone) -> Result<Schedule, String> {
        Schedule::new(&Permit::ALONE, rule, first, first, (Time::midnight(), zone))
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
    fn the_last_start_is_not_after_the_end() {
        let zone = TimeZone::get("America/Sao_Paulo").expect("a zone");
        let (nine, ten) = (Time::constant(9, 0, 0, 0), Time::constant(22, 0, 0, 0));
        for (until, start, expected) in [
            ("20270118", nine, 3),
            ("20270119T010000Z", ten, 3),
            ("20270119T005959Z", ten, 2),
            ("20270118T000000", nine, 2),
            ("20270118T090000", nine, 3),
            // Nine in UTC is six there.
            ("20270118T0900Z", nine, 2),
            ("20270118T1200Z", nine, 3),
        ] {
            let (rule, first) = (format!("FREQ=WEEKLY;UNTIL={until}"), date(2027, 1, 4));
            let schedule = Schedule::new(&Permit::ALONE, &rule, first, first, (start, &zone));
            let (days, _) = schedule.expect(until).days(None, 12).expect(until);
            assert_eq!(days.len(), expected, "{until}");
        }
    }

    #[test]
    fn days_are_beside_and_without_those_of_the_rule() {
        let days = |text: &str| -> Vec<Date> {
            let days = text.split_whitespace().map(|day| day.parse().expect(day));
            days.collect()
        };
        for (rule, more, except, after, expected) in [
            (
                "FREQ=DAILY;COUNT=1",
                "2027-01-12 2027-01-19",
                "",
                None,
                "2027-01-04 2027-01-12 2027-01-19",
            ),
            (
                "FREQ=WEEKLY;COUNT=2",
                "2027-01-11 2027-01-06",
                "",
                None,
                "2027-01-04 2027-01-06 2027-01-11",
            ),
            (
                "FREQ=WEEKLY;COUNT=3",
                "2027-02-01",
                "2027-01-11",
                None,
                "2027-01-04 2027-01-18 2027-02-01",
            ),
            (
                "FREQ=WEEKLY",
                "",
                "2027-04-12",
                Some("2027-04-05"),
                "2027-04-19 2027-04-26 2027-05-03",
            ),
        ] {
            let schedule = read(rule, date(2027, 1, 4), &TimeZone::UTC).expect(rule);
            let schedule = schedule.with(&days(more), &days(except));
            let after = after.map(|day| days(day)[0]);
            let (found, _) = schedule.days(after, 3).expect(rule);
            assert_eq!(found, days(expected), "{rule}");
        }
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
