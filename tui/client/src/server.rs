//! A third-party MCP server, at an address or in a process.

mod child;
mod connection;
mod grants;
pub(crate) mod keys;
mod lines;
mod listing;
pub mod log;
mod offers;
mod probe;
mod requests;
mod sign_in;
pub mod tasks;
mod tools;

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use futures::future::BoxFuture;
use serde_json::Value;
use tokio::sync::broadcast;
use tokio::task::JoinHandle;

use crate::addresses;
pub use crate::catalogue::Listing;
use crate::config::servers::{CommandServer, HttpServer, ServerConfig, Token};
use crate::error::CallError;
use crate::http::{Http, Reach, Timeouts};
use crate::listener::{Listener, Notice};
use crate::question::{Decision, Pages, Question};
use crate::secret::{Secret, is_secret_name};
use crate::session::Session;
use crate::tasks::{TaskSessions, Tasks};
use crate::trace::{Tap, Trace};
use child::Fate;
use grants::Grants;
use keys::Keys;
pub use offers::{Offers, Suggestions};
pub use probe::{Authorization, NoAnswer, Probe};
pub use sign_in::SignIn;

/// The time limit of an HTTP exchange, longer than any call with its questions.
const EXCHANGE_WITHIN: Duration = Duration::from_secs(24 * 60 * 60);
/// The time limit of a connection.
const CONNECT_WITHIN: Duration = Duration::from_secs(5);
/// The time limit of closing a session.
const END_WITHIN: Duration = Duration::from_secs(5);

/// A third-party MCP server. Clones share its session.
///
/// The session is opened on demand, and reopened if the server has dropped it. Dropping the future
/// of a call cancels it at the server. Dropping the last clone closes the session and ends the
/// server's process, if any.
#[derive(Debug, Clone)]
pub struct Server(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    name: String,
    place: String,
    way: Way,
    listener: Listener,
    session: tokio::sync::Mutex<Option<Arc<Session>>>,
    /// Which tools are read-only, from the last list of tools.
    read_only: Mutex<HashMap<String, bool>>,
    /// What is wrong with the items that this list left out.
    odd: Mutex<Vec<String>>,
    /// The tools whose calls are tasks, from the same list.
    task_only: Mutex<HashSet<String>>,
    /// The level of the log messages that are asked for.
    log_level: Mutex<Option<&'static str>>,
    /// Where begun tasks are kept.
    tasks: OnceLock<Tasks>,
    /// Where its messages are traced.
    tap: OnceLock<Tap>,
    /// The sessions that these tasks need.
    task_sessions: TaskSessions,
    /// Cancellations that are being sent.
    cancelling: Mutex<Vec<JoinHandle<()>>>,
}

#[derive(Debug)]
enum Way {
    Http(HttpServer, Http, Arc<Keys>),
    Command(CommandServer, Fate),
}

impl Way {
    /// The texts of the configuration that are secret.
    fn secrets(&self) -> Vec<String> {
        let secrets: Vec<&Secret> = match self {
            Way::Http(server, ..) => server.headers.values().collect(),
            Way::Command(server, _) => {
                let secret = server.env.iter().filter(|(name, _)| is_secret_name(name));
                secret.map(|(_, value)| value).collect()
            }
        };
        secrets
            .into_iter()
            .map(|it| it.expose().to_owned())
            .collect()
    }
}

/// The server's description of itself.
#[derive(Debug, Clone, PartialEq)]
pub struct About {
    /// Its title, otherwise its name.
    pub name: Option<String>,
    /// The version of its program.
    pub version: Option<String>,
    /// The negotiated protocol revision.
    pub protocol: String,
    /// Whether the session began with a handshake.
    pub has_handshake: bool,
    /// Instructions for use.
    pub instructions: Option<String>,
    /// The lists beside its tools that it announced.
    pub offers: Vec<Offers>,
    /// What it announced, as received.
    pub capabilities: Value,
}

impl About {
    /// Whether it completes arguments.
    pub fn completes(&self) -> bool {
        self.capabilities.get("completions").is_some()
    }
}

impl Server {
    /// The server configured under this name. The tokens of a sign-in are stored in this file
    /// ([`crate::paths::server_file`]). Sends and starts nothing yet.
    ///
    /// # Errors
    /// [`CallError::SignedOut`] if the environment variable of the token is missing or invalid,
    /// [`CallError::Protocol`] if the platform's certificates cannot be loaded.
    pub fn new(
        name: &str,
        config: &ServerConfig,
        tokens: Option<PathBuf>,
    ) -> Result<Self, CallError> {
        let way = match config {
            ServerConfig::Http(server) => {
                let timeouts = Timeouts {
                    connect: CONNECT_WITHIN,
                    request: EXCHANGE_WITHIN,
                    health: CONNECT_WITHIN,
                    ..Timeouts::default()
                };
                // The authorization server can be elsewhere and use TLS.
                let reach = match addresses::is_loopback(server.url.as_str()) {
                    true => Reach::Local,
                    false => Reach::Anywhere,
                };
                let http = Http::new(timeouts, reach)?;
                let keys = match (&server.token, tokens) {
                    (Some(Token::Given(token)), _) => Keys::fixed(token.clone()),
                    (Some(Token::Variable(variable)), _) => Keys::variable(variable)?,
                    (None, Some(path)) => {
                        Keys::granted(Grants::new(http.clone(), server.url.clone(), path))
                    }
                    (None, None) => Keys::none(),
                };
                Way::Http(server.clone(), http, Arc::new(keys))
            }
            ServerConfig::Command(server) => Way::Command(server.clone(), Fate::default()),
        };
        Ok(Server(Arc::new(Inner {
            name: name.to_owned(),
            place: config.place(),
            way,
            listener: Listener::new(config.roots()),
            session: tokio::sync::Mutex::default(),
            read_only: Mutex::default(),
            odd: Mutex::default(),
            task_only: Mutex::default(),
            log_level: Mutex::default(),
            tasks: OnceLock::new(),
            tap: OnceLock::new(),
            task_sessions: TaskSessions::default(),
            cancelling: Mutex::default(),
        })))
    }

    /// Traces the messages of its sessions, if none is open yet.
    pub fn trace(&self, trace: &Trace) {
        // A second trace would get the rest of what the first has begun.
        let tap = || Tap::new(trace, &self.0.name, self.0.way.secrets());
        let tap = self.0.tap.get_or_init(tap);
        if let Way::Http(_, http, _) = &self.0.way {
            http.trace(tap.clone());
        }
    }

    /// Its name in the configuration, or its address.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// The address, or the program.
    pub fn place(&self) -> &str {
        &self.0.place
    }

    /// Whether it is a process.
    pub(crate) fn is_process(&self) -> bool {
        matches!(self.0.way, Way::Command(..))
    }

    /// Why nothing has come yet, if the session is being opened: the server is silent, and what its
    /// process has written.
    pub fn silence(&self) -> Option<String> {
        match &self.0.way {
            // While a session is opened, its slot is locked.
            _ if self.0.session.try_lock().is_ok() => None,
            Way::Http(..) => Some("it has not answered".to_owned()),
            Way::Command(_, fate) => Some(fate.silence()),
        }
    }

    /// Answers the server's questions from now on, if the session is not open yet. Without this, the
    /// server learns that questions are not answered. A question that is no longer asked drops its
    /// future.
    pub fn answer_with(
        &self,
        pages: Pages,
        respond: impl Fn(Question) -> BoxFuture<'static, Decision> + Send + Sync + 'static,
    ) {
        self.0.listener.responder.set(pages, respond);
    }

    /// Whether its questions are answered.
    pub fn answers_questions(&self) -> bool {
        self.0.listener.responder.pages().is_some()
    }

    /// The last lines that its process wrote beside its messages; none at an address.
    pub fn words(&self) -> Vec<String> {
        match &self.0.way {
            Way::Http(..) => Vec::new(),
            Way::Command(_, fate) => fate.words(),
        }
    }

    /// Those of them that it wrote to stdout, where only messages belong.
    pub fn strays(&self) -> Vec<String> {
        match &self.0.way {
            Way::Http(..) => Vec::new(),
            Way::Command(_, fate) => fate.strays(),
        }
    }

    /// How its program ended before it was started again to open the session; empty if the first start was enough.
    pub fn ends_before(&self) -> Vec<String> {
        match &self.0.way {
            Way::Http(..) => Vec::new(),
            Way::Command(_, fate) => fate.before(),
        }
    }

    /// Whether its process did not answer `server/discover`, which delays the session by seconds.
    pub fn ignores_discovery(&self) -> bool {
        matches!(&self.0.way, Way::Command(_, fate) if fate.is_deaf())
    }

    /// The server's notices from now on.
    pub fn notices(&self) -> broadcast::Receiver<Notice> {
        self.0.listener.notices()
    }

    /// The server's description of itself. Opens the session if needed.
    ///
    /// # Errors
    /// Why the session cannot be opened: [`CallError::SignedOut`]; [`CallError::Unreachable`], also
    /// if the program cannot be started or ends immediately; [`CallError::Protocol`] if it is not
    /// an MCP server.
    pub async fn about(&self) -> Result<About, CallError> {
        let session = self.session().await?;
        let about = session
            .about()
            .ok_or_else(|| CallError::Protocol("the server did not say what it is".to_owned()))?;
        let info = about.server_info.as_ref();
        Ok(About {
            name: info.map(|info| info.title.clone().unwrap_or_else(|| info.name.clone())),
            version: info.map(|info| info.version.clone()),
            protocol: about.protocol_version.to_string(),
            has_handshake: about.protocol_version.has_initialize(),
            instructions: about.instructions.clone(),
            offers: [Offers::Resources, Offers::Prompts]
                .into_iter()
                .filter(|offers| session.offers(*offers))
                .collect(),
            capabilities: serde_json::to_value(&about.capabilities).unwrap_or_default(),
        })
    }

    /// Closes the session and waits for its end, for at most a few seconds. Pending cancellations
    /// are sent first.
    pub async fn close(&self) {
        let cancelling = std::mem::take(&mut *self.cancelling());
        let arriving = futures::future::join_all(cancelling);
        // Cancellations that are late do not matter: the session ends anyway.
        let _ = tokio::time::timeout(END_WITHIN, arriving).await;
        let session = self.0.session.lock().await.take();
        if let Some(session) = session.and_then(Arc::into_inner) {
            session.close(END_WITHIN).await;
        }
    }
}
