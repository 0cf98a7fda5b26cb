//! The pages of a list of a host, several in a request once the list is long.

use std::collections::VecDeque;
use std::time::Duration;

use frontdesk_protocol::mcp::CallMeta;
use frontdesk_protocol::ops::batch::RunBatch;
use frontdesk_protocol::{Host, Tool};
use serde_json::{Map, Value, json};

use crate::{CallError, Callee, Client, Watch};

/// The pages that are requested one by one before several are, and the maximum number of pages in a request.
const AT_ONCE: std::ops::RangeInclusive<usize> = 4..=20;

/// The pages of a list, from the first that its arguments ask for to the last.
#[derive(Debug)]
pub struct Pages {
    client: Client,
    host: Host,
    tool: String,
    arguments: Map<String, Value>,
    /// The offset of the next page to request; none after the last one.
    next: Option<u64>,
    ready: VecDeque<Value>,
    read: usize,
    /// Whether pages are requested one by one: the host refuses several at once.
    is_single: bool,
}

impl Pages {
    /// The pages of the list that this tool returns.
    pub fn new(client: Client, host: Host, tool: &str, arguments: Map<String, Value>) -> Self {
        let offset = arguments.get("offset").and_then(Value::as_u64);
        Pages {
            client,
            host,
            tool: tool.to_owned(),
            arguments,
            next: Some(offset.unwrap_or(0)),
            ready: VecDeque::new(),
            read: 0,
            is_single: false,
        }
    }

    /// The next page, with [`Patience::Job`](crate::Patience::Job); `None` after the last one. `on_wait` is called before
    /// each pause.
    ///
    /// # Errors
    /// As any call.
    pub async fn next(&mut self, on_wait: impl Fn(Duration)) -> Result<Option<Value>, CallError> {
        if self.ready.is_empty() {
            let Some(offset) = self.next else {
                return Ok(None);
            };
            let pages = self.request(offset, &on_wait).await?;
            self.take(pages, offset);
        }
        Ok(self.ready.pop_front())
    }

    async fn request(
        &mut self,
        offset: u64,
        on_wait: &impl Fn(Duration),
    ) -> Result<Vec<Value>, CallError> {
        let limit = self.arguments.get("limit").and_then(Value::as_u64);
        // As many again as have been read.
        let several = self.read.min(*AT_ONCE.end()) as u64;
        let is_long = self.read >= *AT_ONCE.start();
        if let Some(limit) = limit.filter(|_| is_long && !self.is_single) {
            let offsets = (0..several).map(|at| offset + at * limit);
            let calls =
                offsets.map(|offset| json!({ "tool": self.tool, "arguments": self.at(offset) }));
            let calls: Vec<Value> = calls.collect();
            let batch = [("host", json!(self.host)), ("calls", json!(calls))];
            let batch = batch.map(|(name, value)| (name.to_owned(), value));
            let batch = Map::from_iter(batch);
            let call = self.call(RunBatch::HOST, RunBatch::NAME, batch, on_wait);
            match call.await {
                Ok(Value::Object(mut batch)) => {
                    if let Some(Value::Array(pages)) = batch.remove("results") {
                        return Ok(pages);
                    }
                }
                Err(error) if error.wait().is_some() => return Err(error),
                _ => {}
            }
            self.is_single = true;
        }
        let arguments = self.at(offset);
        let page = self.call(self.host, &self.tool, arguments, on_wait);
        Ok(vec![page.await?])
    }

    async fn call(
        &self,
        host: Host,
        tool: &str,
        arguments: Map<String, Value>,
        on_wait: &impl Fn(Duration),
    ) -> Result<Value, CallError> {
        let callee = &Callee::Host(self.client.clone(), host);
        // A batch of lists only reads.
        callee
            .patiently(true, on_wait, || {
                let arguments = arguments.clone();
                async move {
                    let watch = Watch::default();
                    let call = callee.call(tool, arguments, CallMeta::default(), &watch);
                    call.await?.into_value()
                }
            })
            .await
    }

    fn at(&self, offset: u64) -> Map<String, Value> {
        let mut arguments = self.arguments.clone();
        // A list without pages has no such argument.
        if offset > 0 {
            arguments.insert("offset".to_owned(), offset.into());
        }
        arguments
    }

    /// Takes the pages up to the last one of the list, or to one that is shorter than requested.
    fn take(&mut self, pages: Vec<Value>, mut offset: u64) {
        let limit = self.arguments.get("limit").and_then(Value::as_u64);
        for page in pages {
            let more = page["has_more"] == true;
            self.next = page["next_offset"]
                .as_u64()
                .filter(|next| more && *next > offset);
            self.ready.push_back(page);
            self.read += 1;
            match (self.next, limit) {
                (Some(next), Some(limit)) if next == offset + limit => offset = next,
                _ => return,
            }
        }
    }
}
