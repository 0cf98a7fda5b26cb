//! New meetings, series and occurrences.

use frontdesk_protocol::value::Whole;
use frontdesk_protocol::work::meeting::{Meeting, Template};
use frontdesk_protocol::work::series::{AddMeetingOccurrences, CreateMeetingSeries, Scheduled};
use frontdesk_protocol::{ErrorCode, ToolError};
use jiff::Timestamp;
use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;
use serde::Serialize;
use serde_json::json;
use uuid::Uuid;

use super::clock::moment;
use super::rows::lock;
use super::schedule::{Schedule, WEEKLY};
use crate::call::{Admission, Answer, Call, Handler, Outcome, columns};
use crate::database::{internal, params};
use crate::permits::Permit;

/// The number of occurrences if none is given.
pub(super) const OCCURRENCES: usize = 12;

/// A meeting to create, under the names of the table's columns. With days it is a series.
#[derive(Debug, Default, Serialize)]
pub(super) struct New<'a> {
    pub(super) title: &'a str,
    pub(super) template: Option<Template>,
    pub(super) meeting_date: Option<Timestamp>,
    pub(super) transcriber_calendar_id: Option<&'a str>,
    /// Of a calendar entry.
    pub(super) calendar_uid: Option<&'a str>,
    pub(super) is_recurring: bool,
    pub(super) recurrence_rule: Option<&'a str>,
    pub(super) recurrence_day_of_week: Option<String>,
    pub(super) recurrence_start_time: Option<Time>,
    pub(super) recurrence_end_time: Option<Time>,
    pub(super) recurrence_zone: Option<&'a str>,
    pub(super) recurrence_dates: &'a [Date],
    pub(super) recurrence_except: &'a [Date],
    /// The days of its occurrences, in the organisation's zone.
    #[serde(skip)]
    pub(super) days: &'a [Date],
}

/// The organisation's time zone.
pub(super) async fn zone(call: &mut Call) -> Result<TimeZone, ToolError> {
    let sql = "select o.time_zone from app.organizations o where o.id = app.caller_org()";
    let rows = call.ahead(sql, &[]).await?;
    let name: Option<&str> = rows.first().map(|row| row.get(0));
    // A caller without an organisation creates nothing: the database refuses it.
    TimeZone::get(name.unwrap_or("UTC")).map_err(|error| {
        internal(format_args!(
            "the zone of an organisation is unknown: {error}"
        ))
    })
}

/// The English name of a weekday in lower case.
pub(super) fn day_of_week(day: Date) -> String {
    day.strftime("%A").to_string().to_lowercase()
}

/// The number of occurrences to add.
fn most(given: Option<Whole<1, 366>>) -> usize {
    let given = given.and_then(|number| usize::try_from(number.get()).ok());
    given.unwrap_or(OCCURRENCES)
}

/// The days of a rule that a call asks for.
struct Asked {
    rule: String,
    first: Date,
    after: Option<Date>,
    start: Time,
    zone: TimeZone,
    more: Vec<Date>,
    except: Vec<Date>,
    most: usize,
}

impl Asked {
    /// The days, whether there are more, and whether it is one day a week.
    fn days(&self, permit: &Permit) -> Result<(Vec<Date>, bool, bool), String> {
        let from = self.after.unwrap_or(self.first);
        let clock = (self.start, &self.zone);
        let schedule = Schedule::new(permit, &self.rule, self.first, from, clock)?;
        let schedule = schedule.with(&self.more, &self.except);
        let (days, has_later) = schedule.days(self.after, self.most)?;
        Ok((days, has_later, schedule.is_weekly))
    }
}

/// Creates meetings with their occurrences, and returns them in this order.
pub(super) async fn create(call: &mut Call, new: &[New<'_>]) -> Result<Vec<Meeting>, ToolError> {
    if new.is_empty() {
        return Ok(Vec::new());
    }
    call.has_webhooks();
    let number = i32::try_from(new.len()).unwrap_or(i32::MAX);
    let ids = "select app.new_id() from generate_series(1, $1::integer)";
    let ids = call.query(ids, &[&number]).await?;
    let ids: Vec<Uuid> = ids.iter().map(|row| row.get(0)).collect();
    let rows = ids.iter().zip(new).map(|(id, new)| {
        let mut row = json!(new);
        row["id"] = json!(id);
        row
    });
    let rows: Vec<_> = rows.collect();
    let sql = "insert into work.meetings (id, title, template, meeting_date, transcriber_calendar_id, calendar_uid, \
           is_recurring, recurrence_rule, recurrence_day_of_week, recurrence_start_time, recurrence_end_time, \
           recurrence_zone, recurrence_dates, recurrence_except) \
         select id, title, template, meeting_date, transcriber_calendar_id, calendar_uid, \
           is_recurring, recurrence_rule, recurrence_day_of_week, recurrence_start_time, recurrence_end_time, \
           recurrence_zone, recurrence_dates, recurrence_except \
         from jsonb_populate_recordset(null::work.meetings, $1)";
    call.query(sql, params![rows]).await?;
    let days = ids.iter().zip(new);
    let days = days.flat_map(|(id, new)| new.days.iter().map(|day| (*id, *day)));
    let (series, days): (Vec<_>, Vec<_>) = days.unzip();
    add_occurrences(call, &series, &days).await?;
    let sql = format!(
        "select row_to_json(r)::text from (select {} from work.meetings t where t.id = any ($1) \
           order by array_position($1, t.id)) r",
        columns::<Meeting>()
    );
    let created = call.query(&sql, &[&ids]).await?;
    let created = created.iter().map(|row| serde_json::from_str(row.get(0)));
    created
        .collect::<Result<_, _>>()
        .map_err(|error| internal(format_args!("a meeting cannot be read: {error}")))
}

/// Adds an occurrence of each series on the day at its place.
async fn add_occurrences(call: &mut Call, series: &[Uuid], days: &[Date]) -> Result<(), ToolError> {
    let sql = "insert into work.meeting_occurrences (meeting_id, occurrence_date) \
         select s, d from unnest($1::uuid[], $2::date[]) o (s, d) on conflict do nothing";
    call.query(sql, params![series, days]).await.map(drop)
}

impl Handler for CreateMeetingSeries {
    const ADMISSION: Option<Admission> = Some(Admission::Add("work.meetings"));

    async fn handle(self, call: &mut Call) -> Outcome<Scheduled> {
        call.set_dry_run(self.dry_run);
        let (start, end) = (self.recurrence_start_time, self.recurrence_end_time);
        if start == end {
            let message = "must differ from recurrence_start_time";
            return Err(ToolError::invalid("recurrence_end_time", message));
        }
        let zone = zone(call).await?;
        let first = self.first_on.get();
        let rule = self.recurrence_rule.as_ref();
        let rule = rule.map_or(WEEKLY, |rule| rule.as_str());
        let asked = Asked {
            rule: rule.to_owned(),
            first,
            after: None,
            start: start.get(),
            zone: zone.clone(),
            more: Vec::new(),
            except: Vec::new(),
            most: most(self.occurrences),
        };
        let days = call.work(move |permit| asked.days(permit)).await?;
        let (days, has_later, is_weekly) =
            days.map_err(|message| ToolError::invalid("recurrence_rule", message))?;
        if days.first() != Some(&first) {
            let day = days.first().map(Date::to_string).unwrap_or_default();
            let message = format!("must be a day of the rule, such as {day}");
            return Err(ToolError::invalid("first_on", message));
        }
        let new = New {
            title: self.title.as_str(),
            template: self.template,
            meeting_date: moment(first, start.get(), &zone),
            transcriber_calendar_id: self.transcriber_calendar_id.as_ref().map(|id| id.as_str()),
            is_recurring: true,
            recurrence_rule: Some(rule),
            recurrence_day_of_week: is_weekly.then(|| day_of_week(first)),
            recurrence_start_time: Some(start.get()),
            recurrence_end_time: Some(end.get()),
            days: &days,
            ..New::default()
        };
        let meeting = create(call, &[new])
            .await?
            .pop()
            .ok_or_else(|| internal("a statement returned no row"))?;
        scheduled(self.dry_run.0, meeting, days, has_later)
    }
}

impl Handler for AddMeetingOccurrences {
    const ADMISSION: Option<Admission> = Some(Admission::Add("work.meeting_occurrences"));

    async fn handle(self, call: &mut Call) -> Outcome<Scheduled> {
        call.set_dry_run(self.dry_run);
        let series = lock(call, "series_meeting_id", self.series_meeting_id).await?;
        let refused = |message: &str, hint: &str| {
            let error = ToolError::new(ErrorCode::Refused, message).on("series_meeting_id");
            Err(error.hint(hint))
        };
        if !series.meeting.is_recurring {
            let message = "the meeting does not recur, so it has no occurrences";
            return refused(message, "list_meeting_series lists series");
        }
        let sql = "select m.recurrence_dates, m.recurrence_except, o.* from work.meetings m, \
             lateral (select min(o.occurrence_date), max(o.occurrence_date) \
                      from work.meeting_occurrences o where o.meeting_id = m.id) o \
             where m.id = $1";
        let rows = call.query(sql, params![self.series_meeting_id]).await?;
        let row = rows
            .first()
            .ok_or_else(|| internal("a statement returned no row"))?;
        let (earliest, last): (Option<Date>, Option<Date>) = (row.get(2), row.get(3));
        let clock = series.clock();
        let there = |day: Option<Date>| day.and_then(|day| clock.there(day));
        let (earliest, last) = (there(earliest), there(last));
        let began = series.meeting.meeting_date;
        let began = began.map(|at| at.to_zoned(clock.zone.clone()).date());
        let rule = series.meeting.recurrence_rule.as_deref();
        // Without a rule, it goes on each week on the day of its last occurrence.
        let first = match rule {
            Some(_) => began.or(earliest),
            None => last.or(began),
        };
        let Some(first) = first else {
            return refused(
                "the series has no rule, no date and no occurrence",
                "create another one with create_meeting_series",
            );
        };
        let asked = Asked {
            rule: rule.unwrap_or(WEEKLY).to_owned(),
            first,
            after: last,
            start: clock.time,
            zone: clock.zone.clone(),
            more: row.get::<_, Option<_>>(0).unwrap_or_default(),
            except: row.get::<_, Option<_>>(1).unwrap_or_default(),
            most: most(self.occurrences),
        };
        let days = call.work(move |permit| asked.days(permit)).await?;
        let (days, has_later, _) =
            days.map_err(|message| ToolError::new(ErrorCode::Refused, message))?;
        let mut days: Vec<_> = days.into_iter().filter_map(|day| clock.here(day)).collect();
        // A change of clocks can bring two of them on one day here.
        days.dedup();
        let ids = vec![self.series_meeting_id.0; days.len()];
        add_occurrences(call, &ids, &days).await?;
        scheduled(self.dry_run.0, series.meeting, days, has_later)
    }
}

fn scheduled(
    dry_run: bool,
    meeting: Meeting,
    dates: Vec<Date>,
    has_later: bool,
) -> Outcome<Scheduled> {
    Answer::of(&Scheduled {
        dry_run,
        meeting,
        dates,
        has_later,
    })
}
