//! A host of the service or another MCP server: the tools of both are listed and called alike.

use std::time::Duration;

use frontdesk_protocol::mcp::CallMeta;
use frontdesk_protocol::{Declaration, Host};
use serde_json::{Map, Value};

use crate::client::is_repeatable;
use crate::patience::Patience;
use crate::{CallError, CallResult, Client, Server, ToolInfo, Watch};

/// A host of the service or another MCP server.
#[derive(Debug, Clone)]
pub enum Callee {
    /// A host of the service.
    Host(Client, Host),
    /// A third-party server.
    Server(Server),
}

impl Callee {
    /// Its name on the command line.
    pub fn name(&self) -> &str {
        match self {
            Callee::Host(_, host) => host.area(),
            Callee::Server(server) => server.name(),
        }
    }

    /// The host, if it is one.
    pub fn host(&self) -> Option<Host> {
        match self {
            Callee::Host(_, host) => Some(*host),
            Callee::Server(_) => None,
        }
    }

    /// The server, which has more than tools: a host is one to which the signed-in account has a token.
    ///
    /// # Errors
    /// As [`Client::server`].
    pub async fn server(&self) -> Result<Server, CallError> {
        match self {
            Callee::Host(client, host) => client.server(*host).await,
            Callee::Server(server) => Ok(server.clone()),
        }
    }

    /// The declaration of the tool, if it has one.
    pub fn declared(&self, tool: &str) -> Option<&'static Declaration> {
        self.host()?.tool(tool)
    }

    /// The offered tools.
    ///
    /// # Errors
    /// As any read.
    pub async fn tools(&self) -> Result<Vec<ToolInfo>, CallError> {
        match self {
            Callee::Host(client, host) => client.tools(*host).await,
            Callee::Server(server) => server.tools().await,
        }
    }

    /// What is wrong with the tools that the list left out.
    pub fn odd_tools(&self) -> Vec<String> {
        match self {
            Callee::Host(..) => Vec::new(),
            Callee::Server(server) => server.odd_tools(),
        }
    }

    /// Calls a tool once. A refusal by the tool is also a result.
    ///
    /// # Errors
    /// As [`Client::call_tool`] and [`Server::call_watched`].
    pub async fn call(
        &self,
        tool: &str,
        arguments: Map<String, Value>,
        meta: CallMeta,
        watch: &Watch,
    ) -> Result<CallResult, CallError> {
        match self {
            Callee::Host(client, host) => {
                let call = client.call_once(*host, tool, arguments, meta, watch);
                call.await
            }
            Callee::Server(server) => {
                let hear = |progress| watch.hear(progress);
                server.call_watched(tool, arguments, meta, hear).await
            }
        }
    }

    /// Whether a call can be made again though it may have been made.
    pub fn is_repeatable(
        &self,
        tool: &str,
        arguments: &Map<String, Value>,
        meta: &CallMeta,
    ) -> bool {
        let host = self.host();
        host.is_some_and(|host| is_repeatable(host, tool, arguments, meta))
    }

    /// Makes a call, which `attempt` makes once, with [`Patience::Job`]. `on_wait` is called before each pause.
    ///
    /// # Errors
    /// As the last attempt.
    pub async fn patiently<T, F>(
        &self,
        is_repeatable: bool,
        on_wait: impl Fn(Duration),
        attempt: impl FnMut() -> F,
    ) -> Result<T, CallError>
    where
        F: Future<Output = Result<T, CallError>>,
    {
        let has_answered = || match self {
            Callee::Host(client, _) => client.clock_ahead().is_some(),
            // A process that has ended is no node that another one takes over from.
            Callee::Server(server) => !server.is_process() && server.silence().is_none(),
        };
        let patience = Patience::Job;
        patience
            .repeat(is_repeatable, has_answered, on_wait, attempt)
            .await
    }
}
