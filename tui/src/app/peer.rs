//! Whom tools are called at: the hosts of the service, and the servers of the configuration.

use std::borrow::Cow;

use frontdesk_client::{CallResult, Content};
use frontdesk_protocol::Host;
use serde_json::Value;

use super::text::clean;

/// Whom tools are called at. Hosts come before servers.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Peer {
    /// A host of the service.
    Host(Host),
    /// Any MCP server, by its name in the configuration.
    Server(String),
}

impl Peer {
    /// How it is called on the command line.
    pub(crate) fn name(&self) -> &str {
        match self {
            Peer::Host(host) => host.area(),
            Peer::Server(name) => name,
        }
    }

    /// How it is called in headings, safe to draw.
    pub(crate) fn title(&self) -> Cow<'_, str> {
        match self {
            Peer::Host(host) => host.title().into(),
            Peer::Server(name) => clean(name),
        }
    }
}

/// What a tool answered.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Reply {
    /// The result as one value.
    pub(crate) value: Value,
    /// What is to be read, seen or heard, where that is more than the value says: images, sounds,
    /// resources.
    pub(crate) content: Vec<Content>,
}

impl From<Value> for Reply {
    fn from(value: Value) -> Self {
        Reply {
            value,
            content: Vec::new(),
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
        let value = result.into_value()?;
        Ok(Reply { value, content })
    }
}
