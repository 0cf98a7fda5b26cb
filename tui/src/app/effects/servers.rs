//! The configured servers: opened on demand, and kept open while the app runs.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use frontdesk_client::config::servers::{ServerConfig, Token};
use frontdesk_client::question::Pages;
use frontdesk_client::seen::{self, Change, SeenTools};
use frontdesk_client::server::{About, Listing, Offers, SignIn};
use frontdesk_client::tasks::{Begun, Tasks};
use frontdesk_client::{CallError, Notice, Server, Subscription, ToolInfo, Trace, paths, template};
use frontdesk_protocol::mcp::SESSIONLESS;
use frontdesk_protocol::{ErrorCode, ToolError};
use serde_json::{Map, Value, json};
use tokio::sync::broadcast::error::RecvError;
use tokio::task::spawn_blocking;

use super::call::{CallOptions, Method};
use super::watching::watch;
use crate::app::peer::Reply;
use crate::app::reporter::Reporter;

/// The level of log messages until the user chooses another one.
const LOG_LEVEL: &str = "info";

/// How often the changes of a server's lists are followed.
const AGAIN: Duration = Duration::from_secs(1);

/// The environment variable with the token. The token itself is never written into a command.
pub(crate) const TOKEN: &str = "FRONTDESK_TOKEN";

/// The destination and headers of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Request {
    /// The MCP endpoint.
    pub(crate) address: String,
    /// The environment variable with the bearer token, if one is sent.
    pub(crate) token: Option<String>,
    /// The names of further headers. Their values can be secret, so variables are used.
    pub(crate) headers: Vec<String>,
}

impl Request {
    /// A request to a host of the service at its MCP endpoint.
    pub(crate) fn to_host(address: String) -> Self {
        Request {
            address,
            token: Some(TOKEN.to_owned()),
            headers: Vec::new(),
        }
    }
}

/// The configured servers. Clones share them.
#[derive(Debug, Clone)]
pub(crate) struct Servers {
    configured: Arc<BTreeMap<String, ServerConfig>>,
    /// The directory with the tokens of sign-ins, if there is one.
    data: Option<PathBuf>,
    open: Arc<Mutex<HashMap<String, Server>>>,
    /// Where messages are traced beside memory.
    trace: Trace,
    /// The messages of each server, which stay if it is opened again.
    traces: Arc<Mutex<BTreeMap<String, Trace>>>,
    /// The tools of each server, as last listed.
    listed: Arc<Mutex<BTreeMap<String, Vec<ToolInfo>>>>,
    /// The servers whose files are looked at.
    edited: Arc<Mutex<BTreeSet<String>>>,
    /// The subscription of each server to a resource.
    watched: Arc<Mutex<HashMap<String, Subscription>>>,
}

/// What was seen of a server.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Visit {
    pub(crate) about: About,
    /// Its address or program.
    pub(crate) place: String,
    /// The level of the log messages that it is asked for, if it has a log.
    pub(crate) log_level: Option<&'static str>,
    /// How long it took to list its tools.
    pub(crate) took: Duration,
    /// How many tools, resources and prompts it has.
    pub(crate) counts: Vec<(Method, usize)>,
    /// The items that cannot be used, and why.
    pub(crate) odd: Vec<String>,
    /// The last lines of its process beside its messages.
    pub(crate) words: Vec<String>,
}

/// A server that was started again.
#[derive(Debug)]
pub(crate) struct Started {
    pub(crate) tools: Vec<ToolInfo>,
    /// What is different from its tools before.
    pub(crate) changes: Vec<Change>,
}

impl Servers {
    /// These servers, not opened yet.
    pub(crate) fn new(
        configured: BTreeMap<String, ServerConfig>,
        data: Option<PathBuf>,
        trace: Trace,
    ) -> Self {
        Servers {
            configured: Arc::new(configured),
            data,
            open: Arc::default(),
            trace,
            traces: Arc::default(),
            listed: Arc::default(),
            edited: Arc::default(),
            watched: Arc::default(),
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
    pub(crate) async fn tools(
        &self,
        name: &str,
        reporter: &Reporter,
    ) -> Result<Vec<ToolInfo>, CallError> {
        let listed = async { self.list(&self.get(name, reporter)?, reporter).await };
        listed.await.map_err(|error| self.of_server(name, error))
    }

    /// The tools of a server. Reports those that changed before it returns.
    async fn list(&self, server: &Server, reporter: &Reporter) -> Result<Vec<ToolInfo>, CallError> {
        let tools = server.tools().await?;
        self.note(server.name(), &tools);
        if let Some(seen) = self.seen(server.name()) {
            let listed = tools.clone();
            let compared = spawn_blocking(move || seen.compare(&listed)).await;
            match compared.map_err(std::io::Error::other).flatten() {
                Ok(changes) => reporter.changes(server.name(), changes),
                Err(error) => tracing::warn!(%error, "the tools of a server are not compared"),
            }
        }
        Ok(tools)
    }

    /// Keeps the listed tools of a server. Returns those before.
    fn note(&self, name: &str, tools: &[ToolInfo]) -> Option<Vec<ToolInfo>> {
        let mut listed = self.listed.lock().unwrap_or_else(PoisonError::into_inner);
        listed.insert(name.to_owned(), tools.to_vec())
    }

    /// Starts a server again, accepts its tools, and tells what is different.
    ///
    /// # Errors
    /// As for [`Server::tools`].
    pub(super) async fn start_again(
        &self,
        name: &str,
        reporter: &Reporter,
    ) -> Result<Started, CallError> {
        self.close_one(name).await;
        let listed = async { self.get(name, reporter)?.tools().await };
        let tools = listed.await.map_err(|error| self.of_server(name, error))?;
        let before = self.note(name, &tools);
        let changes = before.map_or_else(Vec::new, |before| seen::between(&before, &tools));
        if let (Some(seen), accepted) = (self.seen(name), changes.clone()) {
            let accepted = spawn_blocking(move || seen.accept(&accepted)).await;
            if let Err(error) = accepted.map_err(std::io::Error::other).flatten() {
                tracing::warn!(%error, "the tools of a server are not accepted");
            }
        }
        Ok(Started { tools, changes })
    }

    pub(super) fn seen(&self, name: &str) -> Option<SeenTools> {
        let data = self.data.as_ref()?;
        Some(SeenTools::new(paths::seen_file(data, name)))
    }

    /// Calls a tool of a server, and reports progress; or asks for what else it offers.
    ///
    /// # Errors
    /// As for [`Server::call_raw`], and the refusal of the tool.
    pub(crate) async fn call(
        &self,
        name: &str,
        tool: &str,
        arguments: Map<String, Value>,
        options: &CallOptions,
        reporter: &Reporter,
    ) -> Result<Reply, CallError> {
        let server = self.get(name, reporter)?;
        let asked = match &options.method {
            Method::Tool => {
                let on_progress = |progress| reporter.progress(progress);
                let call = server.call_watched(tool, arguments, options.meta(), on_progress);
                call.await.and_then(Reply::try_from)
            }
            Method::Resources => {
                let listed = resources(&server).await?;
                Ok(json!({ "resources": listed.items }).into())
            }
            Method::Prompts => {
                let listed = server.list(Offers::Prompts).await?;
                Ok(json!({ "prompts": listed.items }).into())
            }
            Method::Tasks => Ok(self.tasks(&server).await),
            Method::TaskResult(id) => {
                let result = server.task_result(id, |progress| reporter.progress(progress));
                result.await.and_then(Reply::try_from)
            }
            Method::Read => match template::expand(tool, &arguments) {
                Ok(uri) => server.read(&uri).await.and_then(Reply::try_from),
                Err(why) => Err(CallError::Tool(ToolError::new(
                    ErrorCode::InvalidArgument,
                    why,
                ))),
            },
            Method::Prompt => {
                let filled = server.prompt(tool, arguments).await;
                filled.and_then(|filled| {
                    let content = filled.content.clone();
                    Reply::try_from(filled).map(|reply| Reply { content, ..reply })
                })
            }
            Method::Complete(argument) => suggestions(&server, tool, argument, arguments).await,
        };
        asked.map_err(|error| self.of_server(name, error))
    }

    /// Ends a task.
    ///
    /// # Errors
    /// As for [`Server::cancel_task`].
    pub(crate) async fn end_task(
        &self,
        name: &str,
        id: &str,
        reporter: &Reporter,
    ) -> Result<(), CallError> {
        let ended = self.get(name, reporter)?.cancel_task(id).await;
        ended.map_err(|error| self.of_server(name, error))
    }

    /// The tasks that were begun at a server, with their states.
    async fn tasks(&self, server: &Server) -> Reply {
        let mut tasks = Vec::new();
        for begun in self.begun(server.name()).await {
            let mut row = json!({
                "tool": begun.tool, "status": null, "message": null, "begun_at": begun.at,
                "task": begun.id,
            });
            match server.task(&begun.id).await {
                Ok(task) => {
                    row["status"] = task.status.into();
                    row["message"] = task.message.into();
                }
                Err(error) => row["message"] = error.to_string().into(),
            }
            tasks.push(row);
        }
        json!({ "tasks": tasks }).into()
    }

    async fn begun(&self, name: &str) -> Vec<Begun> {
        let Some(tasks) = self.kept_tasks() else {
            return Vec::new();
        };
        let all = spawn_blocking(move || tasks.all()).await;
        let mut all = match all.map_err(std::io::Error::other).flatten() {
            Ok(all) => all,
            Err(error) => {
                tracing::warn!(%error, "the tasks");
                Vec::new()
            }
        };
        all.retain(|task| task.server == name);
        all
    }

    fn kept_tasks(&self) -> Option<Tasks> {
        let data = self.data.as_ref()?;
        Some(Tasks::new(paths::tasks_file(data)))
    }

    /// Looks at a server.
    ///
    /// # Errors
    /// As for [`Server::about`], and any error of its lists.
    pub(crate) async fn visit(
        &self,
        name: &str,
        log_level: Option<&'static str>,
        reporter: &Reporter,
    ) -> Result<Visit, CallError> {
        let server = self.get(name, reporter)?;
        let visited = async {
            if let Some(level) = log_level {
                server.set_log_level(level).await?;
            }
            let about = server.about().await?;
            let asked = Instant::now();
            let tools = self.list(&server, reporter).await?;
            let took = asked.elapsed();
            let mut counts = vec![(Method::Tool, tools.len())];
            let mut odd = server.odd_tools();
            for offers in &about.offers {
                let (method, list) = match offers {
                    Offers::Prompts => (Method::Prompts, server.list(*offers).await),
                    _ => (Method::Resources, resources(&server).await),
                };
                match list {
                    Ok(list) => {
                        counts.push((method, list.items.len()));
                        odd.extend(list.odd);
                    }
                    Err(error) => odd.push(error.to_string()),
                }
            }
            let begun = self.begun(name).await.len();
            if begun > 0 {
                counts.push((Method::Tasks, begun));
            }
            Ok(Visit {
                about,
                place: server.place().to_owned(),
                log_level: server.log_level().await?,
                took,
                counts,
                odd,
                words: server.words(),
            })
        };
        visited.await.map_err(|error| self.of_server(name, error))
    }

    /// Starts signing in to a server in a browser.
    ///
    /// # Errors
    /// As for [`Server::sign_in`].
    pub(crate) async fn sign_in(
        &self,
        name: &str,
        reporter: &Reporter,
    ) -> Result<SignIn, CallError> {
        let begun = self.get(name, reporter)?.sign_in().await;
        // A new session uses the new sign-in.
        self.open().remove(name);
        begun.map_err(|error| match error {
            CallError::SignedOut(reason) => {
                CallError::Tool(ToolError::new(ErrorCode::Unauthorized, reason))
            }
            error => error,
        })
    }

    /// Subscribes to this resource of a server, and to no other.
    ///
    /// # Errors
    /// As for [`Server::list`].
    pub(crate) async fn watch(
        &self,
        name: &str,
        uri: Option<String>,
        reporter: &Reporter,
    ) -> Result<(), CallError> {
        let watched = match uri {
            Some(uri) => self.get(name, reporter)?.subscribe(&uri).await?,
            None => None,
        };
        let mut watching = self.watched.lock().unwrap_or_else(PoisonError::into_inner);
        match watched {
            Some(watched) => drop(watching.insert(name.to_owned(), watched)),
            None => drop(watching.remove(name)),
        }
        Ok(())
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
            "The page of {name} does that, or `frontdesk login --server {name}`, unless the \
             configuration names a token."
        ));
        CallError::Tool(refusal)
    }

    /// The parameters for calling a tool with a single request.
    ///
    /// # Errors
    /// Why that is not possible.
    pub(crate) async fn request(&self, name: &str, reporter: &Reporter) -> Result<Request, String> {
        let Some(ServerConfig::Http(config)) = self.configured.get(name) else {
            return Err(format!("{name} is a process, which has no address"));
        };
        if config.url.query().is_some() {
            return Err(format!("the address of {name} may hold a key"));
        }
        let server = self
            .get(name, reporter)
            .map_err(|error| error.to_string())?;
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

    /// Closes the session with this server, and ends its process. The next request begins a new one.
    pub(crate) async fn close_one(&self, name: &str) {
        let open = self.open().remove(name);
        if let Some(server) = open {
            server.close().await;
        }
    }

    /// Closes all sessions and ends the processes of servers.
    pub(crate) async fn close(&self) {
        let open: Vec<Server> = self.open().drain().map(|(_, server)| server).collect();
        futures::future::join_all(open.iter().map(Server::close)).await;
    }

    fn get(&self, name: &str, reporter: &Reporter) -> Result<Server, CallError> {
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
        if let Some(tasks) = self.kept_tasks() {
            server.keep_tasks(tasks);
        }
        server.trace(&self.trace_of(name));
        server.ask_for_log(LOG_LEVEL);
        listen(&server, reporter.clone());
        let (asker, asking) = (name.to_owned(), reporter.clone());
        server.answer_with(Pages::Shown, move |question| {
            Box::pin(asking.clone().ask(asker.clone(), question))
        });
        self.watch_files(name, config, reporter.clone());
        self.open().insert(name.to_owned(), server.clone());
        Ok(server)
    }

    /// Looks at the files of a server from its first start on.
    fn watch_files(&self, name: &str, config: &ServerConfig, reporter: Reporter) {
        let ServerConfig::Command(config) = config else {
            return;
        };
        let mut edited = self.edited.lock().unwrap_or_else(PoisonError::into_inner);
        if !config.watch.is_empty() && edited.insert(name.to_owned()) {
            let open = Arc::downgrade(&self.open);
            let goes_on = move || open.strong_count() > 0;
            let cwd = config.cwd.clone().unwrap_or_default();
            let paths: Vec<_> = config.watch.iter().map(|path| cwd.join(path)).collect();
            let (name, watching) = (name.to_owned(), Arc::clone(&self.edited));
            tokio::spawn(async move {
                if let Some(changed) = watch(paths, goes_on, &name, &reporter).await {
                    reporter.unwatched(&name, changed);
                    // The next start by hand begins once more.
                    let mut edited = watching.lock().unwrap_or_else(PoisonError::into_inner);
                    edited.remove(&name);
                }
            });
        }
    }

    /// The trace of a server.
    pub(crate) fn trace_of(&self, name: &str) -> Trace {
        let mut traces = self.traces.lock().unwrap_or_else(PoisonError::into_inner);
        let trace = traces.entry(name.to_owned());
        trace.or_insert_with(|| self.trace.kept()).clone()
    }

    fn open(&self) -> std::sync::MutexGuard<'_, HashMap<String, Server>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Resources, then templates, in one list.
async fn resources(server: &Server) -> Result<Listing<Value>, CallError> {
    let mut listed = server.list(Offers::Resources).await?;
    let templates = server.list(Offers::Templates).await?;
    listed.items.extend(templates.items);
    listed.odd.extend(templates.odd);
    Ok(listed)
}

/// Suggestions as records that can be chosen.
async fn suggestions(
    server: &Server,
    of: &str,
    argument: &str,
    mut given: Map<String, Value>,
) -> Result<Reply, CallError> {
    let begin = given.remove(argument);
    let begin = begin.as_ref().and_then(Value::as_str).unwrap_or_default();
    let given = given.into_iter().map(|(name, value)| match value {
        Value::String(text) => (name, text),
        value => (name, value.to_string()),
    });
    let suggested = server.complete(of, (argument, begin), given.collect());
    let suggested = suggested.await?;
    let values = suggested.values.iter();
    let values: Vec<_> = values
        .map(|value| json!({ "id": value, "name": value }))
        .collect();
    Ok(json!({ "values": values, "has_more": suggested.has_more }).into())
}

/// Forwards the server's notices until it closes. Lists that change again and again are read again
/// once in [`AGAIN`].
fn listen(server: &Server, reporter: Reporter) {
    let mut notices = server.notices();
    let name = server.name().to_owned();
    tokio::spawn(async move {
        let (mut next, mut later) = (tokio::time::Instant::now(), Vec::new());
        loop {
            tokio::select! {
                notice = notices.recv() => match notice {
                    // Progress is reported to the caller.
                    Ok(Notice::Progress(_)) | Err(RecvError::Lagged(_)) => {}
                    Ok(notice @ Notice::Log { .. }) => reporter.notice(&name, notice),
                    Ok(notice) if later.contains(&notice) => {}
                    Ok(notice) => later.push(notice),
                    Err(RecvError::Closed) => return,
                },
                () = tokio::time::sleep_until(next), if !later.is_empty() => {
                    for notice in later.drain(..) {
                        reporter.notice(&name, notice);
                    }
                    next = tokio::time::Instant::now() + AGAIN;
                }
            }
        }
    });
}
