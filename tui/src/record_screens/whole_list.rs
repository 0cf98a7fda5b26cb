//! Fetching all pages of a list as a text.

use std::sync::Arc;

use frontdesk_client::listener::Progress;
use frontdesk_client::{CallError, Client, Pages};
use frontdesk_protocol::Host;
use serde_json::{Map, Value};

use crate::app::effects::job::Job;
use crate::app::effects::platform::Platform;
use crate::app::reporter::Reporter;
use crate::formats::{Format, Paper, Reader};
use crate::tabular::Tabular;

/// A list to write, with all of its pages.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ListJob {
    pub(crate) host: Host,
    pub(crate) tool: String,
    pub(crate) arguments: Map<String, Value>,
    pub(crate) format: Format,
    /// Only these fields, in this order.
    pub(crate) fields: Option<Vec<String>>,
    /// Whether it is copied instead of written to a file.
    pub(crate) is_copied: bool,
}

impl Job for ListJob {
    /// The text, and the number of records.
    type Value = (Vec<u8>, usize);
    type Error = CallError;

    async fn run(
        self: Arc<Self>,
        platform: Platform,
        reporter: Reporter,
    ) -> Result<(Vec<u8>, usize), CallError> {
        written(platform.client, &self, reporter).await
    }
}

async fn written(
    client: Client,
    job: &ListJob,
    reporter: Reporter,
) -> Result<(Vec<u8>, usize), CallError> {
    let mut pages = Pages::new(client, job.host, &job.tool, job.arguments.clone());
    let mut text = Vec::new();
    let mut paper = Paper::new(job.format, Reader::File, &mut text);
    let (mut count, mut name) = (0, String::new());
    let unwritten = |error: crate::formats::WriteError| CallError::Protocol(error.to_string());
    while let Some(page) = pages.next(|_| {}).await? {
        let list = Tabular::of(&page).and_then(|shape| shape.list);
        let Some((key, records)) = list else { break };
        key.clone_into(&mut name);
        count += records.len();
        let records = match &job.fields {
            None => records.clone(),
            Some(fields) => records.iter().map(|record| only(record, fields)).collect(),
        };
        let written = Value::Object(Map::from_iter([(name.clone(), records.into())]));
        paper.page(&written).map_err(unwritten)?;
        reporter.progress(Progress::of(count as f64, 0.0));
    }
    paper.end().map_err(unwritten)?;
    Ok((text, count))
}

/// The record with these fields only.
fn only(record: &Value, fields: &[String]) -> Value {
    let kept = fields.iter().filter_map(|field| {
        let value = record.get(field)?;
        Some((field.clone(), value.clone()))
    });
    Value::Object(kept.collect())
}
