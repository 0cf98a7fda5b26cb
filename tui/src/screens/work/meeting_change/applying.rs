//! Applying a plan: the confirmation, and leaving before the end.

use super::MeetingChange;
use super::choice::Choice;
use super::preview::{Preview, Verdict};
use super::words::{Tense, totals, webhooks};
use crate::app::cx::Cx;
use crate::look::text::{clean, count};
use crate::ui::typed::Typed;

impl MeetingChange {
    /// Why the plan cannot be applied now.
    pub(super) fn obstacle(&self) -> Option<String> {
        if let Some(why) = self.machine.too_late() {
            return Some(why.to_owned());
        }
        if let Some(wrong) = &self.wrong_title {
            return Some(format!("the title {wrong}"));
        }
        let why = match self.pause {
            Some(_) => Some("the plan does not have the typed title yet"),
            None => self.machine.no_true_plan(),
        };
        why.map(str::to_owned)
    }

    /// Asks the user to type the title of the subject.
    pub(super) fn confirm(&mut self, cx: &mut Cx) {
        if self.obstacle().is_none()
            && let Some(plan) = self.machine.confirm()
        {
            let (body, name) = (consequences(plan), name(plan));
            cx.raise(Typed::new(question(plan), body, &name, |state, out| {
                state.act(out, MeetingChange::apply);
            }));
        }
    }

    fn apply(&mut self, cx: &mut Cx) {
        let is_fine = self.wrong_title.is_none() && self.pause.is_none();
        self.machine.apply(cx, is_fine);
    }
}

fn question(plan: &Preview) -> String {
    let question = match &plan.verdict {
        Verdict::Merge(merge) if !merge.skeleton_removed => "Merge what can be merged?",
        Verdict::Merge(_) => "Merge, and remove the other meeting?",
        Verdict::Promotion(_) => "Promote this occurrence?",
        Verdict::Removal(removal) => {
            let noun = match removal.meeting.is_recurring {
                true => "series",
                false => "meeting",
            };
            return match plan.occurrences().len() {
                0 => format!("Remove this {noun}?"),
                several => format!(
                    "Remove this {noun} of {}?",
                    count(several, "occurrence", "occurrences")
                ),
            };
        }
        Verdict::Refused(_) => "Remove this meeting?",
    };
    question.to_owned()
}

/// The consequences in numbers.
fn consequences(plan: &Preview) -> Vec<String> {
    let counts: Vec<String> = totals(plan.totals(), Tense::Would)
        .into_iter()
        .map(|(_, words)| words)
        .collect();
    let mut lines = vec![match counts.is_empty() {
        true => format!(
            "There are no occurrences; {}.",
            webhooks(plan.webhooks(), Tense::Would)
        ),
        false => format!(
            "{}; {}.",
            counts.join(", "),
            webhooks(plan.webhooks(), Tense::Would)
        ),
    }];
    lines.push(match &plan.verdict {
        Verdict::Merge(merge) if merge.skeleton_removed => {
            format!("“{}” is removed.", clean(&merge.skeleton.title))
        }
        Verdict::Merge(_) => format!(
            "{}: both sides stay, and the other meeting is not removed.",
            count(plan.conflicts(), "conflict", "conflicts")
        ),
        Verdict::Promotion(promotion) if promotion.occurrence_kept => {
            "The occurrence also stays in its series.".to_owned()
        }
        Verdict::Promotion(_) => "The occurrence leaves its series.".to_owned(),
        Verdict::Removal(_) | Verdict::Refused(_) => {
            "The series itself is then removed.".to_owned()
        }
    });
    lines
}

/// The text to type: the title, or the id if the title has nothing visible.
fn name(plan: &Preview) -> String {
    match clean(plan.title()).trim() {
        "" => match &plan.choice {
            Choice::Removal { series, .. } => series.to_string(),
            Choice::Promotion { occurrence, .. } => occurrence.to_string(),
            Choice::Merge { skeleton, .. } => skeleton.to_string(),
        },
        title => title.to_owned(),
    }
}

impl MeetingChange {
    /// Leaves the screen; returns true if a question keeps it open.
    pub(super) fn leave(&mut self, cx: &mut Cx) -> bool {
        self.end_title(cx) || self.machine.keeps(cx)
    }
}
