//! Importing a spreadsheet: each row is a call of a tool.
//!
//! [`Import::open`] finds the tool, [`Import::set`] and [`Import::assign`] say where the arguments come from,
//! [`Import::check`] decides the fate of each row, and [`Import::run`] makes the calls. Nothing is written before
//! that. A run that ends early is continued by the next one: [`frontdesk_client::imports`] remembers the rows.

mod callee;
mod columns;
mod exported;
mod names;
mod row;
mod run;
mod same;
mod sheet;

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;

use frontdesk_client::imports::{Columns, Imports, Progress};
use frontdesk_client::{CallError, ToolInfo};
use frontdesk_form::Form;
use frontdesk_protocol::resource::Verb;
use frontdesk_protocol::{Declaration, Host};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::{Map, Value};

pub use callee::Callee;
pub use columns::{Argument, named};
pub use frontdesk_protocol::csv::Row;
pub use run::Summary;
pub use sheet::{REASON, Sheet, SheetError};

use names::{ListError, Listed, Names};
use row::{Notation, Reader};

use crate::ui::text::fold;

/// Why an import cannot continue.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The request is wrong.
    #[error("{0}")]
    Usage(String),
    /// A call failed.
    #[error(transparent)]
    Call(#[from] CallError),
    /// A file cannot be read or written.
    #[error("{0}: {1}")]
    File(&'static str, #[source] std::io::Error),
}

/// What becomes of a row.
#[derive(Debug, Clone, PartialEq)]
pub enum Fate {
    /// A record is added.
    Add(Map<String, Value>),
    /// The record with the same key is changed.
    Change(Map<String, Value>),
    /// The record with the same key has these values already.
    Unchanged,
    /// An earlier run has imported it.
    Done,
    /// Somebody has to decide, for this reason; accepted, the row has the other fate.
    Questionable(String, Box<Fate>),
    /// It cannot be imported, for this reason.
    Wrong(String),
}

/// What a step of an import has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// The rows that are finished.
    pub done: usize,
    /// All rows.
    pub total: usize,
}

/// The import of a sheet.
#[derive(Debug)]
pub struct Import {
    callee: Callee,
    tool: ToolInfo,
    schema: Value,
    /// The rows and columns.
    pub sheet: Sheet,
    /// The arguments of the tool.
    pub arguments: Vec<Argument>,
    set: Map<String, Value>,
    columns: Vec<Option<String>>,
    fates: Vec<Fate>,
    /// The tool that changes a record, if rows are matched with records.
    change: Option<String>,
    imports: Imports,
    progress: Option<Progress>,
    names: Names,
    reader: Reader,
    /// Rows are matched with records by this argument.
    key: Option<String>,
    /// Whether questionable rows are imported.
    accepts: bool,
    /// The arguments in which added records differ from all others: the key, and those that the list needs.
    unique: Vec<String>,
}

impl Import {
    /// An import of these rows by this tool. `directory` is that of all imports.
    ///
    /// # Errors
    /// The tool is not offered, or only reads.
    pub async fn open(
        callee: Callee,
        tool: &str,
        sheet: Sheet,
        directory: PathBuf,
    ) -> Result<Import, ImportError> {
        let found = callee.tool(tool).await?;
        let Some(tool) = found else {
            let message = format!("{} has no tool `{tool}` for you", callee.name());
            return Err(ImportError::Usage(message));
        };
        if tool.read_only {
            let message = format!(
                "{} only reads; choose a tool that adds or changes records",
                tool.name
            );
            return Err(ImportError::Usage(message));
        }
        let schema = Value::Object(tool.input_schema.clone());
        Ok(Import {
            arguments: columns::arguments(&schema),
            columns: vec![None; sheet.header.len()],
            callee,
            tool,
            schema,
            sheet,
            set: Map::new(),
            fates: Vec::new(),
            change: None,
            imports: Imports::new(directory),
            progress: None,
            names: Names::default(),
            reader: reader(),
            key: None,
            accepts: false,
            unique: Vec::new(),
        })
    }

    /// Sets an argument of every row. An id can be given as the name of its record.
    ///
    /// # Errors
    /// The argument does not exist, or the value is wrong.
    pub async fn set(&mut self, name: &str, text: &str) -> Result<(), ImportError> {
        let argument = named(name, &self.arguments).map_err(ImportError::Usage)?;
        let Some(argument) = argument else {
            return Err(ImportError::Usage(
                "a value has no name before =".to_owned(),
            ));
        };
        let mut reader = reader();
        if let Some(listed) = self.refers_to(&argument) {
            let found = self
                .names
                .find(&self.callee, listed, &self.set, text)
                .await?;
            reader
                .names
                .insert((argument.clone(), text.trim().to_owned()), found);
        }
        let mut form = Form::new(&self.schema);
        let entered = reader.enter(&mut form, &argument, text);
        entered.map_err(ImportError::Usage)?;
        let errors = form.errors();
        let path = frontdesk_form::Path::from(argument.as_str());
        if let Some(error) = errors.iter().find(|error| error.path == path) {
            return Err(ImportError::Usage(format!("{argument} {}", error.message)));
        }
        if let Value::Object(value) = form.value() {
            let root = argument.split('.').next().unwrap_or_default();
            self.set
                .extend(value.into_iter().filter(|(name, _)| name == root));
        }
        Ok(())
    }

    /// Assigns columns to arguments: these, otherwise those chosen last, otherwise those of the same name. Returns the
    /// columns without an argument.
    ///
    /// # Errors
    /// A column or argument does not exist, or two columns are for one argument.
    pub fn assign(&mut self, given: &[(String, String)]) -> Result<Vec<String>, ImportError> {
        let chosen = self.imports.columns(&self.signature(), &self.sheet.header);
        let chosen = chosen.map_err(|error| ImportError::File("the chosen columns", error))?;
        let set: Vec<_> = self.set.keys().cloned().collect();
        let columns = columns::matched(&self.sheet.header, &self.arguments, &set, given, &chosen);
        self.columns = columns.map_err(ImportError::Usage)?;
        let is_open = |name: &String| {
            let is_decided = given.iter().any(|(column, _)| column == name);
            !name.is_empty() && name != REASON && !is_decided && !chosen.contains_key(name)
        };
        let columns = self.sheet.header.iter().zip(&self.columns);
        let open = columns.filter(|(name, argument)| argument.is_none() && is_open(name));
        Ok(open.map(|(name, _)| name.clone()).collect())
    }

    /// Remembers the arguments of the columns for the next file with the same header.
    ///
    /// # Errors
    /// The file could not be written.
    pub fn remember(&self) -> Result<(), ImportError> {
        let columns = self.sheet.header.iter().zip(&self.columns);
        let columns: Columns = columns
            .map(|(name, argument)| (name.clone(), argument.clone().unwrap_or_default()))
            .collect();
        let saved = self
            .imports
            .save_columns(&self.signature(), &self.sheet.header, &columns);
        saved.map_err(|error| ImportError::File("the chosen columns", error))
    }

    /// Questionable rows are imported, too.
    pub fn accept_questionable(&mut self) {
        self.accepts = true;
    }

    /// The argument of each column.
    pub fn columns(&self) -> impl Iterator<Item = (&str, Option<&str>)> {
        let columns = self.sheet.header.iter().zip(&self.columns);
        columns.map(|(name, argument)| (name.as_str(), argument.as_deref()))
    }

    /// What becomes of each row.
    pub fn fates(&self) -> impl Iterator<Item = (&Row, &Fate)> {
        self.sheet.rows.iter().zip(&self.fates)
    }

    /// Decides the fate of each row. With a `key`, an argument, a row with the same value as a record changes that
    /// record. With `again`, rows that an earlier run has imported are imported once more.
    ///
    /// # Errors
    /// A required argument has no column, the key has none, or a call failed.
    pub async fn check(
        &mut self,
        key: Option<&str>,
        again: bool,
        on_step: impl FnMut(Step),
    ) -> Result<(), ImportError> {
        self.has_required()?;
        let set = Value::Object(self.set.clone()).to_string();
        let place = self.callee.place();
        let parts = [
            place.as_str(),
            &self.tool.name,
            &set,
            key.unwrap_or_default(),
            &self.sheet.digest,
        ];
        if self.progress.is_none() {
            let progress = self.imports.progress(&parts).await;
            self.progress = Some(progress.map_err(|error| match error.kind() {
                std::io::ErrorKind::TimedOut => {
                    ImportError::Usage("another process is importing this file".to_owned())
                }
                _ => ImportError::File("the progress of the import", error),
            })?);
        }
        if let Some(progress) = self.progress.as_mut().filter(|_| again) {
            let restarted = progress.restart();
            restarted.map_err(|error| ImportError::File("the progress of the import", error))?;
        }
        self.give_up_old()?;
        self.reader = self.named_rows().await?;
        self.key = match key {
            Some(key) => Some(self.key_of(key)?),
            None => None,
        };
        self.decide(on_step).await
    }

    /// Decides the fate of each row by the records that exist now.
    async fn decide(&mut self, mut on_step: impl FnMut(Step)) -> Result<(), ImportError> {
        let existing = match self.key.clone() {
            Some(key) => Some(self.existing(&key).await?),
            None => None,
        };
        let total = self.sheet.rows.len();
        let mut base = Form::new(&self.schema);
        base.fill(&Value::Object(self.set.clone()));
        // Compiles the schema once; clones share it.
        base.errors();
        let declared = self.declared(&self.tool.name);
        let mut seen = Seen::default();
        let mut fates = Vec::with_capacity(total);
        for (at, row) in self.sheet.rows.iter().enumerate() {
            if at % 100 == 0 {
                on_step(Step { done: at, total });
            }
            let matched = existing.as_ref().map(|existing| (existing, &mut seen));
            let fate = self.fate(at, row, &base, declared, matched);
            fates.push(match fate.unwrap_or_else(Fate::Wrong) {
                Fate::Questionable(_, accepted) if self.accepts => *accepted,
                fate => fate,
            });
        }
        self.fates = fates;
        on_step(Step { done: total, total });
        Ok(())
    }

    /// What becomes of the row at this place.
    fn fate(
        &self,
        at: usize,
        row: &Row,
        base: &Form,
        declared: Option<&Declaration>,
        matched: Option<(&Existing, &mut Seen)>,
    ) -> Result<Fate, String> {
        if row.cells.len() > self.sheet.header.len() {
            return Err(format!(
                "has {} cells, and the header {}; is a quotation mark or a separator missing?",
                row.cells.len(),
                self.sheet.header.len()
            ));
        }
        let is_done = self.is_done(at);
        let mut form = base.clone();
        let mut before = None;
        let mut is_change = self.is_change(&self.tool.name);
        let mut skipped: &BTreeSet<String> = &BTreeSet::new();
        let is_unknown = |progress: &Progress| progress.is_unknown(at);
        let is_unknown = self.progress.as_ref().is_some_and(is_unknown);
        let mut doubt = is_unknown.then(|| run::PERHAPS.to_owned());
        if let Some((existing, seen)) = matched {
            let key = &existing.key;
            let cell = self.cell(row, key).unwrap_or_default().trim();
            let value = match cell.is_empty() {
                true => Value::Null,
                false => self.reader.value(base, key, cell)?,
            };
            let text = same::value(key, &value);
            if text.is_empty() {
                return Err(format!("has no {key}, and rows are matched by it"));
            }
            if let Some(line) = seen.lines.insert(text.clone(), row.line) {
                return Err(format!("has the same {key} as line {line}"));
            }
            let similar = seen.similar.insert(fold(&text), row.line);
            if is_done {
                return Ok(Fate::Done);
            }
            match existing.records.get(&text).map(Vec::as_slice) {
                None => {
                    let similar = similar.map(|line| format!("line {line}"));
                    let record = || Some(format!("“{}”", existing.similar.get(&fold(&text))?));
                    let similar = similar.or_else(record);
                    let similar = similar.map(|one| format!("has nearly the same {key} as {one}"));
                    doubt = doubt.or(similar);
                }
                Some([only]) => {
                    form = Form::update(&existing.schema, only);
                    before = Some(&existing.tool);
                    is_change = true;
                    skipped = &existing.without;
                }
                Some(several) => return Err(existing.several(several.len())),
            }
        }
        if is_done {
            return Ok(Fate::Done);
        }
        let mut wrong = Vec::new();
        for (cell, argument) in row.cells.iter().zip(&self.columns) {
            let Some(argument) = argument else { continue };
            let root = argument.split('.').next().unwrap_or_default();
            let is_key = before.is_some() && self.key.as_ref() == Some(argument);
            if cell.trim().is_empty() || skipped.contains(root) || is_key {
                continue;
            }
            if let Err(message) = self.reader.enter(&mut form, argument, cell) {
                wrong.push(message);
            }
        }
        if !wrong.is_empty() {
            return Err(wrong.join("; "));
        }
        if before.is_some() && !form.has_changes() {
            return Ok(Fate::Unchanged);
        }
        let arguments = row::arguments(&form)?;
        let declared = match before {
            Some(tool) => self.declared(tool),
            None => declared,
        };
        if let Some(declared) = declared {
            let checked = declared.check(&Value::Object(arguments.clone()).to_string());
            checked.map_err(|error| match error.field {
                Some(field) => format!("{field} {}", error.message),
                None => error.message,
            })?;
        }
        let fate = match is_change {
            true => Fate::Change(arguments),
            false => Fate::Add(arguments),
        };
        Ok(match doubt {
            Some(reason) => Fate::Questionable(reason, Box::new(fate)),
            None => fate,
        })
    }

    /// The cell of the column for this argument.
    fn cell<'a>(&self, row: &'a Row, argument: &str) -> Option<&'a str> {
        let at = self
            .columns
            .iter()
            .position(|one| one.as_deref() == Some(argument))?;
        row.cells.get(at).map(String::as_str)
    }

    /// Whether every required argument has a value or a column.
    fn has_required(&self) -> Result<(), ImportError> {
        let is_missing = |argument: &&Argument| {
            let is_column = self
                .columns
                .iter()
                .flatten()
                .any(|one| *one == argument.name);
            argument.is_required && !is_column && !self.set.contains_key(&argument.name)
        };
        let missing: Vec<_> = self.arguments.iter().filter(is_missing).collect();
        let Some(first) = missing.first() else {
            return Ok(());
        };
        let names: Vec<_> = missing.iter().map(|one| one.name.as_str()).collect();
        Err(ImportError::Usage(format!(
            "{} needs {}; give --set {}=VALUE for all rows, or --map COLUMN={}",
            self.tool.name,
            names.join(" and "),
            first.name,
            first.name
        )))
    }

    /// Finds the notation of each column, and the records that its cells name.
    async fn named_rows(&mut self) -> Result<Reader, ImportError> {
        let mut reader = reader();
        for (at, argument) in self.columns.clone().into_iter().enumerate() {
            let Some(argument) = argument else { continue };
            let cells = self.sheet.rows.iter().filter_map(|row| row.cells.get(at));
            let notation = Notation::of(cells.map(String::as_str));
            reader.notations.insert(argument.clone(), notation);
            let Some(listed) = self.refers_to(&argument) else {
                continue;
            };
            let cells = self.sheet.rows.iter().filter_map(|row| row.cells.get(at));
            let texts: BTreeSet<String> = cells
                .map(|cell| cell.trim().to_owned())
                .filter(|cell| !cell.is_empty())
                .collect();
            for text in texts {
                let found = self
                    .names
                    .find(&self.callee, listed, &self.set, &text)
                    .await?;
                reader.names.insert((argument.clone(), text), found);
            }
        }
        Ok(reader)
    }

    /// The argument of a column by which rows are matched.
    fn key_of(&self, key: &str) -> Result<String, ImportError> {
        let key = named(key, &self.arguments).map_err(ImportError::Usage)?;
        let key = key.filter(|key| self.columns.iter().flatten().any(|one| one == key));
        key.ok_or_else(|| {
            let message = "the key must be the argument of a column, such as --key email";
            ImportError::Usage(message.to_owned())
        })
    }

    /// The records that rows can match.
    async fn existing(&mut self, key: &str) -> Result<Existing, ImportError> {
        let none = || {
            let message = format!(
                "{} has no list and no change to match rows by; leave --key out",
                self.tool.name
            );
            ImportError::Usage(message)
        };
        let host = self.host().ok_or_else(none)?;
        let listed = Listed::written_by(host, &self.tool.name).ok_or_else(none)?;
        let change = listed.kind.uses.iter().find(|one| one.verb == Verb::Change);
        let change = change.ok_or_else(none)?;
        let tool = host.tool(change.tool).ok_or_else(none)?;
        let records = listed.all(&self.callee, &self.set, None).await;
        let records = records.map_err(|error| match error {
            ListError::Call(error) => ImportError::Call(error),
            ListError::Needs(name) => ImportError::Usage(format!(
                "to match rows, one {name} for all rows is needed: --set {name}=…"
            )),
        })?;
        let schema = tool.input_schema();
        let mut by_key: HashMap<String, Vec<Map<String, Value>>> = HashMap::new();
        let mut similar = HashMap::new();
        for mut record in records {
            let value = row::at(&record, key);
            if let Some(id) = record.get("id").cloned() {
                record.insert(change.id.to_owned(), id);
            }
            let text = same::value(key, &value);
            if !text.is_empty() {
                similar.insert(fold(&text), crate::shape::cell(&value));
                by_key.entry(text).or_default().push(record);
            }
        }
        // A part of an object is no column.
        self.unique = match key.contains('.') {
            true => Vec::new(),
            false => listed.needs().chain([key.to_owned()]).collect(),
        };
        let takes = columns::arguments(&schema);
        let is_taken = |name: &str| takes.iter().any(|one| one.name == name);
        let without = self.arguments.iter().map(|one| one.name.clone());
        self.change = Some(change.tool.to_owned());
        Ok(Existing {
            key: key.to_owned(),
            tool: change.tool.to_owned(),
            records: by_key,
            similar,
            without: without.filter(|name| !is_taken(name)).collect(),
            schema,
        })
    }

    /// Whether the tool changes a record that exists.
    fn is_change(&self, tool: &str) -> bool {
        let kinds = self.host().into_iter().flat_map(Host::kinds);
        let mut uses = kinds.flat_map(|kind| kind.uses);
        uses.any(|one| one.tool == tool && matches!(one.verb, Verb::Change | Verb::Set))
    }

    fn refers_to(&self, argument: &str) -> Option<Listed> {
        Listed::referred_to(self.host()?, &self.tool.name, argument)
    }

    fn host(&self) -> Option<Host> {
        match &self.callee {
            Callee::Host(_, host) => Some(*host),
            Callee::Server(_) => None,
        }
    }

    fn declared(&self, tool: &str) -> Option<&'static Declaration> {
        self.host()?.tool(tool)
    }

    /// The tool and its callee, for which columns are remembered.
    fn signature(&self) -> String {
        format!("{}/{}", self.callee.name(), self.tool.name)
    }
}

fn reader() -> Reader {
    Reader {
        now: Timestamp::now(),
        zone: TimeZone::system(),
        names: HashMap::new(),
        notations: HashMap::new(),
    }
}

/// The records that rows can match.
#[derive(Debug)]
struct Existing {
    key: String,
    /// The tool that changes a record.
    tool: String,
    /// Its arguments.
    schema: Value,
    records: HashMap<String, Vec<Map<String, Value>>>,
    /// Their values without case and accents.
    similar: HashMap<String, String>,
    /// The arguments that this tool does not take.
    without: BTreeSet<String>,
}

/// The lines of the values of the key so far.
#[derive(Debug, Default)]
struct Seen {
    lines: HashMap<String, u64>,
    /// By the value without case and accents.
    similar: HashMap<String, u64>,
}

impl Existing {
    /// Why none of several records is changed.
    fn several(&self, count: usize) -> String {
        format!("{count} records have this {}", self.key)
    }
}
