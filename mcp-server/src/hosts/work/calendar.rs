//! Meetings and series from a calendar file (iCalendar, RFC 5545).

use std::collections::BTreeSet;

use frontdesk_protocol::work::meeting::{ImportCalendar, ImportedCalendar, SkippedEntry};
use frontdesk_protocol::{Tool, ToolError};
use icalendar::parser::{Component, Property, unfold};
use jiff::civil::{Date, DateTime, Time};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Span, Timestamp};

use super::schedule::Schedule;
use super::scheduling::{New, OCCURRENCES, create, day_of_week, zone};
use crate::call::{Admission, Answer, Call, Charge, Handler, Outcome};
use crate::permits::Permit;

/// The most entries of a file.
const MOST_ENTRIES: usize = 1_000;
/// The most days of new series: more would hold the embedded database for seconds.
const MOST_DAYS: usize = 6_000;
/// The longest title in characters.
const LONGEST_TITLE: usize = 200;
/// The deepest nesting of components: an alarm within an entry within a calendar is three levels deep.
const DEEPEST: usize = 8;

/// An entry of a calendar, in the organisation's time zone.
pub(in crate::hosts) struct Entry {
    title: String,
    uid: Option<String>,
    starts_at: Timestamp,
    /// `None` for whole days.
    times: Option<(Time, Time)>,
    /// Of a series.
    rule: Option<String>,
    /// Of a series on one day of the week.
    day_of_week: Option<String>,
    /// The first days of a series.
    days: Vec<Date>,
}

/// A day or a moment of a property.
enum At {
    Day(Date),
    Moment(Timestamp),
}

fn text<'a>(entry: &'a Component<'_>, name: &str) -> Option<&'a str> {
    entry
        .find_prop(name)
        .map(|found| found.val.as_str())
        .filter(|text| !text.trim().is_empty())
}

/// The texts of a value: commas and line breaks are escaped in it.
fn unescaped(text: &str) -> String {
    let text = text
        .replace("\\n", " ")
        .replace("\\N", " ")
        .replace("\\,", ",")
        .replace("\\;", ";")
        .replace("\\\\", "\\");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The title of an entry.
fn title(entry: &Component<'_>) -> String {
    unescaped(text(entry, "SUMMARY").unwrap_or("Untitled"))
}

/// Reads a date or a time. A time without a zone is one of `own`.
fn at(property: &Property<'_>, value: &str, own: &TimeZone) -> Result<At, String> {
    let value = value.trim();
    if let Ok(day) = Date::strptime("%Y%m%d", value) {
        return Ok(At::Day(day));
    }
    let wrong = || format!("{} is not a time: {value}", property.name.as_str());
    let plain = value.trim_end_matches('Z');
    let local = DateTime::strptime("%Y%m%dT%H%M%S", plain).map_err(|_| wrong())?;
    let named = property
        .params
        .iter()
        .find(|one| one.key.as_str() == "TZID");
    let named = named
        .and_then(|one| one.val.as_ref())
        .map(|name| name.as_str().trim_matches('"'));
    let zone = match named {
        _ if plain.len() < value.len() => TimeZone::UTC,
        Some(name) => {
            TimeZone::get(name).map_err(|_| format!("the time zone {name} is unknown"))?
        }
        None => own.clone(),
    };
    let there = local.to_zoned(zone).map_err(|_| wrong())?;
    Ok(At::Moment(there.timestamp()))
}

impl Entry {
    /// Reads an entry.
    ///
    /// # Errors
    /// Why it cannot be imported.
    fn read(permit: &Permit, entry: &Component<'_>, own: &TimeZone) -> Result<Entry, String> {
        if entry.find_prop("RECURRENCE-ID").is_some() {
            return Err("it changes one occurrence of another entry".to_owned());
        }
        if text(entry, "STATUS").is_some_and(|status| status.eq_ignore_ascii_case("CANCELLED")) {
            return Err("it is cancelled".to_owned());
        }
        let starts = entry.find_prop("DTSTART").ok_or("it has no start")?;
        let midnight = |day: Date| {
            let there = day.to_datetime(Time::midnight()).to_zoned(own.clone());
            there
                .map(|there| there.timestamp())
                .map_err(|error| error.to_string())
        };
        let (starts_at, is_day) = match at(starts, starts.val.as_str(), own)? {
            At::Day(day) => (midnight(day)?, true),
            At::Moment(moment) => (moment, false),
        };
        let here = |moment: Timestamp| moment.to_zoned(own.clone());
        let ends_at = match (entry.find_prop("DTEND"), text(entry, "DURATION")) {
            (Some(ends), _) => match at(ends, ends.val.as_str(), own)? {
                At::Day(day) => midnight(day)?,
                At::Moment(moment) => moment,
            },
            (None, Some(duration)) => {
                let span: Span = duration
                    .parse()
                    .map_err(|_| format!("DURATION is not a duration: {duration}"))?;
                here(starts_at)
                    .checked_add(span)
                    .map_err(|error| error.to_string())?
                    .timestamp()
            }
            (None, None) => starts_at + SignedDuration::from_hours(1),
        };
        let mut except = BTreeSet::new();
        for exception in entry
            .properties
            .iter()
            .filter(|one| one.name.as_str() == "EXDATE")
        {
            for value in exception.val.as_str().split(',') {
                except.insert(match at(exception, value, own)? {
                    At::Day(day) => day,
                    At::Moment(moment) => here(moment).date(),
                });
            }
        }
        let first = here(starts_at).date();
        let (mut days, mut day) = (Vec::new(), None);
        if let Some(rule) = text(entry, "RRULE") {
            let schedule = Schedule::new(permit, rule, first, first, own)?;
            (days, _) = schedule.days(None, OCCURRENCES + except.len())?;
            days.retain(|day| !except.contains(day));
            days.truncate(OCCURRENCES);
            day = schedule.is_weekly.then(|| day_of_week(first));
        }
        Ok(Entry {
            title: title(entry).chars().take(LONGEST_TITLE).collect(),
            uid: text(entry, "UID").map(str::to_owned),
            starts_at,
            times: (!is_day).then(|| (here(starts_at).time(), here(ends_at).time())),
            rule: text(entry, "RRULE").map(str::to_owned),
            day_of_week: day,
            days,
        })
    }

    /// The meeting to create.
    fn meeting(&self) -> New<'_> {
        let is_recurring = self.rule.is_some();
        let times = self.times.filter(|_| is_recurring);
        New {
            title: &self.title,
            meeting_date: Some(self.starts_at),
            calendar_uid: self.uid.as_deref(),
            is_recurring,
            recurrence_rule: self.rule.as_deref(),
            recurrence_day_of_week: self.day_of_week.clone(),
            recurrence_start_time: times.map(|(start, _)| start),
            recurrence_end_time: times.map(|(_, end)| end),
            days: &self.days,
            ..New::default()
        }
    }
}

/// An entry to import, or why it is not.
pub(in crate::hosts) type Read = Result<Entry, SkippedEntry>;

/// The entries of a calendar file. Its components are followed line by line: a parser that calls itself for each one
/// would end the process where they nest deep.
fn events(calendar: &str) -> Result<Vec<Component<'_>>, String> {
    let (mut open, mut events, mut is_calendar) = (Vec::new(), Vec::new(), false);
    for (number, line) in (1..).zip(calendar.lines()) {
        let line = line.trim_end();
        if line.is_empty() {
            continue;
        }
        let wrong = |why: String| format!("line {number}: {why}");
        let named = |word: &str| {
            let (start, name) = line.split_at_checked(word.len())?;
            let name = name.trim().to_ascii_uppercase();
            start.eq_ignore_ascii_case(word).then_some(name)
        };
        if let Some(name) = named("BEGIN:") {
            is_calendar |= open.is_empty() && name == "VCALENDAR";
            if name == "VEVENT" {
                events.push(Component {
                    name: name.clone().into(),
                    properties: Vec::new(),
                    components: Vec::new(),
                });
            }
            open.push(name);
            if open.len() > DEEPEST {
                return Err(wrong(format!("nests more than {DEEPEST} levels deep")));
            }
            if events.len() > MOST_ENTRIES {
                return Err(format!("it has more than {MOST_ENTRIES} entries"));
            }
        } else if let Some(name) = named("END:") {
            if open.pop().as_ref() != Some(&name) {
                return Err(wrong(format!("no {name} is open here")));
            }
        } else if open.last().is_some_and(|open| open == "VEVENT")
            && let Some(event) = events.last_mut()
        {
            let property = Property::try_from(line);
            let property =
                property.map_err(|_| wrong("must be a name, a colon and a value".into()));
            event.properties.push(property?);
        }
    }
    match open.last() {
        Some(name) => Err(format!("its {name} does not end")),
        None if !is_calendar => Err("it has no VCALENDAR".to_owned()),
        None => Ok(events),
    }
}

/// Reads a calendar file. `own` is the organisation's time zone.
pub(in crate::hosts) fn read(
    permit: &Permit,
    calendar: &str,
    own: &TimeZone,
) -> Result<Vec<Read>, String> {
    let unfolded = unfold(calendar);
    let events = events(&unfolded)?;
    let read = events.iter().map(|event| {
        let skipped = |reason| SkippedEntry {
            title: title(event),
            reason,
        };
        Entry::read(permit, event, own).map_err(skipped)
    });
    Ok(read.collect())
}

impl Handler for ImportCalendar {
    const ADMISSION: Option<Admission> = Some(Admission::Add("work.meetings"));
    // The time that it takes counts against the rate limit.
    const CHARGE: Option<fn(&Self) -> Charge> = Some(|_| (Self::HOST, 0));

    async fn handle(self, call: &mut Call) -> Outcome<ImportedCalendar> {
        call.set_dry_run(self.dry_run);
        let own = zone(call).await?;
        let calendar = self.calendar;
        let entries = call.work(move |permit| read(permit, calendar.as_str(), &own));
        let entries = entries.await?.map_err(|why| {
            ToolError::invalid("calendar", format!("must be a calendar file (.ics): {why}"))
        })?;
        let (mut read, mut skipped) = (Vec::new(), Vec::new());
        for entry in entries {
            match entry {
                Ok(entry) => read.push(entry),
                Err(entry) => skipped.push(entry),
            }
        }
        let uids: Vec<_> = read.iter().filter_map(|entry| entry.uid.clone()).collect();
        let known = "select m.calendar_uid from work.meetings m \
             where m.organization_id = app.caller_org() and m.calendar_uid = any ($1)";
        let known = call.query(known, &[&uids]).await?;
        let mut known: BTreeSet<String> = known.iter().map(|row| row.get(0)).collect();
        let is_new = |entry: &&Entry| entry.uid.clone().is_none_or(|uid| known.insert(uid));
        let new: Vec<_> = read.iter().filter(is_new).map(Entry::meeting).collect();
        let days: usize = new.iter().map(|meeting| meeting.days.len()).sum();
        if days > MOST_DAYS {
            let why = format!(
                "must have new series with at most {MOST_DAYS} dates, not {days}: import it in parts"
            );
            return Err(ToolError::invalid("calendar", why));
        }
        Answer::of(&ImportedCalendar {
            dry_run: self.dry_run.0,
            known: u32::try_from(read.len() - new.len()).unwrap_or(u32::MAX),
            added: create(call, &new).await?,
            skipped,
        })
    }
}
