//! Which record a row is about.

use std::collections::{BTreeSet, HashMap};

use frontdesk_client::CallError;
use frontdesk_form::Form;
use frontdesk_protocol::resource::Verb;
use serde_json::{Map, Value};

use super::columns::{self, named};
use super::doubt::{About, Doubt};
use super::names::Listed;
use super::{Import, ImportError, row, same};
use crate::look::text::fold;
use crate::tabular::cell;

/// The arguments with a person's own e-mail address.
pub(super) const OWN: [&str; 3] = ["email", "personal_email", "corporate_email"];

/// The key that matches no row.
const NO_KEY: &str = "none";
/// The field with the id of a record.
pub(super) const ID: &str = "id";
/// The records that rows can match.
#[derive(Debug)]
pub(super) struct Existing {
    pub(super) key: String,
    /// The tool that changes a record.
    pub(super) tool: String,
    /// Its arguments.
    pub(super) schema: Value,
    /// The arguments that this tool does not take.
    pub(super) without: BTreeSet<String>,
    records: HashMap<String, Vec<Map<String, Value>>>,
    /// Their keys without case and accents.
    pub(super) similar: HashMap<String, String>,
    /// The field with the name.
    pub(super) name: Option<&'static str>,
    /// The columns with the records that they belong to.
    parents: Vec<String>,
    /// If the records are people, their addresses by name without case and accents.
    pub(super) people: HashMap<String, Vec<String>>,
}

/// The keys of the rows.
#[derive(Debug, Default)]
pub(super) struct Keys {
    /// The key of each row; empty if the row has none.
    pub(super) all: Vec<Result<String, String>>,
    /// The places of the rows with this key.
    places: HashMap<String, Vec<usize>>,
    /// The places of the rows with this key without case and accents.
    pub(super) similar: HashMap<String, Vec<usize>>,
    /// The places of the rows with this name without case and accents.
    pub(super) people: HashMap<String, Vec<usize>>,
}

/// The record of a row.
pub(super) enum Found<'a> {
    One(&'a Map<String, Value>),
    /// No record has its key.
    New,
    /// No record matches, and the key does not identify the row: it is empty, or other rows have the same.
    Unkeyed,
}

impl Import {
    /// The argument of a column that matches rows with records.
    pub(super) fn key_of(&self, key: &str) -> Result<String, ImportError> {
        let key = named(key, &self.arguments).map_err(ImportError::Usage)?;
        let key = key.filter(|key| self.columns.iter().flatten().any(|one| one == key));
        key.ok_or_else(|| {
            let message = "the key must be the argument of a column, such as --key email";
            ImportError::Usage(message.to_owned())
        })
    }

    /// Chooses the key, and reads the records that rows can match. Without a given key, it is the id of an exported
    /// list, otherwise an e-mail address, a code, or a name. A name that two records or two rows have is no key, except
    /// of people: for each of them somebody decides.
    pub(super) async fn choose_key(
        &mut self,
        given: Option<&str>,
    ) -> Result<Option<Existing>, ImportError> {
        let existing = self.matched_by(given).await?;
        self.key = existing.as_ref().map(|existing| existing.key.clone());
        if existing.is_none() {
            self.unique.clear();
        }
        Ok(existing)
    }

    async fn matched_by(&mut self, given: Option<&str>) -> Result<Option<Existing>, ImportError> {
        if given == Some(NO_KEY) {
            return Ok(None);
        }
        if let Some(given) = given {
            let key = self.key_of(given)?;
            return self.existing(&key).await.map(Some);
        }
        let usual = self.usual_key();
        let is_exported = self.sheet.header.iter().any(|name| name == ID);
        if usual.is_none() && !(is_exported && self.is_addition()) {
            return Ok(None);
        }
        let records = match self.records().await {
            Ok(records) => records,
            Err(
                ImportError::Usage(_)
                | ImportError::Call(CallError::Forbidden(_) | CallError::Tool(_)),
            ) => return Ok(None),
            Err(error) => return Err(error),
        };
        if is_exported {
            let existing = self.index(records.clone(), ID)?;
            let keys = self.keys(&existing);
            if keys
                .places
                .keys()
                .any(|id| existing.records.contains_key(id))
            {
                return Ok(Some(existing));
            }
        }
        let Some(key) = usual else { return Ok(None) };
        let existing = self.index(records, &key)?;
        // Of people, a name that several have is a question for each.
        if existing.name == Some(key.as_str()) && !self.is_of_people(existing.name) {
            let keys = self.keys(&existing);
            let is_repeated = existing.records.values().any(|records| records.len() > 1)
                || keys.places.values().any(|places| places.len() > 1);
            if is_repeated {
                return Ok(None);
            }
        }
        Ok(Some(existing))
    }

    /// Whether the tool adds a record of the kind that it writes.
    fn is_addition(&self) -> bool {
        let listed = self
            .host()
            .and_then(|host| Listed::written_by(host, &self.tool.name));
        let mut uses = listed.iter().flat_map(|listed| listed.kind.uses);
        uses.any(|one| one.tool == self.tool.name && one.verb == Verb::Create)
    }

    /// The argument that identifies records best.
    fn usual_key(&self) -> Option<String> {
        let host = self.host()?;
        let listed = Listed::written_by(host, &self.tool.name)?;
        if !self.is_addition() {
            return None;
        }
        let columns = || self.columns.iter().flatten();
        let is_of_person = self.is_of_people(listed.kind.fields.name);
        let has_address = |own: &&&str| {
            let mut rows = self.sheet.rows.iter();
            rows.any(|row| {
                self.cell(row, own)
                    .is_some_and(|cell| same::is_address(cell.trim()))
            })
        };
        let email = OWN.iter().find(has_address);
        if let Some(email) = email.filter(|_| is_of_person) {
            return Some((*email).to_owned());
        }
        let leaf = |argument: &str| same::is_code(argument.rsplit('.').next().unwrap_or_default());
        let mut codes = columns().filter(|one| leaf(one) && self.refers_to(one).is_none());
        if let Some(code) = codes.next() {
            return Some(code.clone());
        }
        let name = listed.kind.fields.name?;
        columns().find(|one| *one == name).cloned()
    }

    /// The records by their keys.
    pub(super) fn index(
        &mut self,
        records: Vec<Map<String, Value>>,
        key: &str,
    ) -> Result<Existing, ImportError> {
        let (listed, change) = self.changed()?;
        let tool = listed.host.tool(change.tool);
        let schema = tool.map(|tool| tool.input_schema()).unwrap_or_default();
        let takes = columns::arguments(&schema);
        let is_taken = |name: &str| takes.iter().any(|one| one.name == name);
        let arguments = self.arguments.iter().map(|one| one.name.clone());
        let name = listed.kind.fields.name;
        let is_of_people = self.is_of_people(name);
        let mut existing = Existing {
            key: key.to_owned(),
            tool: change.tool.to_owned(),
            without: arguments.filter(|name| !is_taken(name)).collect(),
            records: HashMap::new(),
            similar: HashMap::new(),
            people: HashMap::new(),
            name,
            parents: self.parents(listed),
            schema,
        };
        for mut record in records {
            let value = row::at(&record, key);
            if let Some(id) = record.get(ID).cloned() {
                record.insert(change.id.to_owned(), id);
            }
            if let Some(name) = name.filter(|_| is_of_people) {
                let name = cell(&row::at(&record, name));
                let addresses = OWN.iter().filter_map(|own| record.get(*own)?.as_str());
                let addresses: Vec<_> = addresses.map(str::to_lowercase).collect();
                let known = existing.people.entry(fold(&name)).or_default();
                match addresses.is_empty() {
                    true => known.push(String::new()),
                    false => known.extend(addresses),
                }
            }
            let parents = existing.parents.iter();
            let parents = parents.map(|parent| row::at(&record, parent));
            let text = Import::below(parents, same::value(key, &value));
            if !text.is_empty() {
                existing.similar.insert(fold(&text), cell(&value));
                existing.records.entry(text).or_default().push(record);
            }
        }
        // A part of an object is no column, and the host chooses ids.
        self.unique = match key.contains('.') || key == ID {
            true => Vec::new(),
            false => listed.needs().chain([key.to_owned()]).collect(),
        };
        self.change = Some(change.tool.to_owned());
        Ok(existing)
    }

    /// The keys of all rows.
    pub(super) fn keys(&self, existing: &Existing) -> Keys {
        let mut base = Form::new(&self.schema);
        base.fill(&Value::Object(self.set.clone()));
        let key = &existing.key;
        let mut keys = Keys::default();
        for (at, row) in self.sheet.rows.iter().enumerate() {
            let cell = self.cell(row, key).unwrap_or_default().trim();
            let is_missing = cell.is_empty() || same::is_email(key) && !same::is_address(cell);
            let text = match (key.as_str(), is_missing) {
                (_, true) => Ok(String::new()),
                (ID, false) => Ok(cell.to_owned()),
                (_, false) => {
                    let value = self.reader.value(&base, key, cell);
                    value.map(|value| same::value(key, &value))
                }
            };
            let parents = existing.parents.iter();
            let parents = parents.map(|parent| self.parent(&base, row, parent).unwrap_or_default());
            let text = text.map(|text| Import::below(parents, text));
            let is_known = |text: &String| existing.records.contains_key(text);
            // The id of another parent's record matches nothing.
            let text = text.map(|text| match key == ID && !is_known(&text) {
                true => String::new(),
                false => text,
            });
            if let Ok(text) = &text
                && !text.is_empty()
            {
                keys.places.entry(text.clone()).or_default().push(at);
                keys.similar.entry(fold(text)).or_default().push(at);
            }
            if self.is_of_people(existing.name) {
                let name = fold(&self.name(existing, at));
                keys.people.entry(name).or_default().push(at);
            }
            keys.all.push(text);
        }
        keys
    }

    /// The name in the row at this place.
    pub(super) fn name(&self, existing: &Existing, at: usize) -> String {
        let row = &self.sheet.rows[at];
        let name = existing.name.and_then(|name| self.cell(row, name));
        same::plain(name.unwrap_or_default())
    }

    /// Whether no record has the key of the row at this place.
    pub(super) fn is_gone(&self, existing: &Existing, keys: &Keys, at: usize) -> bool {
        let found = self.found(existing, keys, at, &mut Vec::new());
        matches!(found, Ok(Found::New))
    }

    /// The record of the row at this place. Doubts about it are added to `doubts`.
    ///
    /// # Errors
    /// The key is wrong.
    pub(super) fn found<'a>(
        &self,
        existing: &'a Existing,
        keys: &Keys,
        at: usize,
        doubts: &mut Vec<Doubt>,
    ) -> Result<Found<'a>, String> {
        let key = &existing.key;
        let text = keys.all[at].as_deref().map_err(Clone::clone)?;
        if text.is_empty() {
            if !same::is_email(key) && key != ID {
                let reason = format!("has no {key}, and rows are matched by it");
                doubts.push(Doubt::new(About::Key, reason));
            }
            doubts.extend(self.namesake(existing, keys, at));
            return Ok(Found::Unkeyed);
        }
        let places = &keys.places[text];
        let records = existing.records.get(text).map_or(&[][..], Vec::as_slice);
        let is_named = |at: usize, record: &Map<String, Value>| {
            let name = existing.name.map(|name| cell(&row::at(record, name)));
            name.is_some_and(|name| same::plain(&name) == self.name(existing, at))
        };
        let others = places.iter().filter(|other| **other != at);
        let twice = others.clone().next().map(|other| {
            let line = self.sheet.rows[*other].line;
            Doubt::new(About::Similar, format!("has the same {key} as line {line}"))
        });
        let is_first = places[0] == at;
        let mut named = records.iter().filter(|record| is_named(at, record));
        match (records, named.next(), named.next()) {
            ([only], _, None) if twice.is_none() => Ok(Found::One(only)),
            // Of several people with one address, each has a name.
            (_, Some(only), None) => {
                let is_again = others
                    .clone()
                    .any(|other| *other < at && is_named(*other, only));
                doubts.extend(twice.filter(|_| is_again));
                Ok(Found::One(only))
            }
            ([only], None, _) => {
                let is_taken = others.clone().any(|other| is_named(*other, only));
                if is_first && !is_taken {
                    return Ok(Found::One(only));
                }
                doubts.extend(twice);
                Ok(Found::Unkeyed)
            }
            ([], ..) if twice.is_some() && !is_first => {
                doubts.extend(twice);
                Ok(Found::Unkeyed)
            }
            ([], ..) => {
                let similar = self.nearly(existing, keys, at, text);
                doubts.extend(similar.or_else(|| self.namesake(existing, keys, at)));
                Ok(Found::New)
            }
            (several, ..) => {
                let reason = format!("{} records have this {key}", several.len());
                doubts.push(Doubt::new(About::Similar, reason));
                Ok(Found::Unkeyed)
            }
        }
    }
}
