//! The history of calls: what is under way, and what is written down once it has ended.
//!
//! Every call of a tool that a screen makes goes through here, whoever made it: it is noted where work
//! starts and where it ends, and not by the screens.

use std::collections::BTreeMap;

use frontdesk_client::CallError;
use frontdesk_client::history::{Ended, Ending, Entry, Keep};
use frontdesk_protocol::id::UserId;
use jiff::Timestamp;
use serde_json::Value;
use uuid::Uuid;

use super::cx::Cx;
use super::effect::{Outcome, Owner, RequestId, ToolCall, Work};
use super::mark::Mark;
use super::text::clean;

/// The history cannot be read or written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct HistoryError(pub(crate) String);

/// What is kept of the calls so far.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Remembered {
    /// What of a call is kept.
    pub(crate) keep: Keep,
    /// The calls, the newest first.
    pub(crate) entries: Vec<Entry>,
}

/// What is to be taken out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Forget {
    /// One call.
    One(Uuid),
    /// All of the account.
    All,
}

/// The calls that are under way.
#[derive(Debug, Default)]
pub(crate) struct Calls(BTreeMap<RequestId, Begun>);

#[derive(Debug)]
struct Begun {
    call: ToolCall,
    account: Option<UserId>,
    at: Timestamp,
}

impl Cx<'_> {
    /// The account whose history it is.
    pub(crate) fn caller(&self) -> Option<UserId> {
        self.shared.account().map(|account| account.id)
    }

    /// A piece of work begins; it is noted if it is a call that a screen makes.
    pub(super) fn note(&mut self, request: RequestId, work: &Work) {
        if let (Work::Call(call), Owner::Screen(_)) = (work, self.owner)
            && call.by_hand
        {
            let begun = Begun {
                call: call.clone(),
                account: self.caller(),
                at: self.now(),
            };
            self.shared.calls.0.insert(request, begun);
        }
    }

    /// A call has ended, well or not: it is written down.
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

    /// Nobody waits for a call any more: that is written down. What was to change something may have
    /// been done all the same.
    pub(super) fn dropped(&mut self, request: RequestId) {
        let begun = self.shared.calls.0.get(&request);
        let ending = match begun.is_some_and(|begun| begun.call.changes_nothing) {
            true => Ending::Cancelled,
            false => Ending::Failed(CallError::OutcomeUnknown("it was told to stop".to_owned())),
        };
        self.remember(request, ending);
    }

    fn remember(&mut self, request: RequestId, ending: Ending) {
        let Some(Begun { call, account, at }) = self.shared.calls.0.remove(&request) else {
            return;
        };
        let tools = self.shared.tools.get(&call.peer);
        let tool = tools.and_then(|tools| tools.iter().find(|tool| tool.name == call.tool));
        let output = tool.and_then(|tool| tool.output_schema.clone());
        let ended = Ended {
            account,
            peer: call.peer.name().to_owned(),
            tool: call.tool,
            arguments: call.arguments,
            changes_nothing: call.changes_nothing,
            at,
            took: self.now().duration_since(at).try_into().unwrap_or_default(),
            ending,
            input_schema: tool.map_or(Value::Null, |tool| Value::Object(tool.input_schema.clone())),
            output_schema: output.map_or(Value::Null, Value::Object),
        };
        let mut app = self.on_behalf(Owner::App);
        app.run(Work::Remember(Box::new(ended)));
    }
}

/// A call could not be written down, which is in nobody's way.
pub(super) fn written(cx: &mut Cx, result: &Result<(), HistoryError>) {
    if let Err(error) = result {
        let words = format!("Calls are not in the history: {}", clean(&error.0));
        cx.toast(Mark::Warn, words);
    }
}
