//! Writes without a form: several calls of a host as one, which is undone as a whole. At other servers they are
//! sequential, and the first failure ends the sequence.

use std::collections::VecDeque;

use frontdesk_protocol::ops::batch::{MOST_CALLS, RunBatch};
use frontdesk_protocol::{Declaration, Tool as _};
use serde_json::{Map, Value, json};

use super::kind::Tool;
use super::names::reading;
use crate::app::cx::Cx;
use crate::app::effects::call::{Answer, ToolCall};
use crate::app::owner::RequestId;
use crate::app::peer::Peer;
use crate::app::remote::Remote;
use crate::ui::problem::Problem;

/// The pending write and those that follow.
#[derive(Debug, Default)]
pub(crate) struct Writes {
    waiting: VecDeque<ToolCall>,
    request: Remote<()>,
    /// The message after the last one: `Moved “Arrival”`.
    done: String,
    /// The message if one fails: `Not moved`.
    refused: &'static str,
    /// The kinds of records that a batch changes. Other calls announce theirs themselves.
    changed: Vec<String>,
}

/// A write requested by the user.
pub(crate) fn writing(
    peer: impl Into<Peer>,
    tool: &str,
    arguments: Map<String, Value>,
) -> ToolCall {
    ToolCall {
        changes_nothing: false,
        by_hand: true,
        ..reading(peer, tool, arguments)
    }
}

impl Tool {
    /// A write requested by the user.
    pub(crate) fn writing(&self, arguments: Map<String, Value>) -> ToolCall {
        writing(&self.peer, &self.name, arguments)
    }
}

/// Several calls of a host as one, and the kinds of records that it changes.
fn together(calls: &[ToolCall]) -> Option<(ToolCall, Vec<String>)> {
    let host = calls.first()?.writes_at()?;
    let is_batch = (2..=MOST_CALLS).contains(&calls.len());
    if !is_batch || calls.iter().any(|call| call.writes_at() != Some(host)) {
        return None;
    }
    let tools = calls.iter().filter_map(|call| host.tool(&call.tool));
    let mut changed: Vec<String> = tools.flat_map(Declaration::touches).collect();
    changed.sort_unstable();
    changed.dedup();
    let calls: Vec<Value> = (calls.iter())
        .map(|call| json!({ "tool": call.tool, "arguments": call.arguments }))
        .collect();
    let arguments = Map::from_iter([
        ("host".to_owned(), json!(host)),
        ("calls".to_owned(), calls.into()),
    ]);
    Some((writing(RunBatch::HOST, RunBatch::NAME, arguments), changed))
}

impl Writes {
    /// Starts the writes, unless others are pending.
    pub(crate) fn begin(
        &mut self,
        cx: &mut Cx,
        done: String,
        refused: &'static str,
        calls: impl IntoIterator<Item = ToolCall>,
    ) {
        if self.is_busy() {
            return;
        }
        self.done = done;
        self.refused = refused;
        self.changed.clear();
        let calls: Vec<ToolCall> = calls.into_iter().collect();
        self.waiting = match together(&calls) {
            Some((batch, changed)) => {
                self.changed = changed;
                VecDeque::from([batch])
            }
            None => calls.into(),
        };
        self.next(cx);
    }

    fn next(&mut self, cx: &mut Cx) {
        if let Some(call) = self.waiting.pop_front() {
            self.request.begin(cx.write(call));
        }
    }

    /// Handles an answer. A refusal is reported with its reason.
    pub(crate) fn answered(&mut self, cx: &mut Cx, request: RequestId, answer: &Answer) -> bool {
        if !self.request.waits_for(request) {
            return false;
        }
        let result = answer.result.as_ref().map_err(Clone::clone);
        match &result {
            Ok(reply) if self.waiting.is_empty() => cx.toast_done(&self.done, reply),
            Ok(_) => {}
            Err(error) => {
                self.waiting.clear();
                let (mark, words) = Problem::message(error, self.refused);
                cx.toast(mark, words);
            }
        }
        if result
            .as_ref()
            .err()
            .is_none_or(|error| error.may_be_done())
        {
            for kind in self.changed.drain(..) {
                cx.tell_outdated(&kind);
            }
        }
        self.request.finish(request, cx.now(), result.map(drop));
        self.next(cx);
        true
    }

    /// Whether a write is pending.
    pub(crate) fn is_busy(&self) -> bool {
        self.request.is_loading()
    }
}
