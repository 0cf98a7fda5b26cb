//! The check of all rows, before anything is written.

use std::collections::BTreeSet;

use serde_json::Value;

use super::matching::ID;
use super::notation::Notation;
use super::row::{self, Reader};
use super::{Argument, Import, ImportError, Open, Row, Step, columns};

impl Import {
    /// Decides the fate of each row. With a `key`, an argument, a row with the same value as a record changes that
    /// record; without one, a usual key is chosen, unless it is `none`. With `again`, rows that an earlier run has
    /// imported are imported once more.
    ///
    /// # Errors
    /// A required argument has no column, the key has none, or a call failed.
    pub async fn check(
        &mut self,
        key: Option<&str>,
        again: bool,
        on_step: impl FnMut(Step),
    ) -> Result<(), ImportError> {
        // The rows of an exported list can all be of records that exist.
        if !self.sheet.header.iter().any(|name| name == ID) {
            self.has_required()?;
        }
        if let Some(question) = self.question.take() {
            return Err(ImportError::Usage(question));
        }
        let set = Value::Object(self.set.clone()).to_string();
        let place = self.caller.place();
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
        let existing = self.choose_key(key).await?;
        self.decide(existing.as_ref(), on_step);
        Ok(())
    }

    /// The cell of the column for this argument; or the id in an exported list, which is no argument.
    pub(super) fn cell<'a>(&self, row: &'a Row, argument: &str) -> Option<&'a str> {
        let mut columns = self.columns.iter();
        let at = columns.position(|one| one.as_deref() == Some(argument));
        let id = || {
            self.sheet
                .header
                .iter()
                .position(|name| name == argument && name == ID)
        };
        let at = at.or_else(id)?;
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
        let mut reader = self.reader.empty();
        self.open = Open::default();
        for (at, argument) in self.columns.clone().into_iter().enumerate() {
            let Some(argument) = argument else { continue };
            let cells = self.sheet.rows.iter().filter_map(|row| row.cells.get(at));
            let notation = Notation::of(cells.map(String::as_str));
            let notation = notation.or(self.choices, self.sheet.mark);
            let name = &self.sheet.header[at];
            let schema = &self.schema["properties"][&argument];
            let cells = self.sheet.rows.iter().filter_map(|row| row.cells.get(at));
            self.open
                .add(name, notation, schema, cells.map(String::as_str));
            reader.notations.insert(argument.clone(), notation);
            let Some(listed) = self.refers_to(&argument) else {
                continue;
            };
            let cells = self.sheet.rows.iter().filter_map(|row| row.cells.get(at));
            let cells = cells.map(|cell| cell.trim().to_owned());
            let cells = cells.filter(|cell| !cell.is_empty());
            let is_list = columns::allows(&self.schema["properties"][&argument], "array");
            let texts: BTreeSet<String> = match is_list {
                true => cells
                    .flat_map(|cell| row::parts(&cell).unwrap_or_default())
                    .collect(),
                false => cells.collect(),
            };
            for text in texts {
                let found = self
                    .names
                    .find(&*self.caller, listed, &self.set, &text)
                    .await?;
                reader.names.insert((argument.clone(), text), found);
            }
        }
        Ok(reader)
    }
}
