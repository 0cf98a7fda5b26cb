//! Calls of an import: they wait when the host asks to.

use std::time::Duration;

use frontdesk_client::{CallError, Client, Pages, Server, ToolInfo};
use frontdesk_protocol::id::ChangeId;
use frontdesk_protocol::mcp::{Action, CallMeta};
use frontdesk_protocol::ops::batch::RunBatch;
use frontdesk_protocol::{Host, Tool};
use serde_json::{Map, Value, json};

/// The maximum number of attempts to reach a callee.
const ATTEMPTS: u32 = 5;
/// The time to wait for a callee that cannot be reached.
const PAUSE: Duration = Duration::from_secs(2);

/// The host or server whose tool is called for each row.
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

    /// The e-mail address of the account.
    pub(super) fn email(&self) -> Option<String> {
        match self {
            Callee::Host(client, _) => client.email(),
            Callee::Server(_) => None,
        }
    }

    /// The account and the address, which tell imports of one file apart.
    pub(super) fn place(&self) -> String {
        match self {
            Callee::Host(client, host) => {
                let email = client.email().unwrap_or_default();
                format!("{} {email}", client.addresses().base(*host))
            }
            Callee::Server(server) => server.name().to_owned(),
        }
    }

    /// The tool with this name, if it is offered.
    ///
    /// # Errors
    /// As any read.
    pub async fn tool(&self, name: &str) -> Result<Option<ToolInfo>, CallError> {
        let mut tools = match self {
            Callee::Host(client, host) => client.tools(*host).await?,
            Callee::Server(server) => server.tools().await?,
        };
        let at = tools.iter().position(|tool| tool.name == name);
        Ok(at.map(|at| tools.swap_remove(at)))
    }

    /// Whether the rows can be sent in batches.
    pub(super) fn takes_batches(&self) -> bool {
        matches!(self, Callee::Host(..))
    }

    /// How many batches the host accepts at once, if it says.
    pub(super) fn allowance(&self) -> Option<u32> {
        match self {
            Callee::Host(client, _) => client.allowance(RunBatch::HOST),
            Callee::Server(_) => None,
        }
    }

    /// Calls a tool once, after the waits that the callee asks for. A read, and a write with a key, is repeated if its
    /// answer is lost.
    ///
    /// # Errors
    /// As any call.
    pub(super) async fn call(
        &self,
        tool: &str,
        arguments: Map<String, Value>,
        meta: CallMeta,
    ) -> Result<Value, CallError> {
        let host = match self {
            Callee::Host(_, host) => Some(*host),
            Callee::Server(_) => None,
        };
        Ok(self.patiently(host, tool, arguments, meta).await?.0)
    }

    /// At most so many pages of a list of a host of the service.
    ///
    /// # Errors
    /// As any call.
    pub(super) async fn pages(
        &self,
        host: Host,
        tool: &str,
        arguments: Map<String, Value>,
        most: usize,
    ) -> Result<Vec<Value>, CallError> {
        let mut read = Vec::new();
        let Callee::Host(client, _) = self else {
            return Ok(read);
        };
        let mut pages = Pages::new(client.clone(), host, tool, arguments);
        let mut attempts = 0;
        while read.len() < most {
            match pages.next().await {
                Ok(Some(page)) => read.push(page),
                Ok(None) => break,
                Err(error) => {
                    attempts += 1;
                    let pause = pause(&error, attempts, true).ok_or(error)?;
                    tokio::time::sleep(pause).await;
                }
            }
        }
        Ok(read)
    }

    /// Runs several calls of the host in one transaction, as a part of `action`. Records that they add differ from all
    /// others in the `unique` arguments. Returns the action of a batch that has changed something.
    ///
    /// # Errors
    /// As any call; the details of a refusal say which call is wrong.
    pub(super) async fn batch(
        &self,
        calls: &[(&str, &Map<String, Value>)],
        dry_run: bool,
        key: Option<String>,
        unique: &[String],
        action: Action,
    ) -> Result<Option<ChangeId>, CallError> {
        let calls: Vec<Value> = calls
            .iter()
            .map(|(tool, arguments)| json!({ "tool": tool, "arguments": arguments }))
            .collect();
        let arguments = json!({ "host": self.name(), "calls": calls, "dry_run": dry_run });
        let Value::Object(arguments) = arguments else {
            return Err(CallError::Protocol(
                "arguments must be an object".to_owned(),
            ));
        };
        let meta = CallMeta {
            idempotency_key: key,
            unique: unique.to_vec(),
            action: Some(action),
            ..CallMeta::default()
        };
        let result = self.patiently(Some(RunBatch::HOST), RunBatch::NAME, arguments, meta);
        Ok(result.await?.1)
    }

    async fn patiently(
        &self,
        host: Option<Host>,
        tool: &str,
        arguments: Map<String, Value>,
        meta: CallMeta,
    ) -> Result<(Value, Option<ChangeId>), CallError> {
        let is_read =
            host.is_some_and(|host| host.tool(tool).is_some_and(|tool| tool.effect.read_only));
        let is_repeatable = is_read || meta.idempotency_key.is_some();
        let mut attempts = 0;
        loop {
            let result = match (self, host) {
                (Callee::Host(client, _), Some(host)) => {
                    client
                        .call_tool(host, tool, arguments.clone(), meta.clone())
                        .await
                }
                (Callee::Server(server), _) => {
                    server
                        .call_watched(tool, arguments.clone(), CallMeta::default(), |_| {})
                        .await
                }
                (Callee::Host(..), None) => return Err(CallError::Protocol("no host".to_owned())),
            };
            let result = result.and_then(|result| {
                let action = result.action();
                Ok((result.into_value()?, action))
            });
            let error = match result {
                Ok(result) => return Ok(result),
                Err(error) => error,
            };
            attempts += 1;
            let pause = pause(&error, attempts, is_repeatable).ok_or(error)?;
            tokio::time::sleep(pause).await;
        }
    }
}

/// The time to wait before a call that failed is made again; `None` if it is not.
fn pause(error: &CallError, attempts: u32, is_repeatable: bool) -> Option<Duration> {
    match error {
        CallError::RateLimited { retry_after } | CallError::Busy { retry_after } => {
            Some(*retry_after)
        }
        CallError::Unreachable { .. } if attempts < ATTEMPTS => Some(PAUSE),
        CallError::OutcomeUnknown(_) if is_repeatable && attempts < ATTEMPTS => Some(PAUSE),
        _ => None,
    }
}
