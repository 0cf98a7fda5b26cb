//! What work has to do with: the hosts and servers, the directories on disk, the browser and the terminal.

use std::path::{Path, PathBuf};

use frontdesk_client::history::Keep;
use frontdesk_client::{Client, History, Journal, paths};
use ratatui_image::picker::Picker;

use super::browser::Browser;
use super::call::{Answer, ToolCall};
use super::servers::Servers;
use crate::app::peer::{Peer, Reply};
use crate::app::reporter::Reporter;

/// The hosts and servers, the disk and the terminal. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Platform {
    pub(crate) client: Client,
    /// The configured servers.
    pub(crate) servers: Servers,
    /// The check-ins that are not delivered yet.
    pub(crate) journal: Journal,
    /// The directory of the app's data; without it, nothing but the journal is stored.
    pub(crate) data: Option<PathBuf>,
    /// This program, which reads workbooks in a process of its own; without it, they are read in this one.
    pub(crate) program: Option<PathBuf>,
    /// The configuration file; optional.
    pub(crate) config: Option<PathBuf>,
    /// Which parts of calls the history keeps.
    pub(crate) keep: Keep,
    /// The public key of the project, for the identity provider.
    pub(crate) api_key: String,
    /// The directories for exports; the first that accepts a file is used.
    pub(crate) exports: Vec<PathBuf>,
    /// The program that prints badges, with its arguments; empty without one.
    pub(crate) badge_command: Vec<String>,
    /// The browser sign-in.
    pub(crate) browser: Browser,
    /// The rendering method for pictures.
    pub(crate) picker: Picker,
}

impl Platform {
    pub(super) async fn call(&self, call: ToolCall, reporter: &Reporter) -> Answer {
        let written = call.writes_at();
        let ToolCall {
            peer,
            tool,
            arguments,
            options,
            ..
        } = call;
        let result = match &peer {
            Peer::Host(host) => {
                let (meta, watch) = (options.meta(), reporter.watch());
                let call = self
                    .client
                    .call_watched(*host, &tool, arguments, meta, &watch);
                let result = call.await;
                result.and_then(Reply::try_from)
            }
            Peer::Server(name) => {
                let call = self
                    .servers
                    .call(name, &tool, arguments, &options, reporter);
                call.await
            }
        };
        let allowance = peer.host().and_then(|host| self.client.allowance(host));
        Answer {
            peer,
            tool,
            written,
            allowance,
            result,
        }
    }

    /// The store at this path of the data directory, if there is one.
    pub(crate) fn stored<S>(
        &self,
        path: fn(&Path) -> PathBuf,
        open: fn(PathBuf) -> S,
    ) -> Option<S> {
        self.data.as_deref().map(|data| open(path(data)))
    }

    /// The history of calls; without a data directory, nothing is stored.
    pub(crate) fn history(&self) -> History {
        match &self.data {
            Some(data) => History::new(paths::history_directory(data), self.keep),
            None => History::new(PathBuf::new(), Keep::Off),
        }
    }
}
