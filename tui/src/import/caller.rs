//! The calls of an import: they wait if the host asks them to.

use std::fmt::Debug;
use std::pin::Pin;
use std::sync::Arc;

use frontdesk_client::imports::RowCall;
use frontdesk_client::{CallError, Callee, Pages, ToolInfo, Watch};
use frontdesk_protocol::id::ChangeId;
use frontdesk_protocol::mcp::{Action, CallMeta};
use frontdesk_protocol::ops::batch::RunBatch;
use frontdesk_protocol::{Host, Tool};
use serde_json::{Map, Value, json};

/// The answer to a call.
pub(super) type Answer<'a, T> = Pin<Box<dyn Future<Output = Result<T, CallError>> + Send + 'a>>;
/// A host or a server, shared by the import and its lookups.
pub(super) type Caller = Arc<dyn Calls>;

/// Several calls of the host in one transaction.
#[derive(Debug)]
pub(super) struct Batch<'a> {
    pub(super) calls: &'a [RowCall],
    pub(super) dry_run: bool,
    pub(super) key: Option<String>,
    /// The arguments in which added records differ from all others.
    pub(super) unique: &'a [String],
    /// The change of the history that the batch is a part of.
    pub(super) action: Action,
}

/// What an import needs of a host or a server. Every answer can be the error of any call.
pub(super) trait Calls: Debug + Send + Sync {
    /// Its name on the command line.
    fn name(&self) -> &str;

    /// The host, if it is one.
    fn host(&self) -> Option<Host>;

    /// The e-mail address of the account.
    fn email(&self) -> Option<String>;

    /// The time zone of the account's organisation.
    fn time_zone(&self) -> Option<String>;

    /// The account and the address, which tell imports of one file apart.
    fn place(&self) -> String;

    /// How many batches the host accepts at once, if it says.
    fn allowance(&self) -> Option<u32>;

    /// The offered tools.
    fn tools(&self) -> Answer<'_, Vec<ToolInfo>>;

    /// Calls a tool, with the patience of a job.
    fn call<'a>(&'a self, tool: &'a str, arguments: Map<String, Value>) -> Answer<'a, ()>;

    /// At most so many pages of a list of a host of the service.
    fn pages<'a>(
        &'a self,
        host: Host,
        tool: &'a str,
        arguments: Map<String, Value>,
        most: usize,
    ) -> Answer<'a, Vec<Value>>;

    /// Makes the calls of a batch. The answer is the action of a batch that has changed something; the details of a
    /// refusal say which call is wrong.
    fn batch<'a>(&'a self, batch: Batch<'a>) -> Answer<'a, Option<ChangeId>>;

    /// Whether the rows can be sent in batches.
    fn takes_batches(&self) -> bool {
        self.host().is_some()
    }
}

impl Calls for Callee {
    fn name(&self) -> &str {
        Callee::name(self)
    }

    fn host(&self) -> Option<Host> {
        Callee::host(self)
    }

    fn email(&self) -> Option<String> {
        match self {
            Callee::Host(client, _) => client.email(),
            Callee::Server(_) => None,
        }
    }

    fn time_zone(&self) -> Option<String> {
        match self {
            Callee::Host(client, _) => client.last_account()?.time_zone,
            Callee::Server(_) => None,
        }
    }

    fn place(&self) -> String {
        match self {
            Callee::Host(client, host) => {
                let email = client.email().unwrap_or_default();
                format!("{} {email}", client.addresses().base(*host))
            }
            Callee::Server(server) => server.name().to_owned(),
        }
    }

    fn allowance(&self) -> Option<u32> {
        match self {
            Callee::Host(client, _) => client.allowance(RunBatch::HOST),
            Callee::Server(_) => None,
        }
    }

    fn tools(&self) -> Answer<'_, Vec<ToolInfo>> {
        Box::pin(Callee::tools(self))
    }

    fn call<'a>(&'a self, tool: &'a str, arguments: Map<String, Value>) -> Answer<'a, ()> {
        Box::pin(async move {
            let called = patiently(self, tool, arguments, CallMeta::default()).await;
            called.map(|_| ())
        })
    }

    fn pages<'a>(
        &'a self,
        host: Host,
        tool: &'a str,
        arguments: Map<String, Value>,
        most: usize,
    ) -> Answer<'a, Vec<Value>> {
        Box::pin(async move {
            let mut read = Vec::new();
            let Callee::Host(client, _) = self else {
                return Ok(read);
            };
            let mut pages = Pages::new(client.clone(), host, tool, arguments);
            while read.len() < most
                && let Some(page) = pages.next(|_| {}).await?
            {
                read.push(page);
            }
            Ok(read)
        })
    }

    fn batch<'a>(&'a self, batch: Batch<'a>) -> Answer<'a, Option<ChangeId>> {
        Box::pin(async move {
            let Callee::Host(client, host) = self else {
                return Err(CallError::Protocol("no batches".to_owned()));
            };
            let calls = batch.calls.iter();
            let calls = calls.map(|call| json!({ "tool": call.tool, "arguments": call.arguments }));
            let arguments = [
                ("host", json!(host)),
                ("calls", calls.collect()),
                ("dry_run", batch.dry_run.into()),
            ];
            let arguments = arguments.map(|(name, value)| (name.to_owned(), value));
            let meta = CallMeta {
                idempotency_key: batch.key,
                unique: batch.unique.to_vec(),
                action: Some(batch.action),
                ..CallMeta::default()
            };
            let batches = Callee::Host(client.clone(), RunBatch::HOST);
            let made = patiently(&batches, RunBatch::NAME, Map::from_iter(arguments), meta);
            made.await
        })
    }
}

/// Makes a call with the patience of a job. Returns the action that it belongs to.
async fn patiently(
    callee: &Callee,
    tool: &str,
    arguments: Map<String, Value>,
    meta: CallMeta,
) -> Result<Option<ChangeId>, CallError> {
    let is_repeatable = callee.is_repeatable(tool, &arguments, &meta);
    let attempt = || {
        let (arguments, meta) = (arguments.clone(), meta.clone());
        async move {
            let result = callee
                .call(tool, arguments, meta, &Watch::default())
                .await?;
            let action = result.action();
            result.into_value().map(|_| action)
        }
    };
    callee.patiently(is_repeatable, |_| {}, attempt).await
}
