//! The answer to a dry run: a plan, or a refusal.

use frontdesk_protocol::id::MeetingId;
use frontdesk_protocol::work::meeting::Merge;
use frontdesk_protocol::work::occurrence::Promotion;
use frontdesk_protocol::work::plan::{self, Action, Guard, Planned, Refusal, Totals, Violation};
use frontdesk_protocol::work::series::SeriesRemoval;
use jiff::civil::Date;
use serde_json::Value;

use super::choice::Choice;

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
    pub(super) fn by_day(&self) -> Vec<Day> {
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
