//! Promotes one occurrence of a series to a separate meeting.

use frontdesk_protocol::id::{MeetingId, OccurrenceId};
use frontdesk_protocol::record::One;
use frontdesk_protocol::work::occurrence::{
    self as listed, PromoteOccurrenceToStandalone, Promotion, SetOccurrenceTranscript,
};
use frontdesk_protocol::work::plan::{Action, Guard, Planned, Rule, Violation};
use frontdesk_protocol::{ErrorCode, ToolError};

use super::plan::{plan, refuse, violation};
use super::rows::{
    Child, Hanging, Locked, Occurrence, digest, hanging, in_words, lock, meeting, occurrence,
    promote, remove_occurrences, webhooks, without_meeting,
};
use crate::call::{Answer, Call, Handler, Outcome};
use crate::database::params;
use crate::hosts::routes;

fn rule(number: u8) -> Rule {
    Rule::of("promote_occurrence_to_standalone", number)
}

impl Handler for PromoteOccurrenceToStandalone {
    /// If a meeting already has the transcript, it is reported and nothing is changed (rule 3).
    async fn handle(self, call: &mut Call) -> Outcome<Promotion> {
        call.set_dry_run(self.dry_run);
        let (series, occurrence) = locked(call, self.occurrence_id).await?;
        let keep = self.keep_occurrence.0;
        let title = match &self.title_override {
            Some(title) => title.as_str(),
            None => &series.meeting.title,
        };
        let rows = digest(call, &[], std::slice::from_ref(&occurrence)).await?;
        let asked = (&series.meeting, title, keep, rows);
        if let Some((existing, _)) = occurrence.existing {
            let planned = Planned {
                standalone_meeting_id: Some(existing),
                ..occurrence.planned(
                    Action::SkipExisting,
                    rule(3),
                    "a meeting with its transcript already exists",
                )
            };
            let plan = plan(call, &asked, vec![planned], 0)?;
            let promotion = Promotion {
                dry_run: self.dry_run.0,
                meeting: meeting(call, existing).await?,
                already_there: true,
                occurrence_kept: true,
                plan,
            };
            return Answer::of(&promotion);
        }
        let bound = [Child::Participants, Child::Underlines];
        let hanging = hanging(call, &bound, None, std::slice::from_ref(&occurrence)).await?;
        let violations = match keep {
            true => Vec::new(),
            false => violations(&occurrence, &hanging),
        };
        if !violations.is_empty() {
            let first = violations[0].clone();
            let kept = occurrence.planned(Action::Keep, first.rule, first.message);
            return Err(refuse(&series.meeting, violations, vec![kept]));
        }
        let reason = match keep {
            true => "it becomes a standalone meeting and also stays an occurrence",
            false => "it becomes a standalone meeting",
        };
        let planned = Planned {
            standalone_meeting_id: Some(MeetingId(occurrence.id.0)),
            meeting_date: series.date_of(occurrence.date),
            ..occurrence.planned(Action::Promote, rule(1), reason)
        };
        promote(call, &series.meeting, title, &[&planned]).await?;
        if !without_meeting(call, &[&planned]).await?.is_empty() {
            let violation = violation(
                Guard::NotPromoted,
                rule(5),
                vec![occurrence.id.0],
                "the new meeting does not exist after its creation",
                "try again; if it happens again, the database does not store what it accepts",
            );
            return Err(refuse(&series.meeting, vec![violation], vec![planned]));
        }
        if !keep {
            hand_over(call, &occurrence).await?;
            remove_occurrences(call, &[occurrence.id.0]).await?;
        }
        let webhooks = webhooks(call, &[&planned]).await?;
        let plan = plan(call, &asked, vec![planned], webhooks)?;
        Answer::of(&Promotion {
            dry_run: self.dry_run.0,
            meeting: meeting(call, MeetingId(occurrence.id.0)).await?,
            already_there: false,
            occurrence_kept: keep,
            plan,
        })
    }
}

impl Handler for SetOccurrenceTranscript {
    async fn handle(self, call: &mut Call) -> Outcome<One<listed::Occurrence>> {
        locked(call, self.occurrence_id).await?;
        let sql = "with o as (update work.meeting_occurrences o set transcript = $2, \
               transcriber_transcript_id = coalesce($3, o.transcriber_transcript_id) where o.id = $1 returning o.*) \
             select json_build_object('occurrence', json_build_object('id', o.id, 'occurrence_date', o.occurrence_date, \
               'status', o.status, 'has_transcript', o.has_transcript, \
               'transcriber_transcript_id', o.transcriber_transcript_id))::text from o";
        let params = params![
            self.occurrence_id,
            self.transcript,
            self.transcriber_transcript_id
        ];
        let stored = call.finally().json(sql, params).await?;
        stored.ok_or_else(|| ToolError::not_found("occurrence").on("occurrence_id"))
    }
}

/// Locks the series before the occurrence, the order in which the other tools lock them.
async fn locked(call: &mut Call, id: OccurrenceId) -> Result<(Locked, Occurrence), ToolError> {
    let none = || ToolError::not_found("occurrence").on("occurrence_id");
    let sql = "select meeting_id from work.meeting_occurrences where id = $1";
    let rows = call.query(sql, params![id]).await?;
    let series = MeetingId(rows.first().ok_or_else(none)?.get(0));
    let series = match lock(call, "occurrence_id", series).await {
        Err(error) if error.code == ErrorCode::NotFound => return Err(none()),
        locked => locked?,
    };
    let occurrence = occurrence(call, id).await?.ok_or_else(none)?;
    // The occurrence may have moved to another series while this call waited for the lock.
    if occurrence.meeting_id != series.meeting.id {
        return Err(ToolError::new(
            ErrorCode::Conflict,
            "the occurrence has just moved to another series; nothing was changed",
        )
        .on("occurrence_id")
        .hint("look at it again"));
    }
    Ok((series, occurrence))
}

fn violations(occurrence: &Occurrence, hanging: &[Hanging]) -> Vec<Violation> {
    const WAY_OUT: &str = "set keep_occurrence to keep the occurrence as well";
    let mut violations = Vec::new();
    if occurrence.is_text_without_id() {
        violations.push(violation(
            Guard::TranscriptWithoutId,
            rule(2),
            vec![occurrence.id.0],
            "the occurrence has transcript text but no transcript id",
            WAY_OUT,
        ));
    }
    if !hanging.is_empty() {
        violations.push(violation(
            Guard::HasChildren,
            rule(4),
            vec![occurrence.id.0],
            format!("{} on the occurrence", in_words(hanging)),
            WAY_OUT,
        ));
    }
    violations
}

/// Moves the concepts, expertise, tools and transcript segments of a promoted occurrence to the new meeting.
async fn hand_over(call: &mut Call, occurrence: &Occurrence) -> Result<(), ToolError> {
    let kinds = [
        Child::Concepts,
        Child::Expertise,
        Child::Tools,
        Child::Segments,
    ];
    for kind in kinds {
        let sql = format!(
            "update {} set meeting_id = $1, occurrence_id = null where occurrence_id = $1",
            kind.table()
        );
        call.query(&sql, params![occurrence.id]).await?;
    }
    Ok(())
}

routes![
    PromoteOccurrenceToStandalone => own,
    SetOccurrenceTranscript => own,
];
