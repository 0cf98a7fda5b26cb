//! Hosts of the service and configured servers, as callees of tools.

use std::borrow::Cow;

use frontdesk_client::{CallResult, Content};
use frontdesk_protocol::changes::Changes;
use frontdesk_protocol::id::ChangeId;
use frontdesk_protocol::{Declaration, Host};
use serde_json::Value;

use crate::look::text::clean;

/// A callee. Hosts sort before servers.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Peer {
    /// A host of the service.
    Host(Host),
    /// A third-party MCP server, by its name in the configuration.
    Server(String),
}

impl Peer {
    /// The name on the command line.
    pub(crate) fn name(&self) -> &str {
        match self {
            Peer::Host(host) => host.area(),
            Peer::Server(name) => name,
        }
    }

    /// The name in headings, safe to draw.
    pub(crate) fn title(&self) -> Cow<'_, str> {
        match self {
            Peer::Host(host) => host.title().into(),
            Peer::Server(name) => clean(name),
        }
    }

    /// The host, if it is one.
    pub(crate) fn host(&self) -> Option<Host> {
        match self {
            Peer::Host(host) => Some(*host),
            Peer::Server(_) => None,
        }
    }

    /// The declaration of the tool, if it has one.
    pub(crate) fn declared(&self, tool: &str) -> Option<&'static Declaration> {
        self.host()?.tool(tool)
    }
}

impl From<Host> for Peer {
    fn from(host: Host) -> Self {
        Peer::Host(host)
    }
}

impl From<&Peer> for Peer {
    fn from(peer: &Peer) -> Self {
        peer.clone()
    }
}

/// The answer of a tool.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Reply {
    /// The result as one value.
    pub(crate) value: Value,
    /// Content blocks in addition to the value: images, sounds, resources.
    pub(crate) content: Vec<Content>,
    /// The changes of a preview.
    pub(crate) changes: Option<Box<Changes>>,
    /// The id of the call in the history of changes, if it changed something.
    pub(crate) change: Option<String>,
    /// The action that the call belongs to.
    pub(crate) action: Option<ChangeId>,
    /// From where to ask for changes after this answer.
    pub(crate) next: Option<String>,
}

impl From<Value> for Reply {
    fn from(value: Value) -> Self {
        Reply {
            value,
            ..Reply::default()
        }
    }
}

impl TryFrom<CallResult> for Reply {
    type Error = frontdesk_client::CallError;

    fn try_from(result: CallResult) -> Result<Self, Self::Error> {
        let content = match result.is_text() {
            true => Vec::new(),
            false => result.content.clone(),
        };
        let changes = result.changes()?.map(Box::new);
        let (change, action, next) = (result.change(), result.action(), result.next());
        let value = result.into_value()?;
        Ok(Reply {
            value,
            content,
            changes,
            change,
            action,
            next,
        })
    }
}
