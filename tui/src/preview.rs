//! Changes with a preview: preview, question, change, and verification if the answer was lost.
//!
//! Exactly the shown plan is applied, or nothing: the call includes the digest of the plan, and a
//! host that would do something else does nothing. After a lost answer, nothing is reported as done
//! or failed before it was verified.

pub(crate) mod banner;
pub(crate) mod changes;
pub(crate) mod for_each;
mod machine;

use std::fmt::Debug;

use frontdesk_client::CallError;
use jiff::Timestamp;

pub(crate) use machine::{IS_DONE, Machine, is_not_found};

use crate::app::effects::call::{Answer, ToolCall};
use crate::app::owner::RequestId;

/// The argument for a dry run.
pub(crate) const DRY_RUN: &str = "dry_run";

/// A preview of a tool, or its applied result.
pub(crate) trait Previewed: Clone + Debug + 'static {
    /// The user's choices. Equal choices lead to the same call.
    type Choice: Clone + PartialEq + Debug;

    /// The dry run for a choice.
    fn dry_run(choice: &Self::Choice) -> ToolCall;

    /// The call that applies the plan with this digest.
    fn real(choice: &Self::Choice, digest: Option<&str>) -> ToolCall {
        real(Self::dry_run(choice), digest)
    }

    /// The call that verifies whether this plan was applied.
    fn check(&self) -> ToolCall {
        Self::dry_run(self.choice())
    }

    /// Reads the answer to the dry run or to the actual call. A refusal with reasons is also a
    /// plan.
    ///
    /// # Errors
    /// The answer is not a plan.
    fn read(choice: &Self::Choice, answer: &Answer) -> Result<Self, CallError>;

    /// The choices of this plan.
    fn choice(&self) -> &Self::Choice;

    /// The digest that identifies the plan in the actual call, if the tool provides one.
    fn digest(&self) -> Option<&str>;

    /// Whether the tool refuses the plan.
    fn is_refused(&self) -> bool {
        false
    }

    /// Why applying it would have no effect.
    fn nothing_to_do(&self) -> Option<&'static str> {
        None
    }

    /// The differences from the current plan, one per line; empty if they are equal.
    fn difference(&self, now: &Self) -> Vec<String>;

    /// Whether this plan was applied, judged from a verification.
    fn judge(&self, look: Look, seen: Result<Self, CallError>) -> Seen<Self>;
}

/// The call that applies a plan, from its dry run.
pub(crate) fn real(mut dry_run: ToolCall, digest: Option<&str>) -> ToolCall {
    // If left out, the tool's default could be a dry run.
    dry_run.arguments.insert(DRY_RUN.to_owned(), false.into());
    dry_run.options.expected_plan = digest.map(str::to_owned);
    dry_run.changes_nothing = false;
    dry_run
}

/// The phase of a plan.
#[derive(Debug)]
pub(crate) enum Phase<P: Previewed> {
    /// The user views the plan and makes choices.
    Choosing,
    /// The user is asked to confirm the plan with this digest.
    Confirming(Option<String>),
    /// The call that applies it is in progress.
    Applying { request: RequestId, plan: Box<P> },
    /// The call was sent, but its outcome is unknown.
    Checking(Box<Check<P>>),
    /// It was applied.
    Done(Box<Done<P>>),
    /// The record to change does not exist.
    Gone(Gone),
}

/// The verification of an unknown outcome.
#[derive(Debug)]
pub(crate) struct Check<P: Previewed> {
    /// The confirmed plan.
    pub(crate) plan: Box<P>,
    /// Why the outcome is unknown.
    pub(crate) why: CallError,
    /// The request in progress, and what it verifies.
    pub(crate) request: Option<(RequestId, Look)>,
    /// The choices in that request.
    asked: P::Choice,
    /// Why the last verification failed.
    pub(crate) error: Option<CallError>,
}

/// The subject of a verification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Look {
    /// The current plan.
    Preview,
    /// Whether the record to create exists.
    Made,
}

/// The result of a verification.
#[derive(Debug)]
pub(crate) enum Seen<P: Previewed> {
    /// The plan was applied.
    Done,
    /// It was not applied; the current plan.
    NotDone(P),
    /// The data changed, possibly by this plan; the current plan.
    Unclear(P),
    /// The record is gone, without a visible result of this plan.
    Gone,
    /// The record is gone. Verify with these choices whether this plan was the cause.
    LookAt(P::Choice),
    /// It was not applied, because the data changed since it was shown.
    Outdated,
    /// The verification failed.
    Nothing(CallError),
}

/// An applied plan.
#[derive(Debug)]
pub(crate) struct Done<P> {
    /// The applied plan, as returned by the host.
    pub(crate) plan: P,
    /// When this became known.
    pub(crate) at: Timestamp,
    /// How this became known.
    pub(crate) source: Source,
    /// Its change in the history, if the host answered.
    pub(crate) change: Option<String>,
}

/// How the application of a plan became known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    /// The host answered.
    Answer,
    /// The answer was lost, but the verification succeeded. The plan is the confirmed one, which a
    /// host applies completely or not at all.
    Look,
}

/// Why the record to change does not exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gone {
    /// It did not exist when the screen was opened.
    NeverSeen,
    /// Somebody else removed it while it was shown.
    Meanwhile,
    /// It was removed after a lost answer, and the expected result does not exist.
    AfterLoss,
}

/// A message about the plan.
#[derive(Debug)]
pub(crate) enum Notice<P> {
    /// The data changed after the confirmation, so nothing was done. Includes the differences once
    /// the new plan is loaded.
    Changed {
        before: Box<P>,
        lines: Option<Vec<String>>,
    },
    /// It was not applied, according to the verification. Includes any differences.
    NotDone { at: Timestamp, lines: Vec<String> },
    /// The current data does not show whether it was applied.
    Unclear { at: Timestamp, lines: Vec<String> },
    /// It failed without effect.
    Failed(CallError),
}
