//! Jobs: work outside the loop. A job is a value of the feature that needs it, with a run of its own and an answer of its
//! own type. The core starts it, and passes its end to the owner.

use std::any::{Any, type_name};
use std::fmt::Debug;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use frontdesk_client::CallError;

use super::call::{Answer, ToolCall};
use super::disk::DiskError;
use super::editor::EditorError;
use super::platform::Platform;
use crate::app::reporter::Reporter;

/// Work outside the loop, which ends exactly once.
pub(crate) trait Job: Debug + Send + Sync + 'static {
    /// Its result.
    type Value: Debug + Send + 'static;
    /// Why it failed.
    type Error: Failure;

    /// Whether the app waits for its end before it quits: it writes to disk, or cannot be undone.
    const WRITES: bool = false;
    /// Whether it goes on as long as it is wanted, so that nothing waits for its end.
    const LASTS: bool = false;
    /// Whether its success shows that the hosts can be reached.
    const REACHES: bool = false;

    /// Does the work. Progress and questions of servers go to `reporter`.
    ///
    /// # Errors
    /// As its type says.
    fn run(
        self: Arc<Self>,
        platform: Platform,
        reporter: Reporter,
    ) -> impl Future<Output = Result<Self::Value, Self::Error>> + Send;
}

/// The failure of a job.
pub(crate) trait Failure: From<Lost> + Debug + Send + 'static {
    /// The error of its call, if it made one.
    fn of_call(&self) -> Option<&CallError> {
        None
    }
}

/// The task of a job ended without a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the task that did it ended early")]
pub(crate) struct Lost;

impl Failure for Lost {}

impl From<Lost> for CallError {
    fn from(lost: Lost) -> Self {
        CallError::no_answer(lost.to_string())
    }
}

impl Failure for CallError {
    fn of_call(&self) -> Option<&CallError> {
        Some(self)
    }
}

impl From<Lost> for String {
    fn from(lost: Lost) -> Self {
        lost.to_string()
    }
}

/// A reason as a sentence.
impl Failure for String {}

impl From<Lost> for DiskError {
    fn from(lost: Lost) -> Self {
        DiskError(lost.to_string())
    }
}

impl Failure for DiskError {}

/// A job that has ended, and its result.
#[derive(Debug)]
pub(crate) struct Ended<J: Job> {
    pub(crate) job: Arc<J>,
    pub(crate) result: Result<J::Value, J::Error>,
}

/// Asynchronous work. Each ends with exactly one [`Outcome`].
#[derive(Debug, Clone)]
pub(crate) enum Work {
    /// Call a tool.
    Call(Box<ToolCall>),
    /// Run a job.
    Job(Arc<dyn AnyJob>),
}

/// The result of work.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// The answer of a tool.
    Call(Answer),
    /// The edited text.
    Edited(Result<String, EditorError>),
    /// The end of a job.
    Job(Box<dyn AnyEnd>),
    /// Its receiver has taken it.
    Taken,
}

/// Work in progress.
pub(crate) type Working = Pin<Box<dyn Future<Output = Outcome> + Send>>;

/// A [`Job`] of any type.
pub(crate) trait AnyJob: Any + Debug + Send + Sync {
    /// The name of its type.
    fn name(&self) -> &'static str;
    /// As [`Job::WRITES`].
    fn writes(&self) -> bool;
    /// As [`Job::LASTS`].
    fn lasts(&self) -> bool;
    /// Starts it.
    fn start(self: Arc<Self>, platform: Platform, reporter: Reporter) -> Working;
    /// Its end if its task ended without a result.
    fn lost(self: Arc<Self>) -> Outcome;
}

impl<J: Job> AnyJob for J {
    fn name(&self) -> &'static str {
        let path = type_name::<J>();
        path.rsplit("::").next().unwrap_or(path)
    }

    fn writes(&self) -> bool {
        J::WRITES
    }

    fn lasts(&self) -> bool {
        J::LASTS
    }

    fn start(self: Arc<Self>, platform: Platform, reporter: Reporter) -> Working {
        Box::pin(async move {
            let result = Arc::clone(&self).run(platform, reporter).await;
            Outcome::of(self, result)
        })
    }

    fn lost(self: Arc<Self>) -> Outcome {
        Outcome::of(self, Err(Lost.into()))
    }
}

/// An [`Ended`] of any job.
pub(crate) trait AnyEnd: Any + Debug + Send {
    /// The error, if a call failed.
    fn error(&self) -> Option<&CallError>;
    /// Whether it shows that the hosts can be reached.
    fn reaches(&self) -> bool;
}

impl<J: Job> AnyEnd for Ended<J> {
    fn error(&self) -> Option<&CallError> {
        self.result.as_ref().err()?.of_call()
    }

    fn reaches(&self) -> bool {
        J::REACHES && self.result.is_ok()
    }
}

impl Work {
    /// The outcome if the task ended without a result.
    pub(crate) fn lost(self) -> Outcome {
        match self {
            Work::Call(call) => Outcome::Call(call.answer(Err(Lost.into()))),
            Work::Job(job) => job.lost(),
        }
    }

    /// Whether it writes to disk, or may change a host.
    pub(crate) fn writes(&self) -> bool {
        match self {
            Work::Call(call) => !call.changes_nothing,
            Work::Job(job) => job.writes(),
        }
    }

    /// Whether nothing waits for its end.
    pub(crate) fn lasts(&self) -> bool {
        matches!(self, Work::Job(job) if job.lasts())
    }

    /// The tool of a call, or the name of a job.
    pub(crate) fn name(&self) -> &str {
        match self {
            Work::Call(call) => &call.tool,
            Work::Job(job) => job.name(),
        }
    }

    /// The job, if it has this type.
    pub(crate) fn job<J: Job>(&self) -> Option<Arc<J>> {
        match self {
            Work::Job(job) => {
                let job: Arc<dyn Any + Send + Sync> = Arc::clone(job) as _;
                job.downcast().ok()
            }
            Work::Call(_) => None,
        }
    }
}

impl Outcome {
    /// The end of a job with this result.
    pub(crate) fn of<J: Job>(job: Arc<J>, result: Result<J::Value, J::Error>) -> Self {
        Outcome::Job(Box::new(Ended { job, result }))
    }

    /// The end of a job of this type.
    pub(crate) fn end<J: Job>(&self) -> Option<&Ended<J>> {
        match self {
            Outcome::Job(end) => {
                let end: &dyn Any = end.as_ref();
                end.downcast_ref()
            }
            _ => None,
        }
    }

    /// Takes the end of a job of this type.
    pub(crate) fn take<J: Job>(&mut self) -> Option<Ended<J>> {
        self.end::<J>()?;
        match std::mem::replace(self, Outcome::Taken) {
            Outcome::Job(end) => {
                let end: Box<dyn Any> = end;
                end.downcast().ok().map(|end| *end)
            }
            _ => None,
        }
    }

    /// The error, if a call failed.
    pub(crate) fn error(&self) -> Option<&CallError> {
        match self {
            Outcome::Call(answer) => answer.result.as_ref().err(),
            Outcome::Job(end) => end.error(),
            Outcome::Edited(_) | Outcome::Taken => None,
        }
    }

    /// Whether it shows that the hosts can be reached.
    pub(crate) fn reaches(&self) -> bool {
        match self {
            Outcome::Call(answer) => answer.peer.host().is_some() && answer.result.is_ok(),
            Outcome::Job(end) => end.reaches(),
            Outcome::Edited(_) | Outcome::Taken => false,
        }
    }
}
