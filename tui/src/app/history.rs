//! The history of calls: calls in progress, and recording of finished ones.
//!
//! Every tool call of a screen is recorded here, where work starts and ends, not by the screens.

use std::sync::Arc;

use frontdesk_client::CallError;
use frontdesk_client::history::{Ended, Ending, Keep, RecordedCall};
use frontdesk_protocol::id::UserId;
use serde_json::Value;
use uuid::Uuid;

use super::cx::Cx;
use super::owner::{Owner, RequestId};
use super::peer::Peer;
use super::reporter::Reporter;
use crate::app::calls::Begun;
use crate::app::effects::call::ToolCall;
use crate::app::effects::disk::{DiskError, on_disk};
use crate::app::effects::job::{Job, Outcome};
use crate::app::effects::platform::Platform;
use crate::look::mark::Mark;
use crate::look::text::clean;

/// The recorded calls.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Remembered {
    /// Which parts of calls are kept.
    pub(crate) keep: Keep,
    /// The calls, the newest first.
    pub(crate) entries: Vec<RecordedCall>,
}

/// The calls to delete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Forget {
    /// One call.
    One(Uuid),
    /// All calls of the account.
    All,
}

/// Records a finished call.
#[derive(Debug)]
pub(crate) struct Remember(pub(crate) Ended);

impl Job for Remember {
    type Value = ();
    type Error = DiskError;
    const WRITES: bool = true;

    async fn run(self: Arc<Self>, platform: Platform, _: Reporter) -> Result<(), DiskError> {
        on_disk(move || platform.history().remember(&self.0)).await
    }
}

/// Reads the recorded calls of an account, or those without one.
#[derive(Debug)]
pub(crate) struct ReadHistory(pub(crate) Option<UserId>);

impl Job for ReadHistory {
    type Value = Remembered;
    type Error = DiskError;

    async fn run(
        self: Arc<Self>,
        platform: Platform,
        _: Reporter,
    ) -> Result<Remembered, DiskError> {
        let history = platform.history();
        let keep = history.keep();
        let entries = on_disk(move || history.entries(self.0)).await?;
        Ok(Remembered { keep, entries })
    }
}

/// Deletes recorded calls of an account.
#[derive(Debug)]
pub(crate) struct ForgetCalls(pub(crate) Option<UserId>, pub(crate) Forget);

impl Job for ForgetCalls {
    type Value = ();
    type Error = DiskError;
    const WRITES: bool = true;

    async fn run(self: Arc<Self>, platform: Platform, _: Reporter) -> Result<(), DiskError> {
        let history = platform.history();
        on_disk(move || match self.1 {
            Forget::One(id) => history.forget(self.0, id),
            Forget::All => history.clear(self.0),
        })
        .await
    }
}

impl Cx<'_> {
    /// The account that owns the history.
    pub(crate) fn caller(&self) -> Option<UserId> {
        self.shared.account().map(|account| account.id)
    }

    /// Notes the start of a call, if it is a write or one of a screen.
    pub(super) fn note(&mut self, request: RequestId, call: &ToolCall) {
        let is_recorded = call.by_hand && matches!(self.owner, Owner::Screen(_));
        if is_recorded || call.options.idempotency_key.is_some() {
            let (account, at) = (self.caller(), self.now());
            self.shared.undecided.sent(call, at);
            let call = call.clone();
            let begun = Begun {
                call,
                account,
                at,
                is_recorded,
            };
            self.shared.calls.0.insert(request, begun);
        }
    }

    /// Records a finished call.
    pub(super) fn ended(&mut self, request: RequestId, outcome: &Outcome) {
        let ending = match outcome {
            Outcome::Call(answer) => match &answer.result {
                Ok(reply) => Ending::Done(reply.value.clone()),
                Err(error) => Ending::Failed(error.clone()),
            },
            _ => return,
        };
        self.remember(request, ending);
    }

    /// Records a cancelled call. A write may have been executed.
    pub(super) fn dropped(&mut self, request: RequestId) {
        let begun = self.shared.calls.0.get(&request);
        let ending = match begun.is_some_and(|begun| begun.call.changes_nothing) {
            true => Ending::Cancelled,
            false => Ending::Failed(CallError::no_answer("it was cancelled")),
        };
        self.remember(request, ending);
    }

    /// Stops waiting for a call that goes on as a task.
    pub(crate) fn leave_task(&mut self, request: RequestId) {
        self.remember(request, Ending::Done("it goes on as a task".into()));
        self.abort(Some(request));
    }

    fn remember(&mut self, request: RequestId, ending: Ending) {
        let Some(begun) = self.shared.calls.0.remove(&request) else {
            return;
        };
        let (call, at) = (begun.call, begun.at);
        // A failure says nothing of an attempt before it, and a refused call does not use up its key.
        if matches!(ending, Ending::Done(_)) {
            self.shared.undecided.decided(&call);
        }
        if !begun.is_recorded {
            return;
        }
        let tools = self.shared.tools.get(&call.peer);
        let tool = tools.and_then(|tools| tools.iter().find(|tool| tool.name == call.tool));
        let [input_schema, output_schema] = match (tool, &call.peer) {
            (Some(tool), _) => {
                let output = tool
                    .output_schema
                    .clone()
                    .map_or(Value::Null, Value::Object);
                [Value::Object(tool.input_schema.clone()), output]
            }
            // Not loaded yet, or not offered.
            (None, Peer::Host(host)) => host
                .tool(&call.tool)
                .map_or([const { Value::Null }; 2], |tool| {
                    [tool.input_schema(), tool.output_schema()]
                }),
            (None, Peer::Server(_)) => [const { Value::Null }; 2],
        };
        let ended = Ended {
            account: begun.account,
            peer: call.peer.name().to_owned(),
            tool: call.tool,
            arguments: call.arguments,
            changes_nothing: call.changes_nothing,
            at,
            took: self.now().duration_since(at).try_into().unwrap_or_default(),
            ending,
            key: call.options.idempotency_key,
            input_schema,
            output_schema,
        };
        self.run_then(Remember(ended), |cx, ended| {
            if let Err(error) = ended.result {
                let words = format!("Calls are not in the history: {}", clean(&error.0));
                cx.toast(Mark::Warn, words);
            }
        });
    }
}
