//! Series of meetings: listing and removing them.

use frontdesk_protocol::record::List;
use frontdesk_protocol::work::plan::{Action, Guard, Rule};
use frontdesk_protocol::work::series::{
    AddMeetingOccurrences, CreateMeetingSeries, ListMeetingSeries, RemoveMeetingSeries, Series,
    SeriesRemoval,
};

use super::plan::{ids_with, plan, refuse, violation, with_action};
use super::removal;
use super::rows::{
    Child, digest, hanging, lock, occurrences, promote, remove_meeting, remove_occurrences,
    webhooks, without_meeting,
};
use crate::call::{Answer, Call, Filter, Handler, Outcome, SqlByName, Stored};
use crate::hosts::routes;

/// The columns of a series, without the counts of its occurrences.
const COLUMNS: &str = "t.id, t.title, t.template, t.transcriber_calendar_id, t.meeting_date, \
    t.created_at, t.recurrence_start_time, t.recurrence_end_time, t.recurrence_day_of_week, \
    t.recurrence_rule, t.recurrence_zone, \
    (select o.time_zone from app.organizations o where o.id = t.organization_id) as time_zone";

/// The counts of its occurrences, with the table as `o`.
const NUMBERS: &str = "count(*) as occurrence_count, \
    count(*) filter (where o.has_transcript) as occurrences_with_transcript, \
    count(o.transcriber_transcript_id) as occurrences_with_transcript_id, \
    count(*) filter (where o.has_transcript and o.transcriber_transcript_id is null) \
      as occurrences_with_transcript_without_id";

/// The occurrences as a JSON list.
const OCCURRENCES: &str = ", coalesce(json_agg(json_build_object( \
      'id', o.id, 'occurrence_date', o.occurrence_date, 'status', o.status, \
      'has_transcript', o.has_transcript, \
      'transcriber_transcript_id', o.transcriber_transcript_id) order by o.occurrence_date), '[]') \
    as occurrences";

impl Stored for Series {
    const TABLE: &'static str = "work.meetings";
    const FILTERS: SqlByName = &[
        ("created_after", "t.created_at > $"),
        ("created_before", "t.created_at < $"),
        (
            "title_contains",
            "t.title_key like (select app.search_pattern($))",
        ),
        (
            "transcriber_calendar_id_contains",
            "t.calendar_key like (select app.search_pattern($))",
        ),
        // It determines the fields of a series, not which series are listed.
        ("include_occurrences", "true"),
    ];
}

impl Handler for ListMeetingSeries {
    /// Selects the page before counting, so that only the occurrences of its series are read.
    async fn handle(self, call: &mut Call) -> Outcome<List<Series>> {
        let filter = Filter::of::<Series>(&self);
        let with_occurrences = match self.include_occurrences.0 {
            true => OCCURRENCES,
            false => "",
        };
        let select = |limit: &str, offset: &str| {
            format!(
                "select t.*, n.* \
                 from (select {COLUMNS} from work.meetings t where t.is_recurring and {} \
                       order by t.created_at, t.id limit {limit} + 1 offset {offset}) t, \
                 lateral (select {NUMBERS}{with_occurrences} \
                          from work.meeting_occurrences o where o.meeting_id = t.id) n \
                 order by t.created_at, t.id",
                filter.conditions()
            )
        };
        call.page(select, filter.params(), self.limit, self.offset)
            .await
    }
}

impl Handler for RemoveMeetingSeries {
    /// Promotes the occurrences, verifies that, and only then deletes the series (rule 1).
    async fn handle(self, call: &mut Call) -> Outcome<SeriesRemoval> {
        call.set_dry_run(self.dry_run);
        let series = lock(call, "series_meeting_id", self.series_meeting_id).await?;
        let meeting = series.meeting.clone();
        let occurrences = occurrences(call, &[meeting.id]).await?;
        let hanging = hanging(call, &Child::ALL, Some(meeting.id), &occurrences).await?;
        let rows = digest(call, &[meeting.id], &occurrences).await?;
        let (planned, violations) = removal::decide(
            &series,
            &occurrences,
            &hanging,
            self.occurrence_policy,
            self.allow_non_recurring.0,
        );
        if !violations.is_empty() {
            return Err(refuse(&meeting, violations, planned));
        }
        let promoted = with_action(&planned, Action::Promote);
        promote(call, &meeting, &meeting.title, &promoted).await?;
        let mut with_meeting = promoted.clone();
        with_meeting.extend(with_action(&planned, Action::SkipExisting));
        let missing = without_meeting(call, &with_meeting).await?;
        if !missing.is_empty() {
            let violation = violation(
                Guard::NotPromoted,
                Rule::of("remove_meeting_series", 6),
                missing,
                "an occurrence has no standalone meeting after its promotion",
                "try again; if it happens again, the database does not store what it accepts",
            );
            return Err(refuse(&meeting, vec![violation], planned));
        }
        let webhooks = webhooks(call, &promoted).await?;
        let all = [Action::Promote, Action::DiscardEmpty, Action::SkipExisting];
        remove_occurrences(call, &ids_with(&planned, &all)).await?;
        remove_meeting(call, meeting.id).await?;
        let asked = (&meeting, self.occurrence_policy, rows);
        let plan = plan(call, &asked, planned, webhooks)?;
        Answer::of(&SeriesRemoval {
            dry_run: self.dry_run.0,
            meeting,
            occurrence_policy: self.occurrence_policy,
            plan,
        })
    }
}

routes![
    ListMeetingSeries => own,
    CreateMeetingSeries => own,
    AddMeetingOccurrences => own,
    RemoveMeetingSeries => own,
];
