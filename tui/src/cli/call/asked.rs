//! A tool and its callee: the arguments of a call, and the call until its end or an interruption.

use std::cell::Cell;
use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use frontdesk::import::{put_any_ids, put_ids};
use frontdesk_client::listener::Progress;
use frontdesk_client::{CallError, CallResult, Callee, Watch};
use frontdesk_protocol::mcp::CallMeta;
use frontdesk_protocol::{ErrorCode, exact};
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use super::arguments::Given;
use super::asking;
use crate::cli::{Failure, callee, terminal, warn};

/// A tool at its callee.
pub(in crate::cli) struct AskedTool<'a> {
    pub(in crate::cli) callee: &'a Callee,
    pub(in crate::cli) tool: &'a str,
    /// Whether a write was sent and not answered yet.
    pub(in crate::cli) is_pending: &'a Cell<bool>,
}

impl AskedTool<'_> {
    /// The arguments that fit the schema. In a terminal, it asks for those that are missing; at a host, names of records stand
    /// for their ids.
    pub(in crate::cli) async fn arguments(
        &self,
        given: Given,
        schema: &Value,
    ) -> Result<Map<String, Value>, Failure> {
        terminal::until_interrupted(self.read(given, schema)).await
    }

    async fn read(&self, mut given: Given, schema: &Value) -> Result<Map<String, Value>, Failure> {
        if terminal::is_talking() && std::io::stdout().is_terminal() {
            given = asking::with_missing(schema, given).await?;
        }
        if let Callee::Host(client, host) = self.callee {
            let mut names = given.names();
            // Everything else that is wrong is reported before names are looked up.
            let (mut checked, mut any) = (given.clone(), names.clone());
            put_any_ids(*host, self.tool, &mut any);
            checked.put(any);
            checked.to_arguments(schema)?;
            let named = put_ids(client, *host, self.tool, &mut names).await;
            named
                .map_err(|error| callee::failure(self.callee, error))?
                .map_err(Failure::Usage)?;
            given.put(names);
        }
        given.to_arguments(schema)
    }

    /// Validates what the schema of a declared tool does not express.
    pub(in crate::cli) fn check(&self, arguments: &Map<String, Value>) -> Result<(), Failure> {
        let Some(tool) = self.callee.declared(self.tool) else {
            return Ok(());
        };
        let arguments = Value::Object(arguments.clone());
        let checked = tool.check(&exact::text(&arguments));
        checked.map(drop).map_err(|error| {
            let field = error
                .field
                .map_or(String::new(), |field| format!("{field} "));
            let hint = error
                .hint
                .map_or(String::new(), |hint| format!(" ({hint})"));
            Failure::Usage(format!("{field}{}{hint}", error.message))
        })
    }

    /// Makes one call, and shows its progress.
    pub(in crate::cli) async fn call(
        &self,
        arguments: Map<String, Value>,
        meta: CallMeta,
        reads: bool,
    ) -> Result<CallResult, Failure> {
        let is_write = !reads && !meta.preview;
        let is_repeatable = self.callee.is_repeatable(self.tool, &arguments, &meta);
        let stop = CancellationToken::new();
        let is_drawn = Arc::new(AtomicBool::new(false));
        let draws = Arc::clone(&is_drawn);
        let hear = move |progress: Progress| {
            draws.store(true, Ordering::Relaxed);
            show(&progress);
        };
        let watch = &Watch::new(hear, stop.clone());
        let attempt = || async {
            self.is_pending.set(is_write);
            let (arguments, meta) = (arguments.clone(), meta.clone());
            let call = self.callee.call(self.tool, arguments, meta, watch);
            let outcome = call.await;
            let is_unknown = outcome.as_ref().is_err_and(CallError::may_be_done);
            self.is_pending.set(is_write && is_unknown);
            outcome
        };
        let made = self
            .callee
            .patiently(is_repeatable, callee::waiting, attempt);
        let made = self.stopped_by_hand(&stop, made).await;
        if is_drawn.load(Ordering::Relaxed) {
            callee::draw("");
        }
        match made? {
            Ok(result) => Ok(result),
            Err(CallError::Tool(error))
                if stop.is_cancelled() && error.code == ErrorCode::Refused =>
            {
                warn(&error.message);
                Err(Failure::Interrupted)
            }
            Err(error) => Err(self.refused(error).await),
        }
    }

    /// Makes a call at a host until its end. The first interruption asks the host to stop it, the second stops waiting.
    async fn stopped_by_hand<T>(
        &self,
        stop: &CancellationToken,
        made: impl Future<Output = Result<T, CallError>>,
    ) -> Result<Result<T, CallError>, Failure> {
        if self.callee.host().is_none() {
            return Ok(made.await);
        }
        tokio::pin!(made);
        tokio::select! {
            made = &mut made => return Ok(made),
            _ = tokio::signal::ctrl_c() => stop.cancel(),
        }
        tokio::select! {
            made = &mut made => Ok(made),
            _ = tokio::signal::ctrl_c() => Err(Failure::Interrupted),
        }
    }

    /// The failure of a call. Says what may help, if the server misses somebody who answers it.
    pub(super) async fn refused(&self, error: CallError) -> Failure {
        if let Callee::Server(server) = self.callee
            && let Some(advice) = asking::advice(server, &error.to_string()).await
        {
            warn(&advice);
        }
        callee::failure(self.callee, error)
    }
}

fn show(progress: &Progress) {
    let done = match progress.total {
        Some(total) => format!("{} of {total}", progress.done),
        None if progress.is_task => "task".to_owned(),
        None => progress.done.to_string(),
    };
    match &progress.message {
        Some(message) => callee::draw(&format!("{done}: {message}")),
        None => callee::draw(&done),
    }
}
