//! Calls of an import: they wait if the host asks them to.

use frontdesk_client::{CallError, Callee, Pages};
use frontdesk_protocol::id::ChangeId;
use frontdesk_protocol::mcp::{Action, CallMeta};
use frontdesk_protocol::ops::batch::RunBatch;
use frontdesk_protocol::{Host, Tool};
use serde_json::{Map, Value, json};

/// The callee of an import, with the waits that it asks for.
#[derive(Debug, Clone)]
pub(super) struct Caller(pub(super) Callee);

impl Caller {
    /// The e-mail address of the account.
    pub(super) fn email(&self) -> Option<String> {
        match &self.0 {
            Callee::Host(client, _) => client.email(),
            Callee::Server(_) => None,
        }
    }

    /// The account and the address, which tell imports of one file apart.
    pub(super) fn place(&self) -> String {
        match &self.0 {
            Callee::Host(client, host) => {
                let email = client.email().unwrap_or_default();
                format!("{} {email}", client.addresses().base(*host))
            }
            Callee::Server(server) => server.name().to_owned(),
        }
    }

    /// Whether the rows can be sent in batches.
    pub(super) fn takes_batches(&self) -> bool {
        self.0.host().is_some()
    }

    /// How many batches the host accepts at once, if it says.
    pub(super) fn allowance(&self) -> Option<u32> {
        match &self.0 {
            Callee::Host(client, _) => client.allowance(RunBatch::HOST),
            Callee::Server(_) => None,
        }
    }

    /// Calls a tool, with the patience of a job.
    ///
    /// # Errors
    /// As any call.
    pub(super) async fn call(
        &self,
        tool: &str,
        arguments: Map<String, Value>,
    ) -> Result<Value, CallError> {
        let called = patiently(&self.0, tool, arguments, CallMeta::default()).await;
        Ok(called?.0)
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
        let Callee::Host(client, _) = &self.0 else {
            return Ok(read);
        };
        let mut pages = Pages::new(client.clone(), host, tool, arguments);
        while read.len() < most
            && let Some(page) = pages.next(|_| {}).await?
        {
            read.push(page);
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
        let Callee::Host(client, _) = &self.0 else {
            return Err(CallError::Protocol("no batches".to_owned()));
        };
        let batches = Callee::Host(client.clone(), RunBatch::HOST);
        let calls: Vec<Value> = calls
            .iter()
            .map(|(tool, arguments)| json!({ "tool": tool, "arguments": arguments }))
            .collect();
        let arguments = json!({ "host": self.0.name(), "calls": calls, "dry_run": dry_run });
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
        let result = patiently(&batches, RunBatch::NAME, arguments, meta);
        Ok(result.await?.1)
    }
}

/// The value of the result, and the action that the call belongs to.
async fn patiently(
    callee: &Callee,
    tool: &str,
    arguments: Map<String, Value>,
    meta: CallMeta,
) -> Result<(Value, Option<ChangeId>), CallError> {
    let is_repeatable = callee.is_repeatable(tool, &arguments, &meta);
    callee
        .patiently(
            is_repeatable,
            |_| {},
            || {
                let (arguments, meta) = (arguments.clone(), meta.clone());
                async move {
                    let result = callee.call(tool, arguments, meta, |_| {}).await?;
                    let action = result.action();
                    Ok((result.into_value()?, action))
                }
            },
        )
        .await
}
