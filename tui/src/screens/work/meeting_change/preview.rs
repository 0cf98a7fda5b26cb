//! The answer to a dry run: a plan, or a refusal.

use frontdesk_client::CallError;
use frontdesk_protocol::id::MeetingId;
use frontdesk_protocol::work::meeting::{Children, Merge, MergeMeetings};
use frontdesk_protocol::work::occurrence::{PromoteOccurrenceToStandalone, Promotion};
use frontdesk_protocol::work::plan::{self, Action, Guard, Planned, Refusal, Totals, Violation};
use frontdesk_protocol::work::series::{OccurrencePolicy, RemoveMeetingSeries, SeriesRemoval};
use frontdesk_protocol::{ErrorCode, ToolError};
use jiff::civil::Date;
use serde_json::Value;

use super::choice::Choice;
use super::difference::difference;
use crate::app::effects::call::{Answer, ToolCall};
use crate::preview::{Look, Previewed, Seen};

/// The preview of one choice.
#[derive(Debug, Clone)]
pub(super) struct Preview {
    /// The choice.
    pub(super) choice: Choice,
    /// The answer.
    pub(super) verdict: Verdict,
    /// The occurrences, a row for each date: conflicts first.
    pub(super) days: Vec<Day>,
}

/// The host's answer.
#[derive(Debug, Clone)]
pub(super) enum Verdict {
    Removal(Box<SeriesRemoval>),
    Promotion(Box<Promotion>),
    Merge(Box<Merge>),
    /// These rules refuse the plan; nothing would be changed.
    Refused(Box<Refusal>),
}

/// The occurrences of one date, as indexes in the plan. `theirs` exists only in a merge, for the
/// meeting that is merged away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Day {
    pub(super) date: Date,
    pub(super) ours: Option<usize>,
    pub(super) theirs: Option<usize>,
}

impl Preview {
    fn by_day(&self) -> Vec<Day> {
        let skeleton = match &self.choice {
            Choice::Merge { skeleton, .. } => Some(*skeleton),
            Choice::Removal { .. } | Choice::Promotion { .. } => None,
        };
        let occurrences = self.occurrences();
        let mut order: Vec<usize> = (0..occurrences.len()).collect();
        order.sort_by_key(|at| occurrences[*at].occurrence_date);
        let mut days: Vec<Day> = Vec::new();
        for at in order {
            let planned = &occurrences[at];
            let is_theirs = Some(planned.meeting_id) == skeleton;
            let date = planned.occurrence_date;
            let same_day = days.last_mut().filter(|day| day.date == date);
            match same_day {
                Some(day) if is_theirs && day.theirs.is_none() => day.theirs = Some(at),
                Some(day) if !is_theirs && day.ours.is_none() => day.ours = Some(at),
                _ => days.push(Day {
                    date,
                    ours: (!is_theirs).then_some(at),
                    theirs: is_theirs.then_some(at),
                }),
            }
        }
        days.sort_by_key(|day| !self.is_conflict(*day));
        days
    }

    fn is_conflict(&self, day: Day) -> bool {
        let is_one = |at: Option<usize>| {
            at.and_then(|at| self.occurrences().get(at))
                .is_some_and(|planned| planned.action == Action::Conflict)
        };
        is_one(day.ours) || is_one(day.theirs)
    }

    /// The plan, unless it is refused.
    pub(super) fn plan(&self) -> Option<&plan::Plan> {
        match &self.verdict {
            Verdict::Removal(removal) => Some(&removal.plan),
            Verdict::Promotion(promotion) => Some(&promotion.plan),
            Verdict::Merge(merge) => Some(&merge.plan),
            Verdict::Refused(_) => None,
        }
    }

    /// The planned or performed action for each occurrence.
    pub(super) fn occurrences(&self) -> &[Planned] {
        match (&self.verdict, self.plan()) {
            (Verdict::Refused(refusal), _) => &refusal.occurrences,
            (_, Some(plan)) => &plan.occurrences,
            (_, None) => &[],
        }
    }

    /// An occurrence of a day.
    pub(super) fn at(&self, at: Option<usize>) -> Option<&Planned> {
        self.occurrences().get(at?)
    }

    /// The number of occurrences for each action.
    pub(super) fn totals(&self) -> Totals {
        match self.plan() {
            Some(plan) => plan.totals,
            None => Totals::of(self.occurrences()),
        }
    }

    /// The number of webhooks that fire.
    pub(super) fn webhooks(&self) -> u32 {
        self.plan()
            .map_or(0, |plan| plan.automation_webhook_inserts)
    }

    /// The reasons for the refusal.
    pub(super) fn violations(&self) -> &[Violation] {
        match &self.verdict {
            Verdict::Refused(refusal) => &refusal.violations,
            _ => &[],
        }
    }

    /// Whether this rule refuses the plan.
    pub(super) fn is_refused_by(&self, guard: Guard) -> bool {
        self.violations().iter().any(|one| one.guard == guard)
    }

    /// The merge, if it is one.
    pub(super) fn merge(&self) -> Option<&Merge> {
        match &self.verdict {
            Verdict::Merge(merge) => Some(merge),
            _ => None,
        }
    }

    /// The number of conflicts that keep the source of a merge: one for each date, and one for the
    /// transcripts of the meetings themselves.
    pub(super) fn conflicts(&self) -> usize {
        let dates = self
            .days
            .iter()
            .filter(|day| self.is_conflict(**day))
            .count();
        let own = self.merge().and_then(|merge| merge.transcript);
        dates + usize::from(own == Some(Action::Conflict))
    }

    /// The title to type for the confirmation: of the removed or created meeting.
    pub(super) fn title(&self) -> &str {
        match &self.verdict {
            Verdict::Removal(removal) => &removal.meeting.title,
            Verdict::Promotion(promotion) => &promotion.meeting.title,
            Verdict::Merge(merge) => &merge.skeleton.title,
            Verdict::Refused(refusal) => &refusal.title,
        }
    }

    /// The organisation's time zone.
    pub(super) fn time_zone(&self) -> &str {
        match &self.verdict {
            Verdict::Removal(removal) => &removal.meeting.time_zone,
            Verdict::Promotion(promotion) => &promotion.meeting.time_zone,
            Verdict::Merge(merge) => &merge.canonical.time_zone,
            Verdict::Refused(refusal) => &refusal.time_zone,
        }
    }

    /// The first created meeting, if there is one.
    pub(super) fn first_new_meeting(&self) -> Option<MeetingId> {
        let mut occurrences = self.occurrences().iter();
        let promoted = occurrences.find(|planned| planned.action == Action::Promote)?;
        promoted.standalone_meeting_id
    }

    /// The host's answer as JSON.
    pub(super) fn json(&self) -> Value {
        match &self.verdict {
            Verdict::Removal(removal) => serde_json::to_value(removal),
            Verdict::Promotion(promotion) => serde_json::to_value(promotion),
            Verdict::Merge(merge) => serde_json::to_value(merge),
            Verdict::Refused(refusal) => serde_json::to_value(refusal),
        }
        .unwrap_or_default()
    }
}

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
