//! Meetings: their time and template, and merging two meetings.

use std::cmp::Ordering;

use frontdesk_protocol::record::One;
use frontdesk_protocol::value::Change;
use frontdesk_protocol::work::meeting::{
    CreateMeeting, ImportCalendar, ListMeetings, Meeting, Merge, MergeMeetings,
    SetMeetingRecurrenceTime, SetMeetingTemplate, Templated, UpdateMeeting,
};
use frontdesk_protocol::{ErrorCode, ToolError};
use jiff::Timestamp;
use serde_json::json;

use super::clock::moment;
use super::merge::{self, Side};
use super::plan::plan;
use super::rows::{digest, lock, meeting, occurrences, remove_meeting, remove_occurrences};
use crate::call::{Answer, Call, Handler, Outcome, Stored};
use crate::database::{Part, Said};
use crate::hosts::routes;

impl Stored for Templated {
    const TABLE: &'static str = "work.meetings";
}

impl Handler for MergeMeetings {
    /// Locks the two in the order of their ids, so that two merges cannot deadlock.
    async fn handle(self, call: &mut Call) -> Outcome<Merge> {
        call.set_dry_run(self.dry_run);
        let asked = [
            ("canonical_meeting_id", self.canonical_meeting_id),
            ("skeleton_meeting_id", self.skeleton_meeting_id),
        ];
        let (canonical, skeleton) = match asked[0].1.cmp(&asked[1].1) {
            Ordering::Less => {
                let canonical = lock(call, asked[0].0, asked[0].1).await?;
                (canonical, lock(call, asked[1].0, asked[1].1).await?)
            }
            Ordering::Greater => {
                let skeleton = lock(call, asked[1].0, asked[1].1).await?;
                (lock(call, asked[0].0, asked[0].1).await?, skeleton)
            }
            Ordering::Equal => {
                return Err(ToolError::invalid(
                    "skeleton_meeting_id",
                    "must differ from canonical_meeting_id",
                ));
            }
        };
        for warning in unlike(&canonical.meeting, &skeleton.meeting) {
            call.warn(warning);
        }
        let ids = (canonical.meeting.id, skeleton.meeting.id);
        let occurrences = occurrences(call, &[ids.0, ids.1]).await?;
        let rows = digest(call, &[ids.0, ids.1], &occurrences).await?;
        let decision = merge::decide(&canonical, &skeleton, &occurrences);
        let mut children =
            merge::move_children(call, Side::Meetings, &[(ids.1.0, ids.0.0)]).await?;
        let of_occurrences = decision.heirs();
        children.add(merge::move_children(call, Side::Occurrences, &of_occurrences).await?);
        remove_occurrences(call, &decision.discarded()).await?;
        merge::move_occurrences(call, ids.0, &decision.moved()).await?;
        merge::take_over(call, &decision, ids).await?;
        let is_clean = decision.conflicts() == 0;
        if is_clean {
            remove_meeting(call, ids.1).await?;
        }
        let asked = (
            &canonical.meeting,
            &skeleton.meeting,
            decision.transcript,
            children.0,
            rows,
        );
        let plan = plan(call, &asked, decision.occurrences, 0)?;
        Answer::of(&Merge {
            dry_run: self.dry_run.0,
            canonical: meeting(call, ids.0).await?,
            skeleton: skeleton.meeting,
            skeleton_removed: is_clean,
            transcript: decision.transcript,
            template_taken: decision.template,
            children: children.0,
            plan,
        })
    }
}

/// What two meetings differ in that are merged.
fn unlike(kept: &Meeting, merged: &Meeting) -> Vec<Said> {
    let mut differences = Vec::new();
    if kept.title.to_lowercase() != merged.title.to_lowercase() {
        let titles = [Part::Value(&kept.title), Part::Value(&merged.title)];
        let said = Said::with("the titles differ: {} is kept, {} is merged", &titles);
        differences.push(said);
    }
    let time = |meeting: &Meeting| {
        let day = meeting.recurrence_day_of_week.clone()?;
        let start = meeting.recurrence_start_time?;
        Some(format!("{day} {start}"))
    };
    if let (Some(kept), Some(merged)) = (time(kept), time(merged))
        && kept != merged
    {
        let times = [Part::Value(&kept), Part::Value(&merged)];
        let said = Said::with("the times differ: {} is kept, {} is merged", &times);
        differences.push(said);
    }
    differences
}

impl Handler for UpdateMeeting {
    async fn handle(self, call: &mut Call) -> Outcome<One<Meeting>> {
        let locked = lock(call, "id", self.id).await?;
        if locked.meeting.is_recurring && matches!(self.meeting_date, Change::To(_)) {
            let message =
                "the meeting is a series, whose times follow its rule; nothing was changed";
            let error = ToolError::new(ErrorCode::Refused, message).on("meeting_date");
            return Err(error.hint("set_meeting_recurrence_time changes the time of a series"));
        }
        call.finally().change(self.id, &self).await
    }
}

impl Handler for SetMeetingRecurrenceTime {
    async fn handle(self, call: &mut Call) -> Outcome<One<Meeting>> {
        if self.recurrence_start_time == self.recurrence_end_time {
            return Err(ToolError::invalid(
                "recurrence_end_time",
                "must differ from recurrence_start_time",
            ));
        }
        let series = lock(call, "meeting_id", self.meeting_id).await?;
        if !series.meeting.is_recurring {
            return Err(ToolError::new(
                ErrorCode::Refused,
                "the meeting does not recur, so it has no recurrence time; nothing was changed",
            )
            .on("meeting_id")
            .hint("list_meeting_series lists recurring meetings"));
        }
        let mut times = json!({
            "recurrence_start_time": self.recurrence_start_time,
            "recurrence_end_time": self.recurrence_end_time,
        });
        if let (Some(name), Some(first)) =
            (&series.meeting.recurrence_zone, series.meeting.meeting_date)
        {
            // Its first time moves, too: the clock of its zone is read from there.
            let there = |at: Timestamp| at.to_zoned(series.clock().zone).date();
            let day = first.to_zoned(series.zone.clone()).date();
            let moved = moment(day, self.recurrence_start_time.get(), &series.zone);
            if moved.map(there) != Some(there(first)) {
                let message = format!(
                    "the series would be on another day in {name}, where its rule is counted; nothing was changed"
                );
                return Err(ToolError::new(ErrorCode::Refused, message)
                    .on("recurrence_start_time")
                    .hint("choose a time of the same day there, or create another series"));
            }
            times["meeting_date"] = json!(moved);
        }
        call.finally().change(self.meeting_id, &times).await
    }
}

impl Handler for SetMeetingTemplate {
    async fn handle(self, call: &mut Call) -> Outcome<One<Templated>> {
        lock(call, "meeting_id", self.meeting_id).await?;
        let template = json!({ "template": self.template });
        call.finally().change(self.meeting_id, &template).await
    }
}

routes![
    ListMeetings,
    CreateMeeting,
    UpdateMeeting => own,
    ImportCalendar => own,
    MergeMeetings => own,
    SetMeetingRecurrenceTime => own,
    SetMeetingTemplate => own,
];
