//! Calls of tools, and their answers.

use frontdesk_client::CallError;
use frontdesk_protocol::mcp::{Action, CallMeta, Total};
use frontdesk_protocol::{Host, Tool, wire};
use serde_json::{Map, Value};

use crate::app::peer::{Peer, Reply};

/// What a call asks of its peer. All but tools are those of other servers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum Method {
    /// The tool of its name.
    #[default]
    Tool,
    /// The list of resources and of templates of their addresses.
    Resources,
    /// The resource at the address or the template that is its name.
    Read,
    /// The list of prompts.
    Prompts,
    /// The prompt of its name.
    Prompt,
    /// The tasks that were begun at the server.
    Tasks,
    /// The result of the task with this id.
    TaskResult(String),
    /// Suggestions for this argument of the prompt or template that is its name.
    Complete(String),
}

/// The options of a call in addition to its arguments.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct CallOptions {
    /// What is asked, if it is not a tool.
    pub(crate) method: Method,
    /// Make the call, answer with its changes, and roll it back.
    pub(crate) preview: bool,
    /// Apply the plan with this digest, or nothing.
    pub(crate) expected_plan: Option<String>,
    /// A preview and its call, or a repeated call, have the same key.
    pub(crate) idempotency_key: Option<String>,
    /// How a list counts its records.
    pub(crate) total: Option<Total>,
    /// `get_event` has the guests that changed since then.
    pub(crate) guests_since: Option<Box<str>>,
    /// `list_event_guests` adds the last passage of each guest at this place, or at the event itself if it is empty.
    pub(crate) place: Option<Box<str>>,
    /// The values that the call replaces: it is refused if they are others by now.
    pub(crate) was: Option<Box<Map<String, Value>>>,
    /// The action that the call belongs to.
    pub(crate) action: Option<Action>,
}

impl CallOptions {
    /// The options as sent.
    pub(crate) fn meta(&self) -> CallMeta {
        CallMeta {
            preview: self.preview,
            expected_plan: self.expected_plan.clone(),
            idempotency_key: self.idempotency_key.clone(),
            total: self.total,
            guests_since: self.guests_since.as_deref().map(str::to_owned),
            place: self.place.as_deref().map(str::to_owned),
            was: self.was.as_deref().cloned().unwrap_or_default(),
            action: self.action,
            ..CallMeta::default()
        }
    }
}

/// A call of a tool.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ToolCall {
    pub(crate) peer: Peer,
    pub(crate) tool: String,
    pub(crate) arguments: Map<String, Value>,
    pub(crate) options: CallOptions,
    /// It only reads, or is a dry run or a preview.
    pub(crate) changes_nothing: bool,
    /// The user entered the arguments, so the call is recorded in the history.
    pub(crate) by_hand: bool,
}

impl ToolCall {
    /// The call of a declared tool with these arguments.
    pub(crate) fn of<T: Tool>(arguments: &T) -> Self {
        let mut written = Map::new();
        arguments.write_into(&mut written);
        let is_dry_run = written.get("dry_run") == Some(&Value::Bool(true));
        ToolCall {
            peer: Peer::Host(T::HOST),
            tool: T::NAME.to_owned(),
            arguments: written,
            options: CallOptions::default(),
            changes_nothing: T::EFFECT.read_only || is_dry_run,
            by_hand: false,
        }
    }

    /// The answer to this call.
    pub(crate) fn answer(&self, result: Result<Reply, CallError>) -> Answer {
        Answer {
            peer: self.peer.clone(),
            tool: self.tool.clone(),
            written: self.writes_at(),
            allowance: None,
            result,
        }
    }

    /// The host to which it writes.
    pub(crate) fn writes_at(&self) -> Option<Host> {
        self.peer.host().filter(|_| !self.changes_nothing)
    }
}

/// The answer to a tool call.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Answer {
    pub(crate) peer: Peer,
    pub(crate) tool: String,
    /// The host to which the call wrote.
    pub(crate) written: Option<Host>,
    /// How many calls the host still accepts at once, if it says.
    pub(crate) allowance: Option<u32>,
    pub(crate) result: Result<Reply, CallError>,
}

impl Answer {
    /// The answer of this tool; `None` if another tool was called.
    pub(crate) fn of<T: Tool>(&self) -> Option<Result<T::Output, CallError>> {
        if self.tool != T::NAME || self.peer != Peer::Host(T::HOST) {
            return None;
        }
        let decode = |reply: &Reply| {
            wire::read(&reply.value)
                .map_err(|error| CallError::Protocol(format!("{}: {error}", T::NAME)))
        };
        Some(self.result.as_ref().map_err(Clone::clone).and_then(decode))
    }
}
