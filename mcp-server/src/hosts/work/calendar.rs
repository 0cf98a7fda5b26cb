//! Meetings and series from a calendar file (iCalendar, RFC 5545).

mod file;
mod zones;

use std::collections::{BTreeMap, BTreeSet};

use frontdesk_protocol::value::TimeOfDay;
use frontdesk_protocol::work::meeting::{
    ImportCalendar, ImportedCalendar, ImportedSeries, SkippedEntry,
};
use frontdesk_protocol::{Tool, ToolError};
use icalendar::parser::Property;
use jiff::civil::{Date, DateTime, Time};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Span, Timestamp, Zoned};

use self::file::{Part, parameter};
use self::zones::{Zone, Zones};
use super::clock::Clock;
use super::schedule::Schedule;
use super::scheduling::{New, OCCURRENCES, create, day_of_week, zone};
use crate::call::{Admission, Answer, Call, Charge, Handler, Outcome};
use crate::permits::Permit;

/// The most days of new series: more would hold the embedded database for seconds.
const MOST_DAYS: usize = 6_000;
/// The longest title in characters.
const LONGEST_TITLE: usize = 200;
/// The years of an entry: others are mistakes.
const YEARS: std::ops::RangeInclusive<i16> = 1900..=2200;
/// The rule of a series that has only the days that its entry lists.
const ONCE: &str = "FREQ=DAILY;COUNT=1";

/// An entry of a calendar, in the organisation's time zone.
pub(in crate::hosts) struct Entry {
    line: u32,
    title: String,
    uid: Option<String>,
    /// The entry of which it is a changed occurrence.
    of: Option<String>,
    starts_at: Timestamp,
    /// `None` for whole days.
    times: Option<(Time, Time)>,
    series: Option<Series>,
}

/// What makes an entry a series.
struct Series {
    rule: String,
    /// The zone of its rule if it is another one.
    zone: Option<String>,
    clock: Clock,
    /// If it is on one day of the week.
    day_of_week: Option<String>,
    /// Days beside those of the rule, and days of the rule on which it does not meet, in its zone.
    more: Vec<Date>,
    except: Vec<Date>,
    /// The first moments.
    starts: Vec<Zoned>,
    days: Vec<Date>,
}

/// A day or a moment of a property.
enum At {
    Day(Date),
    Moment(Zoned, Zone),
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
fn title(entry: &Part<'_>) -> Option<String> {
    let title = unescaped(entry.text("SUMMARY")?);
    Some(title.chars().take(LONGEST_TITLE).collect())
}

/// Reads calendar entries.
struct Reader<'a> {
    permit: &'a Permit,
    /// The organisation's zone.
    own: TimeZone,
    /// The zones that the file defines.
    zones: Zones<'a>,
    /// The organisation's day.
    today: Date,
    /// The changes of occurrences by the UID of their entry.
    changes: BTreeMap<&'a str, Vec<&'a Part<'a>>>,
}

impl Reader<'_> {
    /// Reads a date or a time. A time without a zone is one of the organisation's.
    fn at(&self, property: &Property<'_>, value: &str) -> Result<At, String> {
        let value = &*value.trim().to_ascii_uppercase();
        let wrong = || format!("{} is not a time: {value}", property.name.as_str());
        let in_years = |day: Date| match YEARS.contains(&day.year()) {
            true => Ok(day),
            false => {
                let (first, last) = (YEARS.start(), YEARS.end());
                let name = property.name.as_str();
                Err(format!(
                    "{name} must be in the years {first} to {last}: {value}"
                ))
            }
        };
        if let Ok(day) = Date::strptime("%Y%m%d", value) {
            return in_years(day).map(At::Day);
        }
        let plain = value.trim_end_matches('Z');
        let is_utc = plain.len() < value.len();
        // Some programs write an offset.
        let offset = plain.get(8..).and_then(|time| time.find(['+', '-']));
        let (plain, offset) = plain.split_at(offset.map_or(plain.len(), |at| at + 8));
        let local = DateTime::strptime("%Y%m%dT%H%M%S", plain)
            .or_else(|_| DateTime::strptime("%Y%m%dT%H%M", plain));
        let local = local.map_err(|_| wrong())?;
        in_years(local.date())?;
        let zone = match parameter(property, "TZID") {
            _ if is_utc => Zone::utc(),
            _ if !offset.is_empty() => Zone::fixed(offset).ok_or_else(wrong)?,
            Some(name) => self.zones.find(name)?,
            None => Zone {
                name: String::new(),
                zone: self.own.clone(),
            },
        };
        let there = local.to_zoned(zone.zone.clone()).map_err(|_| wrong())?;
        Ok(At::Moment(there, zone))
    }

    /// The days and moments of a list of times, such as EXDATE. Of a period, it is the start.
    fn list(&self, entry: &Part<'_>, name: &str) -> Result<Vec<At>, String> {
        let mut found = Vec::new();
        for property in entry.all(name) {
            for value in property.val.as_str().split(',') {
                let start = value.split('/').next().unwrap_or_default();
                found.push(self.at(property, start)?);
            }
        }
        Ok(found)
    }

    fn here(&self, at: &Zoned) -> Zoned {
        at.with_time_zone(self.own.clone())
    }

    /// Reads an entry, with the meetings that come of its occurrences that are at another time.
    ///
    /// # Errors
    /// Why it cannot be imported.
    fn read(&self, entry: &Part<'_>) -> Result<Vec<Entry>, String> {
        if let Some(wrong) = &entry.wrong {
            return Err(wrong.clone());
        }
        if entry.name != "VEVENT" {
            return Err(format!("it is no meeting, but a {}", entry.name));
        }
        if entry
            .text("STATUS")
            .is_some_and(|status| status.eq_ignore_ascii_case("CANCELLED"))
        {
            return Err("it is cancelled".to_owned());
        }
        if let Some(name) = ["EXRULE", "RRULE"]
            .into_iter()
            .find(|name| entry.all(name).count() > usize::from(*name == "RRULE"))
        {
            return Err(format!(
                "a series has one RRULE and no other rule, but it has {name}"
            ));
        }
        let starts = entry.first("DTSTART").ok_or("it has no start")?;
        let (start, zone, is_day) = match self.at(starts, starts.val.as_str())? {
            At::Day(day) => {
                let midnight = day.to_zoned(self.own.clone());
                let own = String::new();
                (midnight.map_err(|error| error.to_string())?, own, true)
            }
            At::Moment(moment, zone) => (moment, zone.name, false),
        };
        let end = match (entry.first("DTEND"), entry.text("DURATION")) {
            (Some(ends), _) => match self.at(ends, ends.val.as_str())? {
                At::Day(day) => day
                    .to_zoned(self.own.clone())
                    .map_err(|error| error.to_string())?,
                At::Moment(moment, _) => moment,
            },
            (None, Some(duration)) => {
                let span: Span = duration
                    .parse()
                    .map_err(|_| format!("DURATION is not a duration: {duration}"))?;
                start.checked_add(span).map_err(|error| error.to_string())?
            }
            (None, None) => start
                .checked_add(SignedDuration::from_hours(1))
                .map_err(|error| error.to_string())?,
        };
        let times = (self.here(&start).time(), self.here(&end).time());
        let whole = Entry {
            line: u32::try_from(entry.line).unwrap_or(u32::MAX),
            title: title(entry).unwrap_or_else(|| "Untitled".to_owned()),
            uid: entry.text("UID").map(str::to_owned),
            of: None,
            starts_at: start.timestamp(),
            times: (!is_day).then_some(times),
            series: None,
        };
        let is_series = entry.text("RRULE").or(entry.text("RDATE")).is_some();
        let mut read = vec![whole];
        if is_series {
            let zone = (!zone.is_empty() && *start.time_zone() != self.own).then_some(zone);
            self.series(entry, &start, zone, &mut read)?;
        }
        Ok(read)
    }

    /// Makes the first of these a series, and adds its occurrences that are at another time.
    fn series(
        &self,
        entry: &Part<'_>,
        start: &Zoned,
        zone: Option<String>,
        read: &mut Vec<Entry>,
    ) -> Result<(), String> {
        let own = self.own.clone();
        let clock = Clock {
            zone: start.time_zone().clone(),
            time: start.time(),
            own: own.clone(),
        };
        let there = |at: &Zoned| at.with_time_zone(clock.zone.clone());
        // A time that a program writes in a series of whole days stands for its day.
        let is_day = read.first().is_some_and(|whole| whole.times.is_none());
        let day = |at: &At| match at {
            At::Day(day) => *day,
            At::Moment(moment, _) if is_day => moment.date(),
            At::Moment(moment, _) => there(moment).date(),
        };
        let mut except: Vec<_> = self.list(entry, "EXDATE")?.iter().map(day).collect();
        let (mut more, mut others) = (Vec::new(), Vec::new());
        for at in self.list(entry, "RDATE")? {
            match &at {
                At::Moment(moment, _) if !is_day && there(moment).time() != clock.time => {
                    others.push((format!("#{}", moment.timestamp()), moment.timestamp(), None));
                }
                _ => more.push(day(&at)),
            }
        }
        let uid = read.first().and_then(|whole| whole.uid.clone());
        let changes = uid.as_deref().and_then(|uid| self.changes.get(uid));
        for change in changes.into_iter().flatten() {
            let of = change
                .first("RECURRENCE-ID")
                .ok_or("it has no RECURRENCE-ID")?;
            // What is wrong with a change is said of it, and costs only it.
            let (Ok(of), Ok(changed)) = (self.at(of, of.val.as_str()), self.change(change)) else {
                continue;
            };
            match changed {
                None => except.push(day(&of)),
                Some(changed) => {
                    let midnight = match &changed {
                        At::Day(day) => Some(*day),
                        At::Moment(moment, _) if is_day && moment.time() == Time::midnight() => {
                            Some(moment.date())
                        }
                        At::Moment(..) => None,
                    };
                    let changed = match (
                        midnight.and_then(|day| super::clock::moment(day, Time::midnight(), &own)),
                        changed,
                    ) {
                        (Some(midnight), _) => midnight,
                        (None, At::Moment(moment, _)) => moment.timestamp(),
                        (None, At::Day(_)) => continue,
                    };
                    let was = clock.moment(day(&of));
                    let title = title(change);
                    let is_same =
                        title.is_none() || title.as_ref() == read.first().map(|whole| &whole.title);
                    if was != Some(changed) || !is_same {
                        except.push(day(&of));
                        let key = was.unwrap_or(changed);
                        others.push((format!("#{key}"), changed, title));
                    }
                }
            }
        }
        let first = start.date();
        let rule = entry.text("RRULE").unwrap_or(ONCE);
        let from = self.today.max(first);
        let schedule = Schedule::new(self.permit, rule, first, from, (clock.time, &clock.zone))?;
        let is_weekly = schedule.is_weekly;
        let schedule = schedule.with(&more, &except);
        // A series that goes on has its next days; one that has ended, its first ones.
        let yesterday = self.today.yesterday().ok().filter(|_| first < self.today);
        let (mut days, _) = schedule.days(yesterday, OCCURRENCES)?;
        if days.is_empty() && yesterday.is_some() {
            (days, _) = schedule.days(None, OCCURRENCES)?;
        }
        days.retain(|day| clock.here(*day).is_some());
        let starts = days.iter().filter_map(|day| clock.moment(*day));
        let starts: Vec<_> = starts.map(|at| at.to_zoned(own.clone())).collect();
        let Some(whole) = read.first_mut() else {
            return Ok(());
        };
        let mut days: Vec<_> = starts.iter().map(Zoned::date).collect();
        // A change of clocks can bring two of them on one day here.
        days.dedup();
        whole.series = Some(Series {
            rule: rule.to_owned(),
            zone,
            day_of_week: is_weekly.then(|| day_of_week(self.here(start).date())),
            more,
            except,
            starts,
            days,
            clock,
        });
        let (line, name) = (whole.line, whole.title.clone());
        read.extend(others.into_iter().map(|(key, starts_at, title)| Entry {
            line,
            title: title.unwrap_or_else(|| name.clone()),
            uid: uid.as_ref().map(|uid| format!("{uid}{key}")),
            of: uid.clone(),
            starts_at,
            times: None,
            series: None,
        }));
        Ok(())
    }

    /// The moment of a changed occurrence; `None` if it is cancelled.
    ///
    /// # Errors
    /// Why it cannot be used.
    fn change(&self, change: &Part<'_>) -> Result<Option<At>, String> {
        if let Some(wrong) = &change.wrong {
            return Err(wrong.clone());
        }
        let of = change
            .first("RECURRENCE-ID")
            .ok_or("it has no RECURRENCE-ID")?;
        if parameter(of, "RANGE").is_some() {
            return Err("it changes all later occurrences of another entry".to_owned());
        }
        self.at(of, of.val.as_str())?;
        if change
            .text("STATUS")
            .is_some_and(|status| status.eq_ignore_ascii_case("CANCELLED"))
        {
            return Ok(None);
        }
        let starts = change.first("DTSTART").ok_or("it has no start")?;
        self.at(starts, starts.val.as_str()).map(Some)
    }

    /// Of several changes of one occurrence, the one with the highest number counts.
    fn newest(&mut self) {
        for changes in std::mem::take(&mut self.changes).into_iter() {
            let (uid, changes) = changes;
            let mut kept: Vec<(Option<String>, &Part<'_>)> = Vec::new();
            let number = |part: &Part<'_>| {
                part.text("SEQUENCE")
                    .and_then(|text| text.parse::<u32>().ok())
                    .unwrap_or(0)
            };
            for change in changes {
                let of = change.first("RECURRENCE-ID");
                let of = of.and_then(|of| self.at(of, of.val.as_str()).ok());
                let of = of.map(|of| match of {
                    At::Day(day) => day.to_string(),
                    At::Moment(moment, _) => moment.timestamp().to_string(),
                });
                match kept
                    .iter_mut()
                    .find(|(other, _)| of.is_some() && *other == of)
                {
                    Some((_, other)) if number(change) >= number(other) => *other = change,
                    Some(_) => {}
                    None => kept.push((of, change)),
                }
            }
            self.changes
                .insert(uid, kept.into_iter().map(|(_, change)| change).collect());
        }
    }
}

impl Entry {
    /// The meeting to create.
    fn meeting(&self) -> New<'_> {
        let series = self.series.as_ref();
        let times = self.times.filter(|_| series.is_some());
        New {
            title: &self.title,
            meeting_date: Some(self.starts_at),
            calendar_uid: self.uid.as_deref(),
            is_recurring: series.is_some(),
            recurrence_rule: series.map(|series| &*series.rule),
            recurrence_day_of_week: series.and_then(|series| series.day_of_week.clone()),
            recurrence_start_time: times.map(|(start, _)| start),
            recurrence_end_time: times.map(|(_, end)| end),
            recurrence_zone: series.and_then(|series| series.zone.as_deref()),
            recurrence_dates: series.map_or(&[], |series| &series.more),
            recurrence_except: series.map_or(&[], |series| &series.except),
            days: series.map_or(&[], |series| &series.days),
            ..New::default()
        }
    }

    /// What is said of a new series.
    fn told(&self) -> Option<ImportedSeries> {
        let series = self.series.as_ref()?;
        let own = series.clock.own.iana_name().unwrap_or("UTC");
        let format = if self.times.is_some() {
            "%Y-%m-%d %H:%M"
        } else {
            "%Y-%m-%d"
        };
        let starts = series.starts.iter();
        Some(ImportedSeries {
            title: self.title.clone(),
            recurrence_rule: series.rule.clone(),
            recurrence_zone: series.zone.clone().unwrap_or_else(|| own.to_owned()),
            local_start: self.times.and_then(|_| {
                TimeOfDay::new(&series.clock.time.strftime("%H:%M:%S").to_string()).ok()
            }),
            starts: starts.map(|at| at.strftime(format).to_string()).collect(),
        })
    }

    fn skipped(&self, reason: &str) -> SkippedEntry {
        SkippedEntry {
            line: self.line,
            title: self.title.clone(),
            reason: reason.to_owned(),
        }
    }
}

/// Entries to import, or why one is not.
pub(in crate::hosts) type Read = Result<Entry, SkippedEntry>;

/// Reads a calendar file. `own` is the organisation's time zone, `today` its day.
///
/// # Errors
/// A message for a file that is no calendar, or is too large.
pub(in crate::hosts) fn read(
    permit: &Permit,
    calendar: &str,
    (own, today): (&TimeZone, Date),
) -> Result<Vec<Read>, String> {
    let lines = file::lines(calendar);
    let file = file::parts(&lines)?;
    let entries = file.entries();
    let mut zones = Vec::new();
    file.find(&["VTIMEZONE"], &mut zones);
    let is_change = |entry: &Part<'_>| entry.first("RECURRENCE-ID").is_some();
    let (changes, wholes): (Vec<&Part<'_>>, Vec<_>) =
        entries.into_iter().partition(|entry| is_change(entry));
    let mut reader = Reader {
        permit,
        own: own.clone(),
        zones: Zones::new(zones),
        today,
        changes: BTreeMap::new(),
    };
    for change in &changes {
        let uid = change.text("UID").unwrap_or_default();
        reader.changes.entry(uid).or_default().push(change);
    }
    let skipped = |entry: &Part<'_>, reason| SkippedEntry {
        line: u32::try_from(entry.line).unwrap_or(u32::MAX),
        title: title(entry).unwrap_or_else(|| "Untitled".to_owned()),
        reason,
    };
    reader.newest();
    let is_reply = |part: &&Part<'_>| {
        part.text("METHOD")
            .is_some_and(|method| method.eq_ignore_ascii_case("REPLY"))
    };
    let replies = file.parts.iter().filter(is_reply).flat_map(Part::entries);
    let replies: BTreeSet<_> = replies.map(|entry| entry.line).collect();
    let (mut series, mut read) = (BTreeSet::new(), Vec::new());
    for entry in wholes
        .iter()
        .chain(&changes)
        .filter(|entry| replies.contains(&entry.line))
    {
        let why = "it answers an invitation (METHOD:REPLY), and is no meeting";
        read.push(Err(skipped(entry, why.to_owned())));
    }
    for entry in wholes
        .into_iter()
        .filter(|entry| !replies.contains(&entry.line))
    {
        match reader.read(entry) {
            Ok(entries) => {
                let is_series = entries.iter().any(|entry| entry.series.is_some());
                series.extend(entry.text("UID").filter(|_| is_series));
                read.extend(entries.into_iter().map(Ok));
            }
            Err(why) => read.push(Err(skipped(entry, why))),
        }
    }
    for change in changes
        .into_iter()
        .filter(|change| !replies.contains(&change.line))
    {
        let uid = change.text("UID").unwrap_or_default();
        match reader.change(change) {
            Err(why) => read.push(Err(skipped(change, why))),
            Ok(_) if !series.contains(uid) => {
                let why = "it changes one occurrence of a series that is not in the file";
                read.push(Err(skipped(change, why.to_owned())));
            }
            Ok(_) => {}
        }
    }
    Ok(read)
}

impl Handler for ImportCalendar {
    const ADMISSION: Option<Admission> = Some(Admission::Add("work.meetings"));
    // The time that it takes counts against the rate limit.
    const CHARGE: Option<fn(&Self) -> Charge> = Some(|_| (Self::HOST, 0));

    async fn handle(self, call: &mut Call) -> Outcome<ImportedCalendar> {
        call.set_dry_run(self.dry_run);
        let own = zone(call).await?;
        let today = Timestamp::now().to_zoned(own.clone()).date();
        let calendar = self.calendar;
        call.begins("reading the calendar", 0, 2);
        let entries = call.work(move |permit| read(permit, calendar.as_str(), (&own, today)));
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
        let known: BTreeSet<String> = known.iter().map(|row| row.get(0)).collect();
        let (mut new, mut seen, mut already) = (Vec::new(), BTreeSet::new(), 0);
        for entry in &read {
            let is_known =
                |uid: &Option<String>| uid.as_ref().is_some_and(|uid| known.contains(uid));
            if is_known(&entry.uid) {
                already += 1;
            } else if is_known(&entry.of) {
                skipped.push(
                    entry.skipped("it changes one occurrence of a series that was imported before"),
                );
            } else if entry.uid.as_ref().is_some_and(|uid| !seen.insert(uid)) {
                skipped.push(entry.skipped("an entry above has the same UID"));
            } else {
                new.push(entry);
            }
        }
        skipped.sort_by_key(|entry| entry.line);
        let series = new.iter().filter_map(|entry| entry.told()).collect();
        let new: Vec<_> = new.into_iter().map(Entry::meeting).collect();
        let days: usize = new.iter().map(|meeting| meeting.days.len()).sum();
        if days > MOST_DAYS {
            let why = format!(
                "must have new series with at most {MOST_DAYS} dates, not {days}: import it in parts"
            );
            return Err(ToolError::invalid("calendar", why));
        }
        call.begins("adding the meetings", 1, 2);
        Answer::of(&ImportedCalendar {
            dry_run: self.dry_run.0,
            known: already,
            added: create(call, &new).await?,
            series,
            skipped,
        })
    }
}
