//! The steps of a plan: preview, confirm, apply, verify.

use frontdesk_client::CallError;
use frontdesk_protocol::{Declaration, ErrorCode, ToolError};

use super::{Check, Done, Gone, Look, Notice, Phase, Previewed, Seen, Source};
use crate::app::cx::{Cx, News};
use crate::app::effects::call::Answer;
use crate::app::owner::RequestId;
use crate::app::remote::Remote;
use crate::look::mark::Mark;
use crate::ui::confirm::Confirm;

/// Why a plan cannot be applied again.
pub(crate) const IS_DONE: &str = "it was done";

/// The question when the user leaves before the outcome is known.
const LEAVING: &str = "Leave without knowing?";

/// A plan in progress. Display and questions belong to its screen.
#[derive(Debug)]
pub(crate) struct Machine<P: Previewed> {
    pub(crate) choice: P::Choice,
    /// The preview for the current choice, or for the previous one.
    pub(crate) preview: Remote<P>,
    pub(crate) phase: Phase<P>,
    /// What changed since the plan was shown.
    pub(crate) notice: Option<Notice<P>>,
}

impl<P: Previewed> Machine<P> {
    /// A plan without a preview yet.
    pub(crate) fn new(choice: P::Choice) -> Self {
        Machine {
            choice,
            preview: Remote::Idle,
            phase: Phase::Choosing,
            notice: None,
        }
    }

    /// The plan to show: the preview, or the applied plan.
    pub(crate) fn shown(&self) -> Option<&P> {
        match &self.phase {
            Phase::Done(done) => Some(&done.plan),
            Phase::Applying { plan, .. } => Some(plan),
            Phase::Checking(check) => Some(&check.plan),
            Phase::Gone(_) => None,
            Phase::Choosing | Phase::Confirming(_) => self.preview.value(),
        }
    }

    /// Whether the user can still choose.
    pub(crate) fn is_open(&self) -> bool {
        matches!(self.phase, Phase::Choosing | Phase::Confirming(_))
    }

    /// Whether the user waits for an answer.
    pub(crate) fn is_busy(&self) -> bool {
        match &self.phase {
            Phase::Applying { .. } => true,
            Phase::Checking(check) => check.request.is_some(),
            Phase::Choosing | Phase::Confirming(_) => self.preview.is_loading(),
            Phase::Done(_) | Phase::Gone(_) => false,
        }
    }

    /// Changes the choice and requests its preview.
    pub(crate) fn choose(&mut self, cx: &mut Cx, choice: P::Choice) {
        if self.is_open() && choice != self.choice {
            self.choice = choice;
            self.notice = None;
            self.ask(cx);
        }
    }

    /// Requests the preview of the current choice.
    pub(crate) fn ask(&mut self, cx: &mut Cx) {
        self.phase = Phase::Choosing;
        cx.abort(self.preview.request());
        let request = cx.send(P::dry_run(&self.choice));
        self.preview.begin(request);
    }

    /// Reloads everything at the user's request.
    pub(crate) fn refresh(&mut self, cx: &mut Cx) {
        match &self.phase {
            Phase::Choosing | Phase::Confirming(_) | Phase::Gone(_) => {
                self.notice = None;
                self.ask(cx);
            }
            Phase::Checking(_) => self.look_again(cx),
            Phase::Applying { .. } | Phase::Done(_) => {}
        }
    }

    /// Reacts to a sign-in, and to changes of records that the plan changes.
    pub(crate) fn notified(&mut self, cx: &mut Cx, news: &News) {
        let is_outdated = self.kinds().iter().any(|kind| news.outdates(kind));
        if is_outdated && self.is_open() && self.preview.value().is_some() {
            self.ask(cx);
        }
        if !matches!(news, News::SignedIn) {
            return;
        }
        match &self.phase {
            Phase::Choosing | Phase::Confirming(_)
                if self.preview.error().is_some()
                    || matches!(self.notice, Some(Notice::Failed(_))) =>
            {
                self.notice = None;
                self.ask(cx);
            }
            Phase::Checking(check) if check.request.is_none() => self.look_again(cx),
            _ => {}
        }
    }

    /// Why the plan can no longer be applied.
    pub(crate) fn too_late(&self) -> Option<&'static str> {
        match &self.phase {
            Phase::Applying { .. } => Some("it is being done"),
            Phase::Checking(_) => Some("it is not known yet whether it was done"),
            Phase::Done(_) => Some(IS_DONE),
            Phase::Gone(_) => Some("the record no longer exists"),
            Phase::Choosing | Phase::Confirming(_) => None,
        }
    }

    /// Why the plan that is shown cannot be applied.
    pub(crate) fn no_true_plan(&self) -> Option<&'static str> {
        match &self.preview {
            Remote::Idle | Remote::Loading { .. } => Some("the plan is still loading"),
            Remote::Failed { .. } => Some("there is no plan, as the screen says"),
            Remote::Ready(seen) if *seen.value.choice() != self.choice => {
                Some("the plan is for another choice")
            }
            Remote::Ready(seen) if seen.value.is_refused() => {
                Some("the host refuses, as the screen says")
            }
            Remote::Ready(seen) => seen.value.nothing_to_do(),
        }
    }

    /// The plan to confirm, if it can be applied.
    pub(crate) fn confirm(&mut self) -> Option<&P> {
        if self.too_late().or_else(|| self.no_true_plan()).is_some() {
            return None;
        }
        let Remote::Ready(seen) = &self.preview else {
            return None;
        };
        self.phase = Phase::Confirming(seen.value.digest().map(str::to_owned));
        Some(&seen.value)
    }

    /// Applies the plan if it is still the confirmed one and the screen agrees.
    pub(crate) fn apply(&mut self, cx: &mut Cx, is_fine: bool) {
        let Phase::Confirming(confirmed) = &self.phase else {
            return;
        };
        let seen = match (&self.preview, self.no_true_plan()) {
            (Remote::Ready(seen), None)
                if is_fine && seen.value.digest() == confirmed.as_deref() =>
            {
                seen
            }
            _ => {
                cx.toast(Mark::Warn, "Nothing was changed; check the plan again");
                return;
            }
        };
        let plan = Box::new(seen.value.clone());
        let call = P::real(plan.choice(), plan.digest());
        let request = cx.send(call);
        self.notice = None;
        self.phase = Phase::Applying { request, plan };
    }

    /// Whether leaving needs a question: the plan is being applied, or its outcome is unknown.
    pub(crate) fn keeps(&self, cx: &mut Cx) -> bool {
        match self.phase {
            Phase::Applying { .. } => {
                cx.toast(Mark::Warn, "In progress; wait for the answer");
                true
            }
            Phase::Checking(_) => {
                cx.raise(Confirm {
                    title: LEAVING.to_owned(),
                    body: "It may or may not have been done. The lists show the result.".to_owned(),
                    then: |state, out| state.cx(out).back(),
                });
                true
            }
            _ => false,
        }
    }

    /// Handles the answer to a preview, an application or a verification.
    pub(crate) fn answered(&mut self, cx: &mut Cx, request: RequestId, answer: &Answer) {
        match &self.phase {
            Phase::Applying { request: sent, .. } if *sent == request => self.applied(cx, answer),
            Phase::Checking(_) => self.looked(cx, request, answer),
            _ => self.previewed(cx, request, answer),
        }
    }

    fn previewed(&mut self, cx: &mut Cx, request: RequestId, answer: &Answer) {
        if !self.preview.waits_for(request) {
            return;
        }
        let result = P::read(&self.choice, answer);
        if let Err(error) = &result
            && is_not_found(error)
        {
            let gone = match self.preview.value() {
                Some(_) => Gone::Meanwhile,
                None => Gone::NeverSeen,
            };
            self.preview = Remote::Idle;
            self.phase = Phase::Gone(gone);
            return;
        }
        self.preview.finish(request, cx.now(), result);
        if let (Some(Notice::Changed { before, lines }), Remote::Ready(now)) =
            (&mut self.notice, &self.preview)
        {
            *lines = Some(before.difference(&now.value));
        }
    }

    fn applied(&mut self, cx: &mut Cx, answer: &Answer) {
        let phase = std::mem::replace(&mut self.phase, Phase::Choosing);
        let Phase::Applying { plan, .. } = phase else {
            self.phase = phase;
            return;
        };
        match P::read(plan.choice(), answer) {
            Ok(done) if !done.is_refused() => self.done(cx, done, Source::Answer),
            // The host now refuses something that it accepted before.
            Ok(_) => self.look_what_changed(cx, plan),
            Err(error) if error.may_be_done() => {
                self.phase = Phase::Checking(Box::new(Check {
                    asked: plan.choice().clone(),
                    plan,
                    why: error,
                    request: None,
                    error: None,
                }));
                self.look_again(cx);
            }
            Err(error) if is_not_found(&error) => self.gone(cx, Gone::Meanwhile),
            Err(CallError::Tool(ToolError {
                code: ErrorCode::Conflict | ErrorCode::Refused,
                ..
            })) => self.look_what_changed(cx, plan),
            Err(error) => self.notice = Some(Notice::Failed(error)),
        }
    }

    fn done(&mut self, cx: &mut Cx, plan: P, source: Source) {
        let at = cx.now();
        self.tell(cx);
        let change = cx.shared.undoable().map(str::to_owned);
        self.phase = Phase::Done(Box::new(Done {
            plan,
            at,
            source,
            change: change.filter(|_| source == Source::Answer),
        }));
    }

    fn gone(&mut self, cx: &mut Cx, how: Gone) {
        self.phase = Phase::Gone(how);
        self.tell(cx);
    }

    /// The kinds of records that the tool changes, if it is declared.
    fn kinds(&self) -> Vec<String> {
        let call = P::dry_run(&self.choice);
        let declared = call.peer.declared(&call.tool);
        declared.map_or_else(Vec::new, Declaration::touches)
    }

    /// Announces that the records of the tool must be reloaded.
    fn tell(&self, cx: &mut Cx) {
        for kind in self.kinds() {
            cx.tell_outdated(&kind);
        }
    }

    /// The plan is out of date: requests a new preview.
    fn look_what_changed(&mut self, cx: &mut Cx, before: Box<P>) {
        self.notice = Some(Notice::Changed {
            before,
            lines: None,
        });
        self.ask(cx);
    }

    /// Checks whether the plan was applied, by requesting a new preview.
    fn look_again(&mut self, cx: &mut Cx) {
        if let Phase::Checking(check) = &mut self.phase
            && check.request.is_none()
        {
            check.asked = check.plan.choice().clone();
            let request = cx.send(check.plan.check());
            check.request = Some((request, Look::Preview));
            check.error = None;
        }
    }

    fn looked(&mut self, cx: &mut Cx, request: RequestId, answer: &Answer) {
        let phase = std::mem::replace(&mut self.phase, Phase::Choosing);
        let Phase::Checking(mut check) = phase else {
            self.phase = phase;
            return;
        };
        let look = match check.request {
            Some((sent, look)) if sent == request => look,
            _ => {
                self.phase = Phase::Checking(check);
                return;
            }
        };
        check.request = None;
        let seen = P::read(&check.asked, answer);
        let at = cx.now();
        match check.plan.judge(look, seen) {
            Seen::Done => self.done(cx, *check.plan, Source::Look),
            Seen::NotDone(now) => {
                let lines = check.plan.difference(&now);
                self.notice = Some(Notice::NotDone { at, lines });
                self.preview = Remote::known(now, at);
            }
            Seen::Unclear(now) => {
                let lines = check.plan.difference(&now);
                self.notice = Some(Notice::Unclear { at, lines });
                self.tell(cx);
                self.preview = Remote::known(now, at);
            }
            Seen::Gone => self.gone(cx, Gone::AfterLoss),
            Seen::LookAt(choice) => {
                let request = cx.send(P::dry_run(&choice));
                check.asked = choice;
                check.request = Some((request, Look::Made));
                self.phase = Phase::Checking(check);
            }
            Seen::Outdated => self.look_what_changed(cx, check.plan),
            Seen::Nothing(error) => {
                check.error = Some(error);
                self.phase = Phase::Checking(check);
            }
        }
        if !matches!(self.phase, Phase::Checking(_)) {
            cx.then(|state, _| Confirm::withdraw(state, LEAVING));
        }
    }
}

/// Whether the error means that the record does not exist.
pub(crate) fn is_not_found(error: &CallError) -> bool {
    matches!(error, CallError::Tool(error) if error.code == ErrorCode::NotFound)
}

#[cfg(test)]
mod tests;
