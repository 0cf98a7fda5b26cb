//! How the preview of a change of meetings is asked for, compared and carried out.

use frontdesk_client::CallError;
use frontdesk_protocol::id::MeetingId;
use frontdesk_protocol::work::meeting::{Children, Merge, MergeMeetings};
use frontdesk_protocol::work::occurrence::PromoteOccurrenceToStandalone;
use frontdesk_protocol::work::plan::{Action, Planned, Refusal};
use frontdesk_protocol::work::series::{OccurrencePolicy, RemoveMeetingSeries};
use frontdesk_protocol::{ErrorCode, ToolError};

use super::choice::Choice;
use super::difference::difference;
use super::preview::{Preview, Verdict};
use crate::app::effects::call::{Answer, ToolCall};
use crate::preview::{Look, Previewed, Seen};

impl Previewed for Preview {
    type Choice = Choice;

    fn dry_run(choice: &Choice) -> ToolCall {
        choice.dry_run()
    }

    fn read(choice: &Choice, answer: &Answer) -> Result<Self, CallError> {
        let verdict = if let Some(result) = answer.of::<RemoveMeetingSeries>() {
            result.map(Box::new).map(Verdict::Removal)
        } else if let Some(result) = answer.of::<PromoteOccurrenceToStandalone>() {
            result.map(Box::new).map(Verdict::Promotion)
        } else if let Some(result) = answer.of::<MergeMeetings>() {
            result.map(Box::new).map(Verdict::Merge)
        } else {
            Err(CallError::Protocol("it is not a plan".to_owned()))
        };
        let verdict = match verdict {
            Err(CallError::Tool(error)) => Verdict::Refused(Box::new(refusal(error)?)),
            verdict => verdict?,
        };
        let mut preview = Preview {
            choice: choice.clone(),
            verdict,
            days: Vec::new(),
        };
        preview.days = preview.by_day();
        Ok(preview)
    }

    fn choice(&self) -> &Choice {
        &self.choice
    }

    fn digest(&self) -> Option<&str> {
        self.plan().map(|plan| plan.digest.as_str())
    }

    fn is_refused(&self) -> bool {
        self.plan().is_none()
    }

    fn nothing_to_do(&self) -> Option<&'static str> {
        match &self.verdict {
            Verdict::Promotion(promotion) if promotion.already_there => {
                Some("it is already a meeting, so nothing would change")
            }
            Verdict::Merge(merge) if !merge.skeleton_removed && moves_nothing(merge) => {
                Some("everything is in conflict, so nothing can move")
            }
            _ => None,
        }
    }

    fn difference(&self, now: &Self) -> Vec<String> {
        difference(self, now)
    }

    fn judge(&self, look: Look, seen: Result<Self, CallError>) -> Seen<Self> {
        let missing = match &seen {
            Err(CallError::Tool(error)) if error.code == ErrorCode::NotFound => {
                Some(error.field.clone())
            }
            _ => None,
        };
        let removal = |series| Choice::Removal {
            series,
            policy: OccurrencePolicy::RequireEmpty,
            allow_non_recurring: false,
        };
        match (&self.choice, look, seen, missing) {
            (_, Look::Made, _, Some(_)) => Seen::Gone,
            (_, Look::Made, Ok(_), _) => Seen::Done,
            // Somebody else's removal may have come first: only a created meeting of this plan
            // proves it.
            (Choice::Removal { .. }, _, _, Some(_)) => match self.first_new_meeting() {
                Some(id) => Seen::LookAt(removal(id)),
                None => Seen::Done,
            },
            (Choice::Promotion { occurrence, .. }, _, _, Some(_)) => {
                Seen::LookAt(removal(MeetingId(occurrence.0)))
            }
            (Choice::Merge { .. }, _, _, Some(field)) => match field.as_deref() {
                Some("skeleton_meeting_id") if self.conflicts() == 0 => Seen::Done,
                _ => Seen::Gone,
            },
            (_, _, Err(error), _) => Seen::Nothing(error),
            (_, _, Ok(now), _) if is_carried_out(self, &now) => Seen::Done,
            (_, _, Ok(now), _) => Seen::NotDone(now),
        }
    }
}

/// Whether `now` is the state after `plan` was applied, for plans that leave something to check: a
/// kept occurrence, or conflicts of a merge.
fn is_carried_out(plan: &Preview, now: &Preview) -> bool {
    match (&plan.choice, &plan.verdict, &now.verdict) {
        (Choice::Promotion { occurrence, .. }, _, Verdict::Promotion(now)) => {
            now.already_there && now.meeting.id.0 == occurrence.0
        }
        // Without a conflict, the source of the merge would be gone.
        (Choice::Merge { canonical, .. }, Verdict::Merge(was), Verdict::Merge(is)) => {
            let is_as_planned = |planned: &Planned| {
                let mut occurrences = is.plan.occurrences.iter();
                let found = occurrences.find(|other| other.id == planned.id);
                match planned.action {
                    Action::Reparent => found.is_some_and(|now| now.meeting_id == *canonical),
                    Action::DiscardEmpty => found.is_none(),
                    _ => true,
                }
            };
            plan.conflicts() > 0
                && is.plan.digest != was.plan.digest
                && was.plan.occurrences.iter().all(is_as_planned)
                && is.children == Children::default()
                && is.template_taken.is_none()
                && is.transcript != Some(Action::Reparent)
        }
        _ => false,
    }
}

fn moves_nothing(merge: &Merge) -> bool {
    let totals = merge.plan.totals;
    totals.reparent + totals.discard_empty == 0
        && merge.children == Children::default()
        && merge.template_taken.is_none()
        && merge.transcript != Some(Action::Reparent)
}

/// The refusal in a tool error.
fn refusal(error: ToolError) -> Result<Refusal, CallError> {
    let refusal = match error.code {
        ErrorCode::Refused => Refusal::of(&error),
        _ => None,
    };
    refusal.ok_or(CallError::Tool(error))
}
