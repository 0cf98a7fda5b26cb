//! Doing what the plan says: only that, and only after its title was typed.

use frontdesk_client::CallError;
use frontdesk_protocol::id::MeetingId;
use frontdesk_protocol::work::meeting::Children;
use frontdesk_protocol::work::plan::{Action, Planned};
use frontdesk_protocol::work::series::OccurrencePolicy;
use frontdesk_protocol::{ErrorCode, ToolError};
use jiff::Timestamp;

use super::choice::Choice;
use super::difference::difference;
use super::preview::{Preview, Verdict};
use super::report::{Report, Source};
use super::words::{Tense, totals, webhooks};
use super::{Check, Gone, Look, Notice, PlanScreen, Stage};
use crate::app::cx::Cx;
use crate::app::effect::{Answer, RequestId, Work};
use crate::app::remote::Remote;
use crate::layers::confirm::Confirm;
use crate::layers::typed::Typed;
use crate::ui::mark::Mark;
use crate::ui::text::{clean, count};

impl PlanScreen {
    /// Why the plan cannot be carried out now.
    pub(super) fn obstacle(&self) -> Option<String> {
        let why = match &self.stage {
            Stage::Applying { .. } => "it is being done",
            Stage::Checking(_) => "it is not known yet whether it was done",
            Stage::Done(_) => "it was done",
            Stage::Gone(_) => "there is nothing left to do it to",
            Stage::Choosing | Stage::Confirming(_) => {
                return self.no_true_plan();
            }
        };
        Some(why.to_owned())
    }

    fn no_true_plan(&self) -> Option<String> {
        if let Some(wrong) = &self.wrong_title {
            return Some(format!("the title {wrong}"));
        }
        if self.pause.is_some() {
            return Some("the plan does not have the title yet that is typed".to_owned());
        }
        let why = match &self.preview {
            Remote::Idle | Remote::Loading { .. } => "the plan is not there yet",
            Remote::Failed { .. } => "there is no plan, as the screen says",
            Remote::Ready(seen) if seen.value.choice != self.choice => "the plan is another one's",
            Remote::Ready(seen) if seen.value.plan().is_none() => {
                "the host refuses, as the screen says"
            }
            Remote::Ready(seen) => seen.value.nothing_to_do()?,
        };
        Some(why.to_owned())
    }

    /// Asks for the title of what the plan on the screen concerns.
    pub(super) fn confirm(&mut self, cx: &mut Cx) {
        let Remote::Ready(seen) = &self.preview else {
            return;
        };
        let plan = &seen.value;
        let (Some(digest), None) = (plan.digest(), self.obstacle()) else {
            return;
        };
        let question = Typed::new(
            question(plan),
            consequences(plan),
            &name(plan),
            |state, out| {
                state.act::<PlanScreen>(out, |plan, cx| {
                    plan.apply(cx);
                });
            },
        );
        let digest = digest.to_owned();
        self.stage = Stage::Confirming(digest);
        cx.raise(question);
    }

    /// Does it, if the plan is still the one that was confirmed.
    fn apply(&mut self, cx: &mut Cx) {
        let Stage::Confirming(confirmed) = &self.stage else {
            return;
        };
        let seen = match (&self.preview, self.no_true_plan()) {
            (Remote::Ready(seen), None) if seen.value.digest() == Some(confirmed) => seen,
            _ => {
                cx.toast(Mark::Warn, "Nothing was done: look at the plan again");
                return;
            }
        };
        let plan = Box::new(seen.value.clone());
        let call = plan.choice.real().expecting(confirmed.clone());
        let request = cx.run(Work::Call(call));
        self.notice = None;
        self.stage = Stage::Applying { request, plan };
    }

    /// The host has answered the call that does it, or has not.
    pub(super) fn applied(&mut self, cx: &mut Cx, answer: Answer) {
        let stage = std::mem::replace(&mut self.stage, Stage::Choosing);
        let Stage::Applying { plan, .. } = stage else {
            self.stage = stage;
            return;
        };
        match Preview::of(plan.choice.clone(), &answer) {
            Ok(done) if done.plan().is_some() => self.done(cx, done, Source::Answer),
            // Guards refuse what they did not refuse a moment ago.
            Ok(_) => self.look_what_changed(cx, plan),
            Err(error) if is_unsure(&error) => {
                self.stage = Stage::Checking(Check {
                    plan,
                    why: error,
                    request: None,
                    error: None,
                });
                self.look_again(cx);
            }
            Err(CallError::Tool(ToolError {
                code: ErrorCode::NotFound,
                ..
            })) => self.gone(cx, Gone::Meanwhile),
            Err(CallError::Tool(ToolError {
                code: ErrorCode::Conflict | ErrorCode::Refused,
                ..
            })) => self.look_what_changed(cx, plan),
            Err(error) => self.notice = Some(Notice::Failed(error)),
        }
    }

    fn done(&mut self, cx: &mut Cx, done: Preview, source: Source) {
        self.stage = Stage::Done(Box::new(Report {
            done,
            at: cx.now(),
            source,
            file: None,
        }));
        self.settle_selection();
        cx.tell_outdated("meeting");
    }

    fn gone(&mut self, cx: &mut Cx, how: Gone) {
        self.stage = Stage::Gone(how);
        cx.tell_outdated("meeting");
    }

    /// Something else would happen now: asks what.
    fn look_what_changed(&mut self, cx: &mut Cx, before: Box<Preview>) {
        self.notice = Some(Notice::Changed {
            before,
            lines: None,
        });
        self.ask(cx);
    }

    /// Looks whether it was done: what would happen now?
    pub(super) fn look_again(&mut self, cx: &mut Cx) {
        if let Stage::Checking(check) = &mut self.stage
            && check.request.is_none()
        {
            let request = cx.run(Work::Call(check.plan.choice.preview()));
            check.request = Some((request, Look::Plan));
            check.error = None;
        }
    }

    /// A look whether it was done has shown something.
    pub(super) fn looked(&mut self, cx: &mut Cx, request: RequestId, answer: Answer) {
        let stage = std::mem::replace(&mut self.stage, Stage::Choosing);
        let Stage::Checking(mut check) = stage else {
            self.stage = stage;
            return;
        };
        let look = match check.request {
            Some((sent, look)) if sent == request => look,
            _ => {
                self.stage = Stage::Checking(check);
                return;
            }
        };
        check.request = None;
        let seen = Preview::of(check.plan.choice.clone(), &answer);
        match what_was_seen(&check.plan, look, seen) {
            Seen::Done => self.done(cx, *check.plan, Source::Look),
            Seen::NotDone(now) => self.not_done(cx.now(), &check.plan, *now),
            Seen::Gone => self.gone(cx, Gone::AfterLoss),
            Seen::MeetingToLookFor(id) => {
                let removal = Choice::Removal {
                    series: id,
                    policy: OccurrencePolicy::RequireEmpty,
                    allow_non_recurring: false,
                };
                let request = cx.run(Work::Call(removal.preview()));
                check.request = Some((request, Look::NewMeeting));
                self.stage = Stage::Checking(check);
            }
            Seen::Nothing(error) => {
                check.error = Some(error);
                self.stage = Stage::Checking(check);
            }
        }
    }

    fn not_done(&mut self, at: Timestamp, before: &Preview, now: Preview) {
        let lines = difference(before, &now);
        self.notice = Some(Notice::NotDone { at, lines });
        self.preview = Remote::known(now, at);
        self.settle_selection();
    }
}

/// What a look showed.
enum Seen {
    /// It was done.
    Done,
    /// It was not done; this would happen now.
    NotDone(Box<Preview>),
    /// What it was to be done to is gone, and nothing that one can see was made of it.
    Gone,
    /// What it was to be done to is gone; whether this meeting is there tells who did it.
    MeetingToLookFor(MeetingId),
    /// Nothing.
    Nothing(CallError),
}

/// Whether this plan was carried out, from what would happen now.
fn what_was_seen(plan: &Preview, look: Look, seen: Result<Preview, CallError>) -> Seen {
    let missing = match &seen {
        Err(CallError::Tool(error)) if error.code == ErrorCode::NotFound => {
            Some(error.field.clone())
        }
        _ => None,
    };
    match (&plan.choice, look, seen, missing) {
        (_, Look::NewMeeting, _, Some(_)) => Seen::Gone,
        (_, Look::NewMeeting, Ok(_), _) => Seen::Done,
        // Another removal may have been quicker: a meeting of this plan tells.
        (Choice::Removal { .. }, _, _, Some(_)) => match plan.first_new_meeting() {
            Some(id) => Seen::MeetingToLookFor(id),
            None => Seen::Done,
        },
        (Choice::Promotion { occurrence, .. }, _, _, Some(_)) => {
            Seen::MeetingToLookFor(MeetingId(occurrence.0))
        }
        (Choice::Merge { .. }, _, _, Some(field)) => match field.as_deref() {
            Some("skeleton_meeting_id") if plan.conflicts() == 0 => Seen::Done,
            _ => Seen::Gone,
        },
        (_, _, Err(error), _) => Seen::Nothing(error),
        (_, _, Ok(now), _) if is_carried_out(plan, &now) => Seen::Done,
        (_, _, Ok(now), _) => Seen::NotDone(Box::new(now)),
    }
}

/// Whether `now` is what would happen after `plan` was carried out, where that leaves something to
/// ask about: an occurrence that was kept, a skeleton with conflicts.
fn is_carried_out(plan: &Preview, now: &Preview) -> bool {
    match (&plan.choice, &plan.verdict, &now.verdict) {
        (Choice::Promotion { occurrence, .. }, _, Verdict::Promotion(now)) => {
            now.already_there && now.meeting.id.0 == occurrence.0
        }
        // Without a conflict the skeleton would be gone.
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

/// Whether a call that ended like this may have been carried out.
fn is_unsure(error: &CallError) -> bool {
    match error {
        CallError::OutcomeUnknown(_) | CallError::Protocol(_) => true,
        CallError::Host { status, .. } => *status >= 500 || *status == 408,
        CallError::Tool(error) => {
            matches!(
                error.code,
                ErrorCode::Internal | ErrorCode::Unavailable | ErrorCode::OutcomeUnknown
            )
        }
        CallError::SignedOut(_)
        | CallError::Forbidden(_)
        | CallError::RateLimited { .. }
        | CallError::Busy { .. }
        | CallError::Unreachable { .. } => false,
    }
}

fn question(plan: &Preview) -> &'static str {
    match &plan.verdict {
        Verdict::Merge(merge) if !merge.skeleton_removed => "Merge what can be merged?",
        Verdict::Merge(_) => "Merge, and remove the skeleton?",
        Verdict::Promotion(_) => "Promote this occurrence?",
        Verdict::Removal(_) | Verdict::Refused(_) => "Remove this meeting?",
    }
}

/// What would happen, in numbers.
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
        Verdict::Merge(merge) if merge.skeleton_removed => format!(
            "The skeleton {} is removed. It cannot be had back.",
            clean(&merge.skeleton.title)
        ),
        Verdict::Merge(_) => format!(
            "{}: both sides stay there, and the skeleton is not removed.",
            count(plan.conflicts(), "conflict", "conflicts")
        ),
        Verdict::Promotion(promotion) if promotion.occurrence_kept => {
            "The occurrence stays where it is, too.".to_owned()
        }
        Verdict::Promotion(_) => "The occurrence leaves its series.".to_owned(),
        Verdict::Removal(_) | Verdict::Refused(_) => {
            "Then the series itself is removed. It cannot be had back.".to_owned()
        }
    });
    lines
}

/// What is typed to confirm it: the title, or the id where a title shows nothing.
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

impl PlanScreen {
    /// The person wants to leave. `true`: something keeps the screen.
    pub(super) fn leave(&mut self, cx: &mut Cx) -> bool {
        if self.end_title(cx) {
            return true;
        }
        match self.stage {
            Stage::Applying { .. } => {
                cx.toast(
                    Mark::Warn,
                    "It is being done: wait for the answer, or it is lost",
                );
                true
            }
            Stage::Checking(_) => {
                cx.raise(Confirm {
                    title: "Leave without knowing?".to_owned(),
                    body: "It may or may not have been done. What is there afterwards is in the \
                           list of series."
                        .to_owned(),
                    then: |state, out| state.cx(out).back(),
                });
                true
            }
            _ => false,
        }
    }
}
