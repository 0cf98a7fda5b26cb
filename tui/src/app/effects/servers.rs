//! The configured servers: opened on demand, and kept open while the app runs.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use frontdesk_client::config::servers::{ServerConfig, Token};
use frontdesk_client::question::Pages;
use frontdesk_client::{CallError, Notice, Server, ToolInfo, paths};
use frontdesk_protocol::mcp::{CallMeta, SESSIONLESS};
use frontdesk_protocol::{ErrorCode, ToolError};
use serde_json::{Map, Value};
use tokio::sync::broadcast::error::RecvError;

use super::curl::{Request, TOKEN};
use crate::app::engine::Ears;
use crate::app::peer::Reply;

/// The configured servers. Clones share them.
#[derive(Debug, Clone)]
pub(crate) struct Servers {
    configured: Arc<BTreeMap<String, ServerConfig>>,
    /// The directory with the tokens of sign-ins, if there is one.
    data: Option<PathBuf>,
    open: Arc<Mutex<HashMap<String, Server>>>,
}

impl Servers {
    /// These servers, not opened yet.
    pub(crate) fn new(configured: BTreeMap<String, ServerConfig>, data: Option<PathBuf>) -> Self {
        Servers {
            configured: Arc::new(configured),
            data,
            open: Arc::default(),
        }
    }

    /// Their names in order.
    pub(crate) fn names(&self) -> Vec<String> {
        self.configured.keys().cloned().collect()
    }

    /// The tools of a server. Uses a new sign-in or token, if there is one.
    ///
    /// # Errors
    /// As for [`Server::tools`].
    pub(crate) async fn tools(&self, name: &str, ears: &Ears) -> Result<Vec<ToolInfo>, CallError> {
        let tools = self.get(name, ears)?.tools().await;
        tools.map_err(|error| self.of_server(name, error))
    }

    /// Calls a tool of a server, and reports progress.
    ///
    /// # Errors
    /// As for [`Server::call_raw`], and the refusal of the tool.
    pub(crate) async fn call(
        &self,
        name: &str,
        tool: &str,
        arguments: Map<String, Value>,
        meta: CallMeta,
        ears: &Ears,
    ) -> Result<Reply, CallError> {
        let server = self.get(name, ears)?;
        let on_progress = |progress| ears.progress(progress);
        let call = server.call_watched(tool, arguments, meta, on_progress);
        let result = call.await.and_then(Reply::try_from);
        result.map_err(|error| self.of_server(name, error))
    }

    /// Adapts an error: a missing sign-in concerns the server, not the hosts. A new session will
    /// use a later sign-in.
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

    /// The parameters for calling a tool with a single request.
    ///
    /// # Errors
    /// Why that is not possible.
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

    /// Closes all sessions and ends the processes of servers.
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
        let (asker, ears) = (name.to_owned(), ears.clone());
        server.answer_with(Pages::Shown, move |question| {
            Box::pin(ears.clone().ask(asker.clone(), question))
        });
        self.open().insert(name.to_owned(), server.clone());
        Ok(server)
    }

    fn open(&self) -> std::sync::MutexGuard<'_, HashMap<String, Server>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Forwards the server's notices until it closes.
fn listen(server: &Server, ears: Ears) {
    let mut notices = server.notices();
    let name = server.name().to_owned();
    tokio::spawn(async move {
        loop {
            match notices.recv().await {
                // Progress is reported to the caller.
                Ok(Notice::Progress(_)) | Err(RecvError::Lagged(_)) => {}
                Ok(notice) => ears.notice(&name, notice),
                Err(RecvError::Closed) => return,
            }
        }
    });
}
