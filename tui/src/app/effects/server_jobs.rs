//! The jobs of servers, and the tools of hosts.

use std::sync::Arc;

use frontdesk_client::seen::Change;
use frontdesk_client::trace::Kept;
use frontdesk_client::{CallError, ToolInfo};

use super::disk::{DiskError, on_disk};
use super::job::{Job, Lost};
use super::platform::Platform;
use super::servers::{Started, Visit};
use crate::app::peer::Peer;
use crate::app::reporter::Reporter;

/// Fetches the tools of a host or a server.
#[derive(Debug)]
pub(crate) struct FetchTools(pub(crate) Peer);

impl Job for FetchTools {
    type Value = Vec<ToolInfo>;
    type Error = CallError;

    async fn run(
        self: Arc<Self>,
        platform: Platform,
        reporter: Reporter,
    ) -> Result<Vec<ToolInfo>, CallError> {
        match &self.0 {
            Peer::Host(host) => platform.client.tools(*host).await,
            Peer::Server(name) => platform.servers.tools(name, &reporter).await,
        }
    }
}

/// Loads the page of a server: its description, resources and prompts.
#[derive(Debug)]
pub(crate) struct VisitServer {
    pub(crate) server: String,
    /// The server is asked first for log messages of this level and worse.
    pub(crate) log_level: Option<&'static str>,
    /// Its session is closed first, and its process ended.
    pub(crate) is_again: bool,
}

impl Job for VisitServer {
    type Value = Visit;
    type Error = CallError;

    async fn run(
        self: Arc<Self>,
        platform: Platform,
        reporter: Reporter,
    ) -> Result<Visit, CallError> {
        let servers = platform.servers;
        if self.is_again {
            servers.close_one(&self.server).await;
        }
        servers.visit(&self.server, self.log_level, &reporter).await
    }
}

/// Starts a server again whose files have changed. Its author is here: its changed tools are accepted.
#[derive(Debug)]
pub(crate) struct StartAgain(pub(crate) String);

impl Job for StartAgain {
    type Value = Started;
    type Error = CallError;

    async fn run(
        self: Arc<Self>,
        platform: Platform,
        reporter: Reporter,
    ) -> Result<Started, CallError> {
        platform.servers.start_again(&self.0, &reporter).await
    }
}

/// Gives access to the messages of a server.
#[derive(Debug)]
pub(crate) struct MessagesOf(pub(crate) String);

impl Job for MessagesOf {
    type Value = Option<Kept>;
    type Error = Lost;

    async fn run(self: Arc<Self>, platform: Platform, _: Reporter) -> Result<Option<Kept>, Lost> {
        Ok(platform.servers.trace_of(&self.0).memory())
    }
}

/// Ends a task of a server.
#[derive(Debug)]
pub(crate) struct EndTask {
    pub(crate) server: String,
    pub(crate) id: String,
}

impl Job for EndTask {
    type Value = ();
    type Error = CallError;

    async fn run(self: Arc<Self>, platform: Platform, reporter: Reporter) -> Result<(), CallError> {
        let servers = platform.servers;
        servers.end_task(&self.server, &self.id, &reporter).await
    }
}

/// Accepts changed tools of a server.
#[derive(Debug)]
pub(crate) struct AcceptTools {
    pub(crate) server: String,
    pub(crate) changes: Vec<Change>,
}

impl Job for AcceptTools {
    type Value = ();
    type Error = DiskError;
    const WRITES: bool = true;

    async fn run(self: Arc<Self>, platform: Platform, _: Reporter) -> Result<(), DiskError> {
        let seen = platform.servers.seen(&self.server);
        on_disk(move || seen.map_or(Ok(()), |seen| seen.accept(&self.changes))).await
    }
}

/// Subscribes to this resource of a server, and to no other; `None` ends the subscription.
#[derive(Debug)]
pub(crate) struct Watch {
    pub(crate) server: String,
    pub(crate) uri: Option<String>,
}

impl Job for Watch {
    type Value = ();
    type Error = Lost;

    async fn run(self: Arc<Self>, platform: Platform, reporter: Reporter) -> Result<(), Lost> {
        let uri = self.uri.clone();
        if let Err(error) = platform.servers.watch(&self.server, uri, &reporter).await {
            tracing::debug!(%error, "a resource is not subscribed to");
        }
        Ok(())
    }
}
