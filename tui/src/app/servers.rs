//! The servers of the configuration: opened when they are first asked for something, and kept open
//! as long as the app runs.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use frontdesk_client::config::servers::{ServerConfig, Token};
use frontdesk_client::{CallError, Notice, Server, ToolInfo, paths};
use frontdesk_protocol::mcp::SESSIONLESS;
use frontdesk_protocol::{ErrorCode, ToolError};
use serde_json::{Map, Value};
use tokio::sync::broadcast::error::RecvError;

use super::curl::{Request, TOKEN};
use super::engine::Ears;
use super::peer::Reply;

/// The servers of the configuration. Clones share them.
#[derive(Debug, Clone)]
pub(crate) struct Servers {
    configured: Arc<BTreeMap<String, ServerConfig>>,
    /// Where the tokens of sign-ins are kept; without it, nobody can be signed in.
    data: Option<PathBuf>,
    open: Arc<Mutex<HashMap<String, Server>>>,
}

impl Servers {
    /// These servers, none of them opened.
    pub(crate) fn new(configured: BTreeMap<String, ServerConfig>, data: Option<PathBuf>) -> Self {
        Servers {
            configured: Arc::new(configured),
            data,
            open: Arc::default(),
        }
    }

    /// Their names, in order.
    pub(crate) fn names(&self) -> Vec<String> {
        self.configured.keys().cloned().collect()
    }

    /// The tools that a server offers. A sign-in or a token that is new since is taken up.
    ///
    /// # Errors
    /// As [`Server::tools`].
    pub(crate) async fn tools(&self, name: &str, ears: &Ears) -> Result<Vec<ToolInfo>, CallError> {
        let tools = self.get(name, ears)?.tools().await;
        tools.map_err(|error| self.of_server(name, error))
    }

    /// Calls a tool of a server, and tells how far it is.
    ///
    /// # Errors
    /// As [`Server::call_raw`], and the refusal of the tool.
    pub(crate) async fn call(
        &self,
        name: &str,
        tool: &str,
        arguments: Map<String, Value>,
        ears: &Ears,
    ) -> Result<Reply, CallError> {
        let server = self.get(name, ears)?;
        let call = server.call_watched(tool, arguments, |progress| ears.progress(progress));
        let result = call.await.and_then(Reply::try_from);
        result.map_err(|error| self.of_server(name, error))
    }

    /// What an error means here. A sign-in that is missing is not that of the hosts; one that comes
    /// later is taken up by a new session.
    fn of_server(&self, name: &str, error: CallError) -> CallError {
        let CallError::SignedOut(reason) = error else {
            return error;
        };
        self.open().remove(name);
        let message = format!("not signed in to {name}: {reason}");
        let mut refusal = ToolError::new(ErrorCode::Unauthorized, message);
        refusal.hint = Some(format!(
            "`frontdesk login --server {name}` does that, unless the configuration names a token."
        ));
        CallError::Tool(refusal)
    }

    /// How one request by itself calls a tool there.
    ///
    /// # Errors
    /// Why it does not.
    pub(crate) async fn request(&self, name: &str, ears: &Ears) -> Result<Request, String> {
        let Some(ServerConfig::Http(config)) = self.configured.get(name) else {
            return Err(format!("{name} is a process, which has no address"));
        };
        if config.url.query().is_some() {
            return Err(format!("the address of {name} may hold a key"));
        }
        let server = self.get(name, ears).map_err(|error| error.to_string())?;
        let about = server.about().await;
        let revision = about.map_err(|error| error.to_string())?.protocol;
        if revision != SESSIONLESS {
            return Err(format!(
                "{name} speaks {revision}, where a call needs a session; {SESSIONLESS} needs none"
            ));
        }
        let has_tokens = self
            .data
            .as_ref()
            .is_some_and(|data| paths::server_file(data, name).exists());
        let token = match &config.token {
            Some(Token::Variable(name)) => Some(name.clone()),
            Some(Token::Given(_)) => Some(TOKEN.to_owned()),
            None => has_tokens.then(|| TOKEN.to_owned()),
        };
        Ok(Request {
            address: config.url.to_string(),
            token,
            headers: config.headers.keys().cloned().collect(),
        })
    }

    /// Ends all sessions, and with them the processes that were started.
    pub(crate) async fn close(&self) {
        let open: Vec<Server> = self.open().drain().map(|(_, server)| server).collect();
        futures::future::join_all(open.iter().map(Server::close)).await;
    }

    fn get(&self, name: &str, ears: &Ears) -> Result<Server, CallError> {
        if let Some(server) = self.open().get(name) {
            return Ok(server.clone());
        }
        let config = self.configured.get(name).ok_or_else(|| {
            CallError::Protocol(format!("there is no server `{name}` in the configuration"))
        })?;
        let tokens = self.data.as_ref();
        let tokens = tokens.map(|data| paths::server_file(data, name));
        let server =
            Server::new(name, config, tokens).map_err(|error| self.of_server(name, error))?;
        listen(&server, ears.clone());
        self.open().insert(name.to_owned(), server.clone());
        Ok(server)
    }

    fn open(&self) -> std::sync::MutexGuard<'_, HashMap<String, Server>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Passes on what the server says without being asked, until it is gone.
fn listen(server: &Server, ears: Ears) {
    let mut notices = server.notices();
    let name = server.name().to_owned();
    tokio::spawn(async move {
        loop {
            match notices.recv().await {
                // Whoever made the call hears of its progress.
                Ok(Notice::Progress(_)) | Err(RecvError::Lagged(_)) => {}
                Ok(notice) => ears.notice(&name, notice),
                Err(RecvError::Closed) => return,
            }
        }
    });
}
