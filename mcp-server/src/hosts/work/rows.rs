//! The rows that decide a change of a meeting, locked until the change is complete.

use frontdesk_postgres::Row;
use frontdesk_protocol::ToolError;
use frontdesk_protocol::id::{MeetingId, OccurrenceId};
use frontdesk_protocol::work::meeting::Meeting;
use frontdesk_protocol::work::plan::{Action, Planned, Rule};
use jiff::Timestamp;
use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;

use super::clock::{Clock, zone_of};
use crate::call::{Call, SqlByName, Stored, columns};
use crate::database::{internal, params};

impl Stored for Meeting {
    const TABLE: &'static str = "work.meetings";
    const ORDER: &'static str = "t.meeting_date desc nulls last, t.id";
    const FILTERS: SqlByName = &[
        ("from", "t.meeting_date >= $"),
        ("to", "t.meeting_date < $"),
        ("search", "t.title_key like (select app.search_pattern($))"),
    ];
    const COMPUTED: SqlByName = &[(
        "time_zone",
        "(select z.time_zone from app.organizations z where z.id = t.organization_id)",
    )];
}

/// A locked meeting: until this call ends, other calls cannot change it, remove it or add occurrences.
#[derive(Debug, Clone)]
pub(super) struct Locked {
    pub(super) meeting: Meeting,
    /// Whether the meeting itself has transcript text.
    pub(super) has_transcript: bool,
    /// The organisation's time zone.
    pub(super) zone: TimeZone,
}

impl Locked {
    /// Whether the meeting itself, not an occurrence, has a transcript.
    pub(super) fn carries_transcript(&self) -> bool {
        self.has_transcript || self.meeting.transcriber_transcript_id.is_some()
    }

    /// The clock of the series: its own zone, or the organisation's. The time of day is that of the recurrence, or of
    /// the series' own date.
    pub(super) fn clock(&self) -> Clock {
        let own = self.zone.clone();
        let zone = self.meeting.recurrence_zone.as_deref().and_then(zone_of);
        let is_own = zone.is_none();
        let zone = zone.unwrap_or_else(|| own.clone());
        let first = self.meeting.meeting_date;
        let first = first.map(|first| first.to_zoned(zone.clone()).time());
        let stored = self.meeting.recurrence_start_time.filter(|_| is_own);
        let time = stored.map(|time| time.get()).or(first);
        let time = time.unwrap_or_else(Time::midnight);
        Clock { zone, time, own }
    }

    /// The start of a meeting promoted from the occurrence of this date. If a clock change skips it, it is that much
    /// later; if it occurs twice, the first is used.
    pub(super) fn date_of(&self, date: Date) -> Option<Timestamp> {
        let clock = self.clock();
        clock.moment(clock.there(date).unwrap_or(date))
    }
}

/// Locks a meeting that the caller can change, and reads it. `field` is the argument with its id.
///
/// # Errors
/// `not_found` if the caller cannot see the meeting, `forbidden` if the caller cannot change it.
pub(super) async fn lock(call: &mut Call, field: &str, id: MeetingId) -> Result<Locked, ToolError> {
    // An update checks the policy for changes. A lock alone would reveal the meeting to callers who cannot change it.
    let touch = "update work.meetings set title = title where id = $1 returning id";
    let read = format!(
        "select (select row_to_json(r)::text from (select {}) r), t.has_transcript \
         from work.meetings t where t.id = $1 for update of t",
        columns::<Meeting>()
    );
    call.query(touch, params![id]).await?;
    let rows = call.query(&read, params![id]).await?;
    let Some(row) = rows.first() else {
        return Err(ToolError::not_found("meeting").on(field));
    };
    let locked = || -> Option<Locked> {
        let meeting: Meeting = serde_json::from_str(row.get(0)).ok()?;
        Some(Locked {
            zone: TimeZone::get(&meeting.time_zone).ok()?,
            meeting,
            has_transcript: row.get(1),
        })
    };
    locked().ok_or_else(|| {
        internal(format_args!(
            "the meeting {id} or its organisation's zone cannot be read"
        ))
    })
}

/// A locked occurrence.
#[derive(Debug, Clone)]
pub(super) struct Occurrence {
    pub(super) id: OccurrenceId,
    pub(super) meeting_id: MeetingId,
    pub(super) date: Date,
    pub(super) status: String,
    pub(super) transcript_id: Option<String>,
    /// The SHA-256 digest of the transcript text; the text itself stays in the database.
    pub(super) text: Option<Vec<u8>>,
    /// Whether it has transcript segments.
    pub(super) has_segments: bool,
    /// The meeting that has its transcript id or was promoted from it before, and the digest of that meeting's text.
    pub(super) existing: Option<(MeetingId, Option<Vec<u8>>)>,
}

impl Occurrence {
    fn of(row: &Row) -> Occurrence {
        Occurrence {
            id: OccurrenceId(row.get("id")),
            meeting_id: MeetingId(row.get("meeting_id")),
            date: row.get("occurrence_date"),
            status: row.get("status"),
            transcript_id: row.get("transcriber_transcript_id"),
            text: row.get("text"),
            has_segments: row.get("has_segments"),
            existing: row
                .get::<_, Option<_>>("existing_id")
                .map(|id| (MeetingId(id), row.get("existing_text"))),
        }
    }

    pub(super) fn has_text(&self) -> bool {
        self.text.is_some()
    }

    /// Whether a transcriber has added any content.
    pub(super) fn is_real(&self) -> bool {
        self.has_text() || self.transcript_id.is_some() || self.has_segments
    }

    /// Whether the transcript cannot be identified: it has text but no id.
    pub(super) fn is_text_without_id(&self) -> bool {
        self.has_text() && self.transcript_id.is_none()
    }

    /// Its entry in the plan, with this rule and reason.
    pub(super) fn planned(&self, action: Action, rule: Rule, reason: impl Into<String>) -> Planned {
        Planned {
            id: self.id,
            meeting_id: self.meeting_id,
            occurrence_date: self.date,
            status: self.status.clone(),
            has_transcript: self.has_text(),
            transcriber_transcript_id: self.transcript_id.clone(),
            action,
            rule,
            reason: reason.into(),
            standalone_meeting_id: None,
            meeting_date: None,
        }
    }
}

/// Locks the occurrences of these meetings; ordered by date.
pub(super) async fn occurrences(
    call: &mut Call,
    meetings: &[MeetingId],
) -> Result<Vec<Occurrence>, ToolError> {
    let meetings: Vec<_> = meetings.iter().map(|id| id.0).collect();
    let sql = format!("{OCCURRENCE} where o.meeting_id = any ($1) {ORDER}");
    let rows = call.query(&sql, &[&meetings]).await?;
    Ok(rows.iter().map(Occurrence::of).collect())
}

/// Locks one occurrence, if it exists.
pub(super) async fn occurrence(
    call: &mut Call,
    id: OccurrenceId,
) -> Result<Option<Occurrence>, ToolError> {
    let sql = format!("{OCCURRENCE} where o.id = $1 {ORDER}");
    let rows = call.query(&sql, params![id]).await?;
    Ok(rows.first().map(Occurrence::of))
}

const OCCURRENCE: &str = "select o.id, o.meeting_id, o.occurrence_date, o.status, \
      o.transcriber_transcript_id, \
      case when o.has_transcript then sha256(convert_to(o.transcript, 'UTF8')) end as text, \
      exists (select from work.transcript_segments s where s.occurrence_id = o.id) as has_segments, \
      m.id as existing_id, \
      case when m.has_transcript then sha256(convert_to(m.transcript, 'UTF8')) end as existing_text \
    from work.meeting_occurrences o \
    left join lateral (select m.id, m.has_transcript, m.transcript from work.meetings m \
      where m.organization_id = o.organization_id \
        and m.transcriber_transcript_id = o.transcriber_transcript_id or m.id = o.id \
      order by m.id = o.id limit 1) m on true";

const ORDER: &str = "order by o.occurrence_date, o.meeting_id, o.id for update of o";

/// Rows of one kind that belong to a meeting or its occurrences.
#[derive(Debug, Clone)]
pub(super) struct Hanging {
    /// `participants`, `concepts` …
    pub(super) kind: &'static str,
    /// The number of rows.
    pub(super) count: i64,
    /// The meeting or occurrences they belong to.
    pub(super) on: Vec<uuid::Uuid>,
}

/// A summary: `participants (3), underlines (1)`.
pub(super) fn in_words(hanging: &[Hanging]) -> String {
    let kinds: Vec<_> = hanging
        .iter()
        .map(|hanging| format!("{} ({})", hanging.kind, hanging.count))
        .collect();
    kinds.join(", ")
}

/// A kind of rows that belong to meetings and occurrences, with its table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Child {
    Participants,
    Concepts,
    Expertise,
    Tools,
    Segments,
    Underlines,
}

impl Child {
    pub(super) const ALL: [Child; 6] = [
        Child::Participants,
        Child::Concepts,
        Child::Expertise,
        Child::Tools,
        Child::Segments,
        Child::Underlines,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Child::Participants => "participants",
            Child::Concepts => "concepts",
            Child::Expertise => "expertise",
            Child::Tools => "tools",
            Child::Segments => "transcript segments",
            Child::Underlines => "underlines",
        }
    }

    pub(super) fn table(self) -> &'static str {
        match self {
            Child::Participants => "work.meeting_participants",
            Child::Concepts => "work.meeting_concepts",
            Child::Expertise => "work.meeting_expertise",
            Child::Tools => "work.meeting_tools",
            Child::Segments => "work.transcript_segments",
            Child::Underlines => "work.meeting_underlines",
        }
    }
}

/// The rows of these kinds that belong to the meeting or to any of these occurrences.
pub(super) async fn hanging(
    call: &mut Call,
    kinds: &[Child],
    meeting: Option<MeetingId>,
    occurrences: &[Occurrence],
) -> Result<Vec<Hanging>, ToolError> {
    let selects: Vec<_> = kinds
        .iter()
        .enumerate()
        .map(|(at, kind)| {
            format!(
                "select {at} as kind, coalesce(occurrence_id, meeting_id) as on_id from {} \
                 where meeting_id = $1 or occurrence_id = any ($2)",
                kind.table()
            )
        })
        .collect();
    let sql = format!(
        "select kind, count(*), array_agg(distinct on_id order by on_id) from ({}) c \
         group by kind order by kind",
        selects.join(" union all ")
    );
    let occurrences: Vec<_> = occurrences
        .iter()
        .map(|occurrence| occurrence.id.0)
        .collect();
    let rows = call.query(&sql, params![meeting, occurrences]).await?;
    let hanging = rows.iter().filter_map(|row| {
        let kind = usize::try_from(row.get::<_, i32>(0)).ok()?;
        Some(Hanging {
            kind: kinds.get(kind)?.name(),
            count: row.get(1),
            on: row.get(2),
        })
    });
    Ok(hanging.collect())
}

/// A digest of the rows that decide a plan: these meetings and occurrences with their transcripts and children. It
/// changes if any of them changes.
pub(super) async fn digest(
    call: &mut Call,
    meetings: &[MeetingId],
    occurrences: &[Occurrence],
) -> Result<String, ToolError> {
    let children = Child::ALL.map(|kind| {
        format!(
            " union all select c::text from {} c \
             where c.meeting_id = any ($1) or c.occurrence_id = any ($2)",
            kind.table()
        )
    });
    let sql = format!(
        "select coalesce(encode(sha256(string_agg(r.digest, '' order by r.digest)), 'hex'), '') \
         from (select sha256(convert_to(s.row, 'UTF8')) as digest \
               from (select m::text as row from work.meetings m where m.id = any ($1) \
                     union all select o::text from work.meeting_occurrences o where o.id = any ($2){}) s) r",
        children.concat()
    );
    let meetings: Vec<_> = meetings.iter().map(|id| id.0).collect();
    let occurrences: Vec<_> = occurrences.iter().map(|one| one.id.0).collect();
    let rows = call.query(&sql, &[&meetings, &occurrences]).await?;
    Ok(rows.first().map(|row| row.get(0)).unwrap_or_default())
}

/// The meeting's state after this call's writes.
pub(super) async fn meeting(call: &mut Call, id: MeetingId) -> Result<Meeting, ToolError> {
    let sql = format!(
        "select row_to_json(r)::text from (select {} from work.meetings t where t.id = $1) r",
        columns::<Meeting>()
    );
    let rows = call.query(&sql, params![id]).await?;
    let row = rows
        .first()
        .ok_or_else(|| ToolError::not_found("meeting"))?;
    serde_json::from_str(row.get(0))
        .map_err(|error| internal(format_args!("a meeting cannot be read: {error}")))
}

/// Promotes occurrences to meetings with the title and template of the series, the content of the occurrence, and
/// this date (specification, section 4.5: rule 8 of `remove_meeting_series`, rule 1 of
/// `promote_occurrence_to_standalone`). The new meeting gets the occurrence's id, so a repeated call creates the same
/// meeting.
pub(super) async fn promote(
    call: &mut Call,
    series: &Meeting,
    title: &str,
    promoted: &[&Planned],
) -> Result<(), ToolError> {
    if promoted.is_empty() {
        return Ok(());
    }
    call.has_webhooks();
    let ids: Vec<_> = promoted.iter().map(|planned| planned.id.0).collect();
    let dates: Vec<_> = promoted
        .iter()
        .map(|planned| planned.meeting_date)
        .collect();
    let sql = "insert into work.meetings \
         (id, organization_id, title, template, is_recurring, meeting_date, \
          transcriber_calendar_id, transcriber_transcript_id, transcript) \
       select o.id, o.organization_id, $3, $4, false, p.meeting_date, null, \
         o.transcriber_transcript_id, o.transcript \
       from unnest($1::uuid[], $2::timestamptz[]) p (id, meeting_date) \
       join work.meeting_occurrences o on o.id = p.id \
       order by o.occurrence_date";
    let template = series.template;
    call.query(sql, params![ids, dates, title, template])
        .await
        .map(drop)
}

/// The occurrences that still have no meeting with their content.
pub(super) async fn without_meeting(
    call: &mut Call,
    promoted: &[&Planned],
) -> Result<Vec<uuid::Uuid>, ToolError> {
    let ids: Vec<_> = promoted.iter().map(|planned| planned.id.0).collect();
    let meetings: Vec<_> = promoted
        .iter()
        .map(|planned| planned.standalone_meeting_id.map(|id| id.0))
        .collect();
    let sql = "select o.id from unnest($1::uuid[], $2::uuid[]) p (id, meeting_id) \
       join work.meeting_occurrences o on o.id = p.id \
       where not exists (select from work.meetings m where m.id = p.meeting_id \
           and m.id <> o.meeting_id \
           and (not o.has_transcript or m.transcript = o.transcript) \
           and m.transcriber_transcript_id is not distinct from o.transcriber_transcript_id)";
    let rows = call.query(sql, params![ids, meetings]).await?;
    Ok(rows.iter().map(|row| row.get(0)).collect())
}

/// Deletes occurrences.
pub(super) async fn remove_occurrences(
    call: &mut Call,
    ids: &[uuid::Uuid],
) -> Result<(), ToolError> {
    if ids.is_empty() {
        return Ok(());
    }
    let sql = "delete from work.meeting_occurrences where id = any ($1)";
    call.query(sql, &[&ids]).await.map(drop)
}

/// Deletes a meeting without children; PostgreSQL refuses if it still has any.
pub(super) async fn remove_meeting(call: &mut Call, id: MeetingId) -> Result<(), ToolError> {
    let sql = "delete from work.meetings where id = $1";
    call.query(sql, params![id]).await.map(drop)
}

/// The number of webhook events that the insertion of these meetings has added.
pub(super) async fn webhooks(call: &mut Call, promoted: &[&Planned]) -> Result<u32, ToolError> {
    let ids: Vec<_> = promoted.iter().map(|planned| planned.id.0).collect();
    let rows = call.query("select webhooks.count_for($1)", &[&ids]).await?;
    let count = rows.first().map_or(0, |row| row.get::<_, i64>(0));
    Ok(u32::try_from(count).unwrap_or(u32::MAX))
}
