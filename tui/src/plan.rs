//! A change that is tried first: what would happen, a question, the change, and what became of it
//! where no answer came.
//!
//! What is done is the plan that was shown, to the letter, or nothing: the real call carries the
//! digest of the plan, and a host that would do something else does nothing. Where no answer comes,
//! nothing is called done or failed before it was looked at again.

pub(crate) mod banner;
mod machine;

use std::fmt::Debug;

use frontdesk_client::CallError;
use jiff::Timestamp;

pub(crate) use machine::{IS_DONE, Machine, is_not_found};

use crate::app::effect::{Answer, RequestId, ToolCall};

/// The argument with which a tool only says what it would do.
pub(crate) const DRY_RUN: &str = "dry_run";

/// What a tool says that it would do, or did.
pub(crate) trait Plan: Clone + Debug + 'static {
    /// What was asked for. Two that are equal ask for the same.
    type Choice: Clone + PartialEq + Debug;

    /// The call that tries it, and writes nothing.
    fn trial(choice: &Self::Choice) -> ToolCall;

    /// Reads the answer to the trial or to the real call. A refusal that says what stands in the way
    /// is an answer, too.
    ///
    /// # Errors
    /// The tool did not say what would happen.
    fn read(choice: &Self::Choice, answer: &Answer) -> Result<Self, CallError>;

    /// What was asked for.
    fn choice(&self) -> &Self::Choice;

    /// What stands for the plan in the real call, if the tool gave anything.
    fn digest(&self) -> Option<&str>;

    /// Whether the tool refuses.
    fn is_refused(&self) -> bool {
        false
    }

    /// Why doing it would do nothing.
    fn nothing_to_do(&self) -> Option<&'static str> {
        None
    }

    /// What differs in the plan of now, a line each; nothing where they are the same.
    fn difference(&self, now: &Self) -> Vec<String>;

    /// Whether this plan was carried out, from what a look shows.
    fn judge(&self, look: Look, seen: Result<Self, CallError>) -> Seen<Self>;
}

/// The call that carries out a plan, from the one that tried it.
pub(crate) fn real(mut trial: ToolCall, digest: Option<&str>) -> ToolCall {
    // Left out it could be a dry run again: that is for the tool to say.
    trial.arguments.insert(DRY_RUN.to_owned(), false.into());
    trial.expected_plan = digest.map(str::to_owned);
    trial.changes_nothing = false;
    trial
}

/// How far it has come.
#[derive(Debug)]
pub(crate) enum Stage<P: Plan> {
    /// The person looks, and chooses.
    Choosing,
    /// The person is asked about the plan of this digest.
    Confirming(Option<String>),
    /// The call that does it is under way.
    Applying { request: RequestId, plan: Box<P> },
    /// The call was sent, and it is not known whether it was done.
    Checking(Check<P>),
    /// It was done.
    Done(Box<Done<P>>),
    /// There is nothing left that it could be done to.
    Gone(Gone),
}

/// Looking again whether something was done.
#[derive(Debug)]
pub(crate) struct Check<P: Plan> {
    /// What was confirmed.
    pub(crate) plan: Box<P>,
    /// Why it is not known.
    pub(crate) why: CallError,
    /// The look that is under way, and what is looked at.
    pub(crate) request: Option<(RequestId, Look)>,
    /// What was asked in that look.
    asked: P::Choice,
    /// Why the last look did not help.
    pub(crate) error: Option<CallError>,
}

/// What is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Look {
    /// What would happen now.
    Plan,
    /// Whether what was to be made is there.
    Made,
}

/// What a look showed.
#[derive(Debug)]
pub(crate) enum Seen<P: Plan> {
    /// It was done.
    Done,
    /// It was not done; this would happen now.
    NotDone(P),
    /// Other data is there now: whether that is this plan's doing cannot be told. This would happen
    /// now.
    Unclear(P),
    /// What it was to be done to is gone, and nothing that one can see was made of it.
    Gone,
    /// What it was to be done to is gone; whether this could be done tells who did it.
    LookAt(P::Choice),
    /// Nothing.
    Nothing(CallError),
}

/// What was done.
#[derive(Debug)]
pub(crate) struct Done<P> {
    /// The plan that was carried out, as the host told it.
    pub(crate) plan: P,
    /// When this was known.
    pub(crate) at: Timestamp,
    /// How it is known.
    pub(crate) source: Source,
}

/// How it is known that something was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    /// The host answered.
    Answer,
    /// The answer was lost; looking again showed it. The plan is the one that was confirmed, which
    /// the host carries out as it is, or not at all.
    Look,
}

/// Nothing is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gone {
    /// It was not there when the screen was opened.
    NeverSeen,
    /// It went while the person looked at it: somebody else did that.
    Meanwhile,
    /// It went after a call whose answer was lost, and what that call makes is not there.
    AfterLoss,
}

/// What was learned beside the plan.
#[derive(Debug)]
pub(crate) enum Notice<P> {
    /// The data changed after this plan was confirmed; nothing was done. With what differs, once the
    /// new plan is there.
    Changed {
        before: Box<P>,
        lines: Option<Vec<String>>,
    },
    /// It was not done, as a second look showed. With what differs, if something does.
    NotDone { at: Timestamp, lines: Vec<String> },
    /// Whether it was done cannot be told from what is there now.
    Unclear { at: Timestamp, lines: Vec<String> },
    /// It could not be done, and nothing was.
    Failed(CallError),
}
