//! A host that is a table, and a server that takes calls one by one.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard};

use frontdesk_client::imports::RowCall;
use frontdesk_client::{CallError, ToolInfo};
use frontdesk_protocol::id::ChangeId;
use frontdesk_protocol::resource::{Kind, Verb};
use frontdesk_protocol::{ErrorCode, Host, ToolError};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::super::caller::{Answer, Batch, Calls};
use super::super::{Import, ImportError, Sheet};
use crate::testing::tools;

/// The event of all records.
pub(super) const EVENT: &str = "00000000-0000-0000-0000-0000000000e0";

/// What happens to the next batch or call.
#[derive(Debug)]
pub(super) enum Next {
    /// It is refused or lost before it is made.
    Fails(CallError),
    /// It is made, and its answer is lost.
    IsMadeBut(CallError),
    /// Somebody else adds these records before it.
    After(Vec<Value>),
}

/// A host that keeps records, and refuses a second one with the same `slug`.
#[derive(Debug)]
pub(super) struct Table {
    host: Host,
    /// Whether it is a server of somebody else, which knows no batches.
    is_server: bool,
    /// How many batches it accepts at once.
    pub(super) allowance: Option<u32>,
    pub(super) kept: Mutex<Kept>,
}

/// What the table keeps.
#[derive(Debug, Default)]
pub(super) struct Kept {
    /// The records by their kind.
    records: BTreeMap<&'static str, Vec<Map<String, Value>>>,
    /// What happens to the next batches.
    pub(super) next: VecDeque<Next>,
    /// The batches by their keys.
    answered: HashMap<String, ChangeId>,
    /// The number of calls in each batch, and the requests for lists.
    pub(super) batches: Vec<usize>,
    pub(super) lists: usize,
    /// The arguments that make the records of the last batch unique.
    pub(super) unique: Vec<String>,
}

impl Table {
    pub(super) fn new(host: Host) -> Table {
        Table {
            host,
            is_server: false,
            allowance: None,
            kept: Mutex::default(),
        }
    }

    /// A server with the tools of this host.
    pub(super) fn server(host: Host) -> Table {
        Table {
            is_server: true,
            ..Table::new(host)
        }
    }

    pub(super) fn keep(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().expect("no test has failed")
    }

    /// The next batches end so.
    pub(super) fn next(&self, next: impl IntoIterator<Item = Next>) {
        self.keep().next.extend(next);
    }

    /// The records of a kind in the order of their addition.
    pub(super) fn records(&self, kind: &str) -> Vec<Map<String, Value>> {
        self.keep().records.get(kind).cloned().unwrap_or_default()
    }

    /// Somebody undoes or deletes all records.
    pub(super) fn clear(&self) {
        self.keep().records.clear();
    }

    /// The texts of a field of all records of a kind.
    pub(super) fn texts(&self, kind: &str, field: &str) -> Vec<String> {
        let records = self.records(kind).into_iter().map(Value::Object);
        let place = format!("/{}", field.replace('.', "/"));
        let texts = records.map(|record| match record.pointer(&place) {
            Some(Value::String(text)) => text.clone(),
            value => value.unwrap_or(&Value::Null).to_string(),
        });
        texts.collect()
    }

    /// An import of this text by a tool of the host, with its event set and its columns assigned.
    pub(super) async fn import(self: &Arc<Table>, place: &Path, tool: &str, text: &str) -> Import {
        let sheet = Sheet::of(text.as_bytes()).expect("a table");
        let opened = self.open(place, tool, sheet).await;
        let mut import = opened.expect("a tool");
        import.assign(&[]).expect("columns");
        import
    }

    pub(super) async fn open(
        self: &Arc<Table>,
        place: &Path,
        tool: &str,
        sheet: Sheet,
    ) -> Result<Import, ImportError> {
        let mut import = Import::by(self.clone(), tool, sheet, place.to_owned()).await?;
        if import.arguments.iter().any(|one| one.name == "event_id") {
            import.set("event_id", EVENT).await?;
        }
        Ok(import)
    }
}

fn kind_of(host: Host, tool: &str) -> (&'static Kind, Verb) {
    let mut kinds = host.kinds().filter_map(|kind| {
        let found = kind.uses.iter().find(|one| one.tool == tool)?;
        Some((kind, found.verb))
    });
    kinds.next().expect("a tool of a kind")
}

impl Kept {
    /// Adds or changes a record.
    fn write(&mut self, host: Host, call: &RowCall) -> Result<(), ToolError> {
        let (kind, verb) = kind_of(host, &call.tool);
        let records = self.records.entry(kind.singular).or_default();
        let mut record = call.arguments.clone();
        if verb != Verb::Create {
            let mut there = records.iter_mut();
            let found = there.find(|one| one.get("id") == record.get("id"));
            found
                .ok_or(ToolError::not_found(kind.singular))?
                .extend(record);
            return Ok(());
        }
        let slug = record.get("slug").filter(|slug| !slug.is_null());
        if slug.is_some() && records.iter().any(|one| one.get("slug") == slug) {
            return Err(ToolError::new(ErrorCode::Conflict, "is in use").on("slug"));
        }
        let id = Uuid::from_u128(records.len() as u128 + 1);
        record.insert("id".to_owned(), id.to_string().into());
        records.push(record);
        Ok(())
    }

    /// Adds records of this kind, as somebody else does.
    fn add(&mut self, host: Host, tool: &str, records: Vec<Value>) {
        for record in records {
            let Value::Object(arguments) = record else {
                panic!("a record is an object");
            };
            let call = RowCall {
                row: 0,
                tool: tool.to_owned(),
                arguments,
            };
            self.write(host, &call).expect("it is new");
        }
    }

    /// Makes all calls or none.
    fn make(&mut self, host: Host, calls: &[RowCall]) -> Result<(), CallError> {
        let before = self.records.clone();
        for (index, call) in calls.iter().enumerate() {
            if let Err(error) = self.write(host, call) {
                self.records = before;
                let details = json!({ "index": index, "error": error });
                return Err(CallError::Tool(error.with(&details)));
            }
        }
        Ok(())
    }

    fn batch(&mut self, host: Host, batch: &Batch) -> Result<Option<ChangeId>, CallError> {
        self.batches.push(batch.calls.len());
        self.unique = batch.unique.to_vec();
        let known = batch.key.as_ref().and_then(|key| self.answered.get(key));
        if let Some(change) = known {
            return Ok(Some(*change));
        }
        let lost = match self.next.pop_front() {
            None => None,
            Some(Next::Fails(error)) => return Err(error),
            Some(Next::IsMadeBut(error)) => Some(error),
            Some(Next::After(records)) => {
                self.add(host, batch.calls[0].tool.as_str(), records);
                None
            }
        };
        let before = self.records.clone();
        self.make(host, batch.calls)?;
        if batch.dry_run {
            self.records = before;
            return Ok(None);
        }
        let change = ChangeId(Uuid::from_u128(self.batches.len() as u128));
        if let Some(key) = &batch.key {
            self.answered.insert(key.clone(), change);
        }
        lost.map_or(Ok(Some(change)), Err)
    }

    /// The records of the list that have these arguments.
    fn list(&mut self, kind: &Kind, arguments: &Map<String, Value>) -> Value {
        self.lists += 1;
        let is = |record: &&Map<String, Value>| {
            arguments.iter().all(|(name, value)| match name.as_str() {
                "limit" => true,
                "search" => record["name"].as_str().is_some_and(|name| {
                    let part = value.as_str().unwrap_or_default();
                    name.to_lowercase().contains(&part.to_lowercase())
                }),
                name => record.get(name) == Some(value),
            })
        };
        let records = self.records.get(kind.singular).into_iter().flatten();
        let found: Vec<_> = records.filter(is).cloned().collect();
        json!({ kind.plural: found })
    }
}

impl Calls for Table {
    fn name(&self) -> &str {
        self.host.area()
    }

    fn host(&self) -> Option<Host> {
        (!self.is_server).then_some(self.host)
    }

    fn email(&self) -> Option<String> {
        Some("owner@school.test".to_owned())
    }

    fn time_zone(&self) -> Option<String> {
        None
    }

    fn place(&self) -> String {
        "table".to_owned()
    }

    fn allowance(&self) -> Option<u32> {
        self.allowance
    }

    fn tools(&self) -> Answer<'_, Vec<ToolInfo>> {
        Box::pin(std::future::ready(Ok(tools(self.host))))
    }

    fn call<'a>(&'a self, tool: &'a str, arguments: Map<String, Value>) -> Answer<'a, ()> {
        let call = RowCall {
            row: 0,
            tool: tool.to_owned(),
            arguments,
        };
        let mut kept = self.keep();
        let made = match kept.next.pop_front() {
            Some(Next::Fails(error)) => Err(error),
            _ => kept.write(self.host, &call).map_err(CallError::Tool),
        };
        Box::pin(std::future::ready(made))
    }

    fn pages<'a>(
        &'a self,
        host: Host,
        tool: &'a str,
        arguments: Map<String, Value>,
        _: usize,
    ) -> Answer<'a, Vec<Value>> {
        let (kind, _) = kind_of(host, tool);
        let page = self.keep().list(kind, &arguments);
        Box::pin(std::future::ready(Ok(vec![page])))
    }

    fn batch<'a>(&'a self, batch: Batch<'a>) -> Answer<'a, Option<ChangeId>> {
        let made = self.keep().batch(self.host, &batch);
        Box::pin(std::future::ready(made))
    }
}
