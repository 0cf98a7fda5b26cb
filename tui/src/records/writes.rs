//! Sequential writes without a form. The first failure ends the sequence.

use std::collections::VecDeque;

use super::kind::Tool;
use super::names::reading;
use crate::app::cx::Cx;
use crate::app::effects::effect::{Answer, RequestId, ToolCall, Work};
use crate::app::peer::Peer;
use crate::app::remote::Remote;
use crate::ui::problem::Problem;
use serde_json::{Map, Value};

/// The pending write and those that follow.
#[derive(Debug, Default)]
pub(crate) struct Writes {
    waiting: VecDeque<ToolCall>,
    request: Remote<()>,
    /// The message if one fails: `Not moved`.
    refused: &'static str,
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

impl Writes {
    /// Starts the writes, unless others are pending.
    pub(crate) fn begin(
        &mut self,
        cx: &mut Cx,
        refused: &'static str,
        calls: impl IntoIterator<Item = ToolCall>,
    ) {
        if self.is_busy() {
            return;
        }
        self.refused = refused;
        self.waiting = calls.into_iter().collect();
        self.next(cx);
    }

    fn next(&mut self, cx: &mut Cx) {
        if let Some(call) = self.waiting.pop_front() {
            self.request.begin(cx.run(Work::Call(call)));
        }
    }

    /// Handles an answer. A refusal is reported with its reason.
    pub(crate) fn answered(&mut self, cx: &mut Cx, request: RequestId, answer: &Answer) -> bool {
        if !self.request.waits_for(request) {
            return false;
        }
        let result = answer.result.as_ref().map_err(Clone::clone);
        if let Err(error) = &result {
            self.waiting.clear();
            let (mark, words) = Problem::message(error, self.refused);
            cx.toast(mark, words);
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
