//! Records by their names, for arguments that take ids.

use std::collections::HashMap;

use frontdesk_client::{CallError, Callee, Client};
use frontdesk_protocol::Host;
use frontdesk_protocol::resource::{Kind, Use, Verb};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::caller::Calls;
use super::same;
use crate::look::text::fold;
use crate::tabular::Tabular;

/// Fields that identify a record for people, in addition to its name.
const KEYS: [&str; 6] = [
    "email",
    "personal_email",
    "corporate_email",
    "slug",
    "code",
    "number",
];
/// The names of search arguments.
const SEARCHES: [&str; 2] = ["search", "title_contains"];

/// A kind of record, and its host.
#[derive(Debug, Clone, Copy)]
pub(super) struct Listed {
    pub(super) host: Host,
    pub(super) kind: &'static Kind,
    list: &'static Use,
}

impl Listed {
    fn of(host: Host, kind: &'static Kind) -> Option<Listed> {
        let list = kind.uses.iter().find(|one| one.verb == Verb::List)?;
        Some(Listed { host, kind, list })
    }

    /// The kind whose records this tool adds or changes.
    pub(super) fn written_by(host: Host, tool: &str) -> Option<Listed> {
        let mut kinds = host.kinds();
        let kind = kinds.find(|kind| kind.uses.iter().any(|one| one.tool == tool))?;
        Listed::of(host, kind)
    }

    /// The kind whose ids this argument takes.
    pub(super) fn referred_to(host: Host, tool: &str, argument: &str) -> Option<Listed> {
        let references = host.tool(tool)?.references();
        let (_, name) = references.into_iter().find(|(name, _)| name == argument)?;
        let hosts = std::iter::once(host).chain(Host::ALL);
        hosts
            .flat_map(|host| host.kinds().map(move |kind| (host, kind)))
            // Where two hosts have records of one name, ids have the host's, too: `financing_account`.
            .filter(|(host, kind)| {
                kind.singular == name || format!("{host}_{}", kind.singular) == name
            })
            .find_map(|(host, kind)| Listed::of(host, kind))
    }

    /// The arguments that the list needs.
    pub(super) fn needs(&self) -> impl Iterator<Item = String> + use<> {
        let tool = self.host.tool(self.list.tool);
        let schema = tool.map(|tool| tool.input_schema()).unwrap_or_default();
        let required = schema["required"].as_array().cloned().unwrap_or_default();
        required
            .into_iter()
            .filter_map(|name| Some(name.as_str()?.to_owned()))
    }

    /// All records of the list. `given` has the arguments that it needs.
    ///
    /// # Errors
    /// A message if an argument is missing, or the call fails.
    pub(super) async fn all(
        &self,
        caller: &dyn Calls,
        given: &Map<String, Value>,
        search: Option<&str>,
    ) -> Result<Vec<Map<String, Value>>, ListError> {
        let Some(tool) = self.host.tool(self.list.tool) else {
            return Ok(Vec::new());
        };
        let schema = tool.input_schema();
        let mut arguments = Map::new();
        for name in self.needs() {
            let value = given.get(&name).cloned();
            let value = value.ok_or_else(|| ListError::Needs(name.clone()))?;
            arguments.insert(name, value);
        }
        let limit = &schema["properties"]["limit"]["maximum"];
        if !limit.is_null() {
            arguments.insert("limit".to_owned(), limit.clone());
        }
        if let Some((name, text)) = self.search().zip(search) {
            arguments.insert(name.to_owned(), text.into());
        }
        let most = search.map_or(usize::MAX, |_| 1);
        let pages = caller.pages(self.host, self.list.tool, arguments, most);
        let mut records = Vec::new();
        for page in pages.await.map_err(ListError::Call)? {
            let list = Tabular::of(&page).and_then(|shape| shape.list);
            let list = list.map_or(&[][..], |(_, records)| records.as_slice());
            records.extend(list.iter().filter_map(|record| record.as_object().cloned()));
        }
        Ok(records)
    }

    /// The search argument of the list.
    fn search(&self) -> Option<&'static str> {
        let schema = self.host.tool(self.list.tool)?.input_schema();
        let has = |name: &&str| !schema["properties"][*name].is_null();
        SEARCHES.into_iter().find(has)
    }
}

/// Why a list cannot be read.
#[derive(Debug)]
pub(super) enum ListError {
    /// An argument that the list needs is not set.
    Needs(String),
    Call(CallError),
}

/// The records found so far.
#[derive(Debug, Default)]
pub(super) struct Names {
    all: HashMap<&'static str, Vec<Map<String, Value>>>,
}

impl Names {
    /// The id of the record with this name, or the id itself.
    ///
    /// # Errors
    /// The inner error says why no record can be chosen; the outer one is that of the call.
    pub(super) async fn find(
        &mut self,
        caller: &dyn Calls,
        listed: Listed,
        given: &Map<String, Value>,
        text: &str,
    ) -> Result<Result<Value, String>, CallError> {
        let plain = same::plain(text);
        let text = plain.as_str();
        if text.parse::<Uuid>().is_ok() {
            return Ok(Ok(text.into()));
        }
        let noun = listed.kind.singular.replace('_', " ");
        let mut read: &[Map<String, Value>] = &[];
        let searched;
        if listed.search().is_some() && !text.contains('@') {
            match listed.all(caller, given, Some(text)).await {
                Ok(records) => {
                    searched = records;
                    read = &searched;
                }
                Err(ListError::Call(error)) => return Err(error),
                Err(ListError::Needs(name)) => return Ok(Err(format!("needs {name} first"))),
            }
        }
        if listed.search().is_none() || text.contains('@') {
            if !self.all.contains_key(listed.list.tool) {
                match listed.all(caller, given, None).await {
                    Ok(records) => {
                        self.all.insert(listed.list.tool, records);
                    }
                    Err(ListError::Call(error)) => return Err(error),
                    Err(ListError::Needs(name)) => return Ok(Err(format!("needs {name} first"))),
                }
            }
            let records = self.all.get(listed.list.tool);
            read = records.map_or(&[][..], Vec::as_slice);
        }
        let found = fitting(read, listed.kind, text);
        Ok(match found.as_slice() {
            [only] => Ok(only.clone()),
            [] => Err(match similar(read, listed.kind, text) {
                Some(similar) => format!("no {noun} is named “{text}”, but one “{similar}”"),
                None => format!("no {noun} is named “{text}”"),
            }),
            several => Err(format!(
                "{} records are named “{text}”; give the id of the {noun}",
                several.len()
            )),
        })
    }
}

/// Puts ids in the place of names, in the arguments that refer to records.
///
/// # Errors
/// The inner error is a message: no record has the name, or several have it. The outer one is that of a call.
pub async fn put_ids(
    client: &Client,
    host: Host,
    tool: &str,
    arguments: &mut Map<String, Value>,
) -> Result<Result<(), String>, CallError> {
    let declared = host.tool(tool).map(|tool| tool.references());
    let references = declared.into_iter().flatten().filter_map(|(argument, _)| {
        let listed = Listed::referred_to(host, tool, &argument)?;
        Some((argument, listed))
    });
    let mut references: Vec<_> = references.collect();
    // A list that needs an id comes after the argument with this id.
    references.sort_by_key(|(_, listed)| listed.needs().count());
    let caller = Callee::Host(client.clone(), host);
    let mut names = Names::default();
    for (argument, listed) in references {
        let given = arguments.clone();
        for text in texts(arguments, &argument) {
            match names.find(&caller, listed, &given, text).await? {
                Ok(Value::String(id)) => *text = id,
                Ok(_) => {}
                Err(message) => return Ok(Err(format!("{argument}: {message}"))),
            }
        }
    }
    Ok(Ok(()))
}

/// Puts some id in the place of each name, so that everything else can be checked before names are looked up.
pub fn put_any_ids(host: Host, tool: &str, arguments: &mut Map<String, Value>) {
    let references = host.tool(tool).map(|tool| tool.references());
    for (argument, _) in references.into_iter().flatten() {
        for text in texts(arguments, &argument) {
            *text = Uuid::nil().to_string();
        }
    }
}

/// The texts of an argument that has one or a list of them.
fn texts<'a>(
    arguments: &'a mut Map<String, Value>,
    argument: &str,
) -> impl Iterator<Item = &'a mut String> {
    let values = match arguments.get_mut(argument) {
        Some(Value::Array(values)) => values.iter_mut().collect(),
        value => value.into_iter().collect::<Vec<_>>(),
    };
    let texts = values.into_iter().filter_map(|value| match value {
        Value::String(text) => Some(text),
        _ => None,
    });
    texts.filter(|text| !text.is_empty())
}

/// The ids of the records with this name, e-mail address, slug or number.
fn fitting(records: &[Map<String, Value>], kind: &Kind, text: &str) -> Vec<Value> {
    let is = |record: &&Map<String, Value>| {
        let mut names = names(record, kind);
        names.any(|(field, name)| {
            same::value(field, &name.into()) == same::value(field, &text.into())
        })
    };
    let found = records.iter().filter(is);
    found
        .filter_map(|record| record.get("id").cloned())
        .collect()
}

/// The name of a record that differs from the text only in case and accents.
fn similar<'a>(records: &'a [Map<String, Value>], kind: &Kind, text: &str) -> Option<&'a str> {
    let mut names = records.iter().flat_map(|record| names(record, kind));
    let (_, name) = names.find(|(_, name)| fold(&same::plain(name)) == fold(text))?;
    Some(name)
}

/// The fields that identify the record for people.
fn names<'a>(
    record: &'a Map<String, Value>,
    kind: &Kind,
) -> impl Iterator<Item = (&'static str, &'a str)> + use<'a> {
    let fields = kind.fields.name.into_iter().chain(KEYS);
    fields.filter_map(|field| Some((field, record.get(field)?.as_str()?)))
}
