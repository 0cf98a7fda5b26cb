//! The days of a series, by its rule (RFC 5545, RRULE).

use jiff::ToSpan;
use jiff::civil::{Date, date};
use jiff::tz::TimeZone;
use rrule::{Frequency, RRule, RRuleSet, Unvalidated};

/// The rule if none is given.
pub(super) const WEEKLY: &str = "FREQ=WEEKLY";

/// A rule that begins on a day.
#[derive(Debug)]
pub(super) struct Schedule {
    set: RRuleSet,
    /// Whether it is once a week, on one day.
    pub(super) is_weekly: bool,
}

impl Schedule {
    /// Reads a rule of days. A time in UNTIL is one of `zone`, where the days are.
    ///
    /// # Errors
    /// A message.
    pub(super) fn new(rule: &str, first: Date, zone: &TimeZone) -> Result<Schedule, String> {
        let wrong = |why: &dyn std::fmt::Display| {
            format!("must be a rule such as FREQ=WEEKLY;BYDAY=MO: {why}")
        };
        let mut parts = Vec::new();
        for part in rule.trim().trim_start_matches("RRULE:").split(';') {
            let (name, value) = part.split_once('=').ok_or_else(|| wrong(&part))?;
            let name = name.trim().to_ascii_uppercase();
            let value = match name.as_str() {
                "UNTIL" => until(value.trim(), zone).ok_or_else(|| wrong(&part))?,
                _ => value.trim().to_ascii_uppercase(),
            };
            parts.push(format!("{name}={value}"));
        }
        let parsed: RRule<Unvalidated> = parts.join(";").parse().map_err(|error| wrong(&error))?;
        let is_of_days = matches!(
            parsed.get_freq(),
            Frequency::Yearly | Frequency::Monthly | Frequency::Weekly | Frequency::Daily
        );
        if !is_of_days || rule.to_ascii_uppercase().contains("BYHOUR") {
            return Err("must be a rule of days: a series meets once a day".to_owned());
        }
        let is_weekly = parsed.get_freq() == Frequency::Weekly && parsed.get_by_weekday().len() < 2;
        let start = first.strftime("%Y%m%d");
        let set = format!("DTSTART:{start}T000000Z\nRRULE:{}", parts.join(";"));
        let set: RRuleSet = set.parse().map_err(|error| wrong(&error))?;
        Ok(Schedule { set, is_weekly })
    }

    /// The first days after `after`, and whether there are more.
    pub(super) fn days(&self, after: Option<Date>, most: usize) -> (Vec<Date>, bool) {
        let days = self.set.into_iter().filter_map(|day| {
            let days = i32::try_from(day.timestamp().div_euclid(24 * 60 * 60)).ok()?;
            date(1970, 1, 1).checked_add(days.days()).ok()
        });
        let mut days = days.skip_while(|day| after.is_some_and(|after| *day <= after));
        let found: Vec<_> = days.by_ref().take(most).collect();
        let has_later = found.len() == most && days.next().is_some();
        (found, has_later)
    }
}

/// The end of a rule as a moment in UTC: the last second of its day in `zone`.
fn until(text: &str, zone: &TimeZone) -> Option<String> {
    let day = match text.split_once('T') {
        None => Date::strptime("%Y%m%d", text).ok()?,
        Some((day, time)) => {
            let at = jiff::civil::DateTime::strptime(
                "%Y%m%dT%H%M%S",
                format!("{day}T{}", time.trim_end_matches('Z')),
            )
            .ok()?;
            match time.ends_with('Z') {
                true => at
                    .to_zoned(TimeZone::UTC)
                    .ok()?
                    .with_time_zone(zone.clone())
                    .date(),
                false => at.date(),
            }
        }
    };
    Some(format!("{}T235959Z", day.strftime("%Y%m%d")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn days(rule: &str, first: Date, most: usize) -> Vec<String> {
        let schedule = Schedule::new(rule, first, &TimeZone::UTC).expect(rule);
        let (days, _) = schedule.days(None, most);
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
        let schedule = Schedule::new("FREQ=DAILY;UNTIL=20270106T020000Z", date(2027, 1, 4), &zone);
        let (days, has_later) = schedule.expect("a rule").days(None, 12);
        assert_eq!((days.len(), has_later), (2, false));
    }

    #[test]
    fn the_next_days_follow_the_last() {
        let schedule =
            Schedule::new("FREQ=WEEKLY", date(2027, 1, 4), &TimeZone::UTC).expect("a rule");
        let (days, has_later) = schedule.days(Some(date(2027, 1, 12)), 1);
        assert_eq!((days, has_later), (vec![date(2027, 1, 18)], true));
    }

    #[test]
    fn what_is_no_rule_of_days_is_refused() {
        for rule in [
            "",
            "weekly",
            "FREQ=HOURLY",
            "FREQ=WEEKLY;BYDAY=XX",
            "FREQ=DAILY;BYHOUR=9,17",
            "FREQ=WEEKLY;UNTIL=soon",
        ] {
            assert!(
                Schedule::new(rule, date(2027, 1, 4), &TimeZone::UTC).is_err(),
                "{rule}"
            );
        }
    }
}
