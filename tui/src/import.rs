//! Importing a spreadsheet: each row is a call of a tool.
//!
//! [`Import::open`] finds the tool, [`Import::set`] and [`Import::assign`] say where the arguments come from,
//! [`Import::check`] decides the fate of each row, and [`Import::run`] makes the calls. Nothing is written before
//! that. A run that ends early is continued by the next one: [`frontdesk_client::imports`] remembers the rows.

mod aliases;
mod calendar;
mod caller;
mod checking;
mod columns;
mod decide;
mod doubt;
mod format;
pub(crate) mod job;
mod matching;
mod names;
mod notation;
mod parts;
mod people;
mod records;
mod row;
mod run;
mod same;
mod screen;
mod sending;
mod sheet;
mod statement;
mod status;
#[cfg(test)]
mod tests;
mod whole;
mod words;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use frontdesk_client::imports::{Columns, Imports, Progress};
use frontdesk_client::{CallError, Callee, ToolInfo};
use frontdesk_form::Form;
use frontdesk_protocol::id::ChangeId;
use frontdesk_protocol::mcp::Action;
use frontdesk_protocol::resource::Verb;
use frontdesk_protocol::{Declaration, Host};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::{Map, Value};

pub use columns::{Argument, named};
pub use decide::{Difference, Fate};
pub use doubt::{About, Accepted, Doubt, Part};
pub use frontdesk_protocol::csv::Row;
pub use names::{put_any_ids, put_ids};
pub use notation::{Choices, Open, unknown_zone, zone_warning};
pub use run::Summary;
pub(crate) use screen::COMMANDS;
pub use sheet::encoding::text;
pub use sheet::{REASON, Sheet, SheetError, answer_as_reader};
pub use whole::{How, Outcome, Said, WHOLE, Whole};

use caller::Caller;
use names::{Listed, Names};
use row::Reader;

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
    caller: Caller,
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
    /// How a column is read whose cells do not show it.
    choices: Choices,
    /// The columns whose cells do not show how they are read, with an example.
    open: Open,
    /// The questionable rows that are imported.
    accepted: Accepted,
    /// The places of rows that their keys do not tell apart.
    unkeyed: BTreeSet<usize>,
    /// The arguments in which added records differ from all others: the key, and those that the list needs.
    unique: Vec<String>,
    /// The names of the columns in the file.
    header: Vec<String>,
    /// What the header leaves open, with the ways to say it.
    question: Option<String>,
    /// The change of the history that the run is.
    action: Action,
    /// How long a row of the last batch took.
    each: Option<Duration>,
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
        Import::by(Arc::new(callee), tool, sheet, directory).await
    }

    async fn by(
        caller: Caller,
        tool: &str,
        mut sheet: Sheet,
        directory: PathBuf,
    ) -> Result<Import, ImportError> {
        let mut tools = caller.tools().await?.into_iter();
        let Some(tool) = tools.find(|one| one.name == tool) else {
            let message = format!("{} has no tool `{tool}` for you", caller.name());
            return Err(ImportError::Usage(message));
        };
        if tool.read_only {
            let message = format!(
                "{} only reads; choose a tool that adds or changes records",
                tool.name
            );
            return Err(ImportError::Usage(message));
        }
        let zone = caller.time_zone();
        let zone = zone.and_then(|name| TimeZone::get(&name).ok());
        let zone = zone.unwrap_or_else(TimeZone::system);
        let schema = Value::Object(tool.input_schema.clone());
        let arguments = columns::arguments(&schema);
        sheet.find_header(|cells| columns::fitting(cells, &arguments));
        if arguments.iter().any(|one| one.name == "name") {
            sheet.join_names();
            sheet.keep_first_values();
        }
        Ok(Import {
            arguments,
            columns: vec![None; sheet.header.len()],
            header: sheet.header.clone(),
            question: None,
            caller,
            tool,
            schema,
            sheet,
            set: Map::new(),
            fates: Vec::new(),
            change: None,
            imports: Imports::new(directory),
            progress: None,
            names: Names::default(),
            reader: Reader::new(Timestamp::now(), zone),
            key: None,
            choices: Choices::default(),
            open: Open::default(),
            accepted: Accepted::default(),
            unkeyed: BTreeSet::new(),
            action: Action::New,
            each: None,
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
        let mut reader = self.reader.empty();
        if let Some(listed) = self.refers_to(&argument) {
            let found = self
                .names
                .find(&*self.caller, listed, &self.set, text)
                .await?;
            reader
                .names
                .insert((argument.clone(), text.trim().to_owned()), found);
        }
        let mut form = Form::new(&self.schema);
        let entered = reader.enter(&mut form, &argument, text);
        if let Some(doubt) = entered.map_err(ImportError::Usage)? {
            let reason = doubt.reason;
            let message = format!("{reason}; add the offset, as in 2026-12-31T18:30+01:00");
            return Err(ImportError::Usage(message));
        }
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
        let chosen = self.imports.columns(&self.signature(), &self.header);
        let chosen = chosen.map_err(|error| ImportError::File("the chosen columns", error))?;
        let set: Vec<_> = self.set.keys().cloned().collect();
        let given = &self.join_given(given, &chosen);
        let columns = columns::matched(&self.sheet.header, &self.arguments, &set, given, &chosen);
        self.columns = columns.map_err(ImportError::Usage)?;
        let fields = &self.schema["properties"];
        let is_text = |argument: &String| {
            let field = &fields[argument];
            let is_time = matches!(
                field["format"].as_str(),
                Some("date" | "date-time" | "time")
            );
            let others = ["number", "integer", "boolean"];
            !is_time && !others.iter().any(|kind| columns::allows(field, kind))
        };
        let is_shown = self
            .columns
            .iter()
            .map(|argument| argument.as_ref().is_some_and(is_text));
        let is_shown: Vec<_> = is_shown.collect();
        self.sheet.show(|at| is_shown[at]);
        let is_open = |name: &String| {
            let is_decided = given.iter().any(|(column, _)| column == name);
            !name.is_empty() && name != REASON && !is_decided && !chosen.contains_key(name)
        };
        let columns = self.sheet.header.iter().zip(&self.columns);
        let open = columns.filter(|(name, argument)| argument.is_none() && is_open(name));
        let open: Vec<_> = open.map(|(name, _)| name.clone()).collect();
        let decided = self.sheet.header.iter().filter(|name| !is_open(name));
        let decided: Vec<_> = decided.cloned().collect();
        self.question = self.ask_parts(&open, &decided);
        Ok(open)
    }

    /// Remembers the arguments of the columns for the next file with the same header.
    ///
    /// # Errors
    /// The file could not be written.
    pub fn remember(&self) -> Result<(), ImportError> {
        let columns = self.sheet.header.iter().zip(&self.columns).enumerate();
        let columns: Columns = columns
            .map(
                |(at, (name, argument))| match self.sheet.joined.contains(&at) {
                    true => (name.clone(), parts::NAME.to_owned()),
                    false => (name.clone(), argument.clone().unwrap_or_default()),
                },
            )
            .collect();
        let saved = self
            .imports
            .save_columns(&self.signature(), &self.header, &columns);
        saved.map_err(|error| ImportError::File("the chosen columns", error))
    }

    /// These questionable rows are imported, too.
    pub fn accept(&mut self, accepted: &Accepted) {
        self.accepted.add(accepted);
    }

    /// Columns are read so if their cells do not show how.
    pub fn choose(&mut self, choices: Choices) {
        self.choices = choices;
    }

    /// The columns whose cells do not show how they are read.
    pub fn open_columns(&self) -> &Open {
        &self.open
    }

    /// The change of the history that the run is, if it has changed something at a host.
    pub fn change(&self) -> Option<ChangeId> {
        match self.action {
            Action::New => None,
            Action::Of(id) => Some(id),
        }
    }

    /// The argument that matches rows with records.
    pub fn key(&self) -> Option<&str> {
        self.key.as_deref()
    }

    /// The argument of each column.
    pub fn columns(&self) -> impl Iterator<Item = (&str, Option<&str>)> {
        let columns = self.sheet.header.iter().zip(&self.columns);
        columns.map(|(name, argument)| (name.as_str(), argument.as_deref()))
    }

    /// The outcome of each row.
    pub fn fates(&self) -> impl Iterator<Item = (&Row, &Fate)> {
        self.sheet.rows.iter().zip(&self.fates)
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
        self.caller.host()
    }

    fn declared(&self, tool: &str) -> Option<&'static Declaration> {
        self.host()?.tool(tool)
    }

    /// The tool and its callee, for which columns are remembered.
    fn signature(&self) -> String {
        format!("{}/{}", self.caller.name(), self.tool.name)
    }
}
