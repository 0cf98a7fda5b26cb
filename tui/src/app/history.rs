//! The history of calls: calls in progress, and recording of finished ones.
//!
//! Every tool call of a screen is recorded here, where work starts and ends, not by the screens.

use std::collections::BTreeMap;

use frontdesk_client::CallError;
use frontdesk_client::history::{Ended, Ending, Keep, RecordedCall};
use frontdesk_protocol::id::UserId;
use jiff::Timestamp;
use serde_json::Value;
use uuid::Uuid;

use super::cx::Cx;
use super::peer::Peer;
use crate::app::effects::effect::{Outcome, Owner, RequestId, ToolCall, Work};
use crate::look::mark::Mark;
use crate::look::text::clean;

/// The history cannot be read or written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct HistoryError(pub(crate) String);

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

/// The calls in progress.
#[derive(Debug, Default)]
pub(crate) struct Calls(BTreeMap<RequestId, Begun>);

#[derive(Debug)]
struct Begun {
    call: ToolCall,
    account: Option<UserId>,
    at: Timestamp,
    /// It will be in the history.
    is_recorded: bool,
}

impl Calls {
    /// The tools of the calls in progress that may write.
    pub(crate) fn writes(&self) -> Vec<&str> {
        let calls = self.0.values().map(|begun| &begun.call);
        let writes = calls.filter(|call| !call.changes_nothing);
        writes.map(|call| call.tool.as_ref()).collect()
    }
}

impl Cx<'_> {
    /// The account that owns the history.
    pub(crate) fn caller(&self) -> Option<UserId> {
        self.shared.account().map(|account| account.id)
    }

    /// Notes the start of work, if it is a write or a call of a screen.
    pub(super) fn note(&mut self, request: RequestId, work: &Work) {
        let Work::Call(call) = work else { return };
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
        let mut app = self.on_behalf(Owner::App);
        app.run(Work::Remember(Box::new(ended)));
    }
}

/// Logs a failure to record a call, which needs no reaction.
pub(super) fn written(cx: &mut Cx, result: &Result<(), HistoryError>) {
    if let Err(error) = result {
        let words = format!("Calls are not in the history: {}", clean(&error.0));
        cx.toast(Mark::Warn, words);
    }
}
