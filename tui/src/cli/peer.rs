//! Whom a command is for: a host of the service, a server of the configuration, or an address.

use std::collections::BTreeMap;

use frontdesk_client::config::servers::{HttpServer, ServerConfig};
use frontdesk_client::listener::Progress;
use frontdesk_client::{CallError, CallResult, Client, Server, ToolInfo, paths};
use frontdesk_protocol::mcp::CallMeta;
use frontdesk_protocol::{Declaration, Host};
use serde_json::{Map, Value};

use super::Failure;
use super::options::Options;

/// Whom a command is for.
#[derive(Debug)]
pub(super) enum Peer {
    Host(Client, Host),
    Server(Server),
}

/// What a call returned.
#[derive(Debug)]
pub(super) enum Answer {
    Value(Value),
    /// With images, sounds or resources.
    Content(Box<CallResult>),
}

impl Peer {
    /// The one that is meant by an area, a name or an address.
    ///
    /// # Errors
    /// [`Failure::Usage`] where there is none, naming those that there are.
    pub(super) fn find(options: &Options, name: &str) -> Result<Self, Failure> {
        if let Ok(host) = name.parse::<Host>() {
            return Ok(Peer::Host(options.client(options.store()?)?, host));
        }
        Peer::server(options, name).map(Peer::Server)
    }

    /// The same, where it is no host.
    ///
    /// # Errors
    /// As [`Peer::find`], and [`Failure::Refused`] where its token is not there.
    pub(super) fn server(options: &Options, name: &str) -> Result<Server, Failure> {
        let (config, tokens) = match is_address(name) {
            true => {
                let server =
                    HttpServer::new(name, None, BTreeMap::new()).map_err(Failure::Usage)?;
                (ServerConfig::Http(server), None)
            }
            false => {
                let tokens = paths::server_file(&options.data_directory()?, name);
                (configured(options, name)?, Some(tokens))
            }
        };
        Server::new(name, &config, tokens).map_err(|error| of_server(name, error))
    }

    /// How it is called here.
    pub(super) fn name(&self) -> &str {
        match self {
            Peer::Host(_, host) => host.area(),
            Peer::Server(server) => server.name(),
        }
    }

    /// The tool as this program knows it, without asking.
    pub(super) fn declared(&self, tool: &str) -> Option<&'static Declaration> {
        match self {
            Peer::Host(_, host) => host.tool(tool),
            Peer::Server(_) => None,
        }
    }

    /// The tools that it offers.
    pub(super) async fn tools(&self) -> Result<Vec<ToolInfo>, Failure> {
        match self {
            Peer::Host(client, host) => Ok(client.tools(*host).await?),
            Peer::Server(server) => {
                let tools = server.tools().await;
                tools.map_err(|error| of_server(server.name(), error))
            }
        }
    }

    /// The tool of this name.
    ///
    /// # Errors
    /// [`Failure::Usage`] where it offers none, naming those that it offers.
    pub(super) async fn tool(&self, name: &str) -> Result<ToolInfo, Failure> {
        let mut tools = self.tools().await?;
        if let Some(at) = tools.iter().position(|tool| tool.name == name) {
            return Ok(tools.swap_remove(at));
        }
        let names: Vec<_> = tools.iter().map(|tool| tool.name.as_str()).collect();
        let known = match names.as_slice() {
            [] => "it offers you no tools".to_owned(),
            names => format!("it offers you {}", names.join(", ")),
        };
        let kind = match self {
            Peer::Host(..) => "host",
            Peer::Server(_) => "server",
        };
        Err(Failure::Usage(format!(
            "{kind} {} has no tool `{name}` for you; {known}",
            self.name()
        )))
    }

    /// Calls a tool once.
    pub(super) async fn call(
        &self,
        tool: &str,
        arguments: Map<String, Value>,
        on_progress: impl FnMut(Progress) + Send,
    ) -> Result<Answer, CallError> {
        let result = match self {
            Peer::Host(client, host) => {
                let meta = CallMeta::default();
                client.call_tool(*host, tool, arguments, meta).await?
            }
            Peer::Server(server) => server.call_watched(tool, arguments, on_progress).await?,
        };
        if result.is_error || result.is_text() {
            return result.into_value().map(Answer::Value);
        }
        Ok(Answer::Content(Box::new(result)))
    }

    /// What an error means here.
    pub(super) fn failure(&self, error: CallError) -> Failure {
        match self {
            Peer::Host(..) => error.into(),
            Peer::Server(server) => of_server(server.name(), error),
        }
    }

    /// Runs this to its end, unless somebody interrupts it; then ends the session in either case,
    /// and with it a process that was started for it.
    pub(super) async fn until_done<T>(
        &self,
        work: impl Future<Output = Result<T, Failure>>,
    ) -> Result<T, Failure> {
        let Peer::Server(server) = self else {
            return work.await;
        };
        let outcome = tokio::select! {
            outcome = work => outcome,
            // What was under way is dropped, which cancels it at the server.
            _ = tokio::signal::ctrl_c() => Err(Failure::Interrupted),
        };
        server.close().await;
        outcome
    }
}

/// Whether this names a server by where it is.
fn is_address(name: &str) -> bool {
    name.starts_with("http://") || name.starts_with("https://")
}

fn configured(options: &Options, name: &str) -> Result<ServerConfig, Failure> {
    let mut servers = options.config()?.servers;
    if let Some(server) = servers.remove(name) {
        return Ok(server);
    }
    let hosts = Host::ALL.map(Host::area).join(", ");
    let servers = match servers.is_empty() {
        true => "no server is configured".to_owned(),
        false => {
            let names: Vec<_> = servers.into_keys().collect();
            format!("the configured servers are {}", names.join(", "))
        }
    };
    Err(Failure::Usage(format!(
        "there is no host or server `{name}`; the hosts are {hosts}; {servers}"
    )))
}

/// What an error of a server means for the one who called.
pub(super) fn of_server(name: &str, error: CallError) -> Failure {
    match error {
        CallError::SignedOut(reason) => Failure::Refused(match is_address(name) {
            true => format!(
                "{name} wants to know who you are ({reason}); `frontdesk connect {name} --name NAME` \
                 keeps it under a name, then `frontdesk login --server NAME` signs in"
            ),
            false => format!(
                "not signed in to {name} ({reason}); `frontdesk login --server {name}` does that, \
                 unless the configuration names a token for it"
            ),
        }),
        error => Failure::Call(error),
    }
}
