//! The records that an import can change.

use std::collections::BTreeMap;

use frontdesk_form::Form;
use frontdesk_protocol::resource::{Use, Verb};
use serde_json::{Map, Value};

use super::matching::Existing;
use super::names::{ListError, Listed};
use super::{Import, ImportError, Row};
use crate::tabular::cell;

/// The maximum number of lists that are read.
const MOST_LISTS: usize = 100;

impl Import {
    /// The records that rows can match, by their keys.
    pub(super) async fn existing(&mut self, key: &str) -> Result<Existing, ImportError> {
        let records = self.records().await?;
        self.index(records, key)
    }

    /// The kind of the records, and the tool that changes one.
    pub(super) fn changed(&self) -> Result<(Listed, &'static Use), ImportError> {
        let listed = self
            .host()
            .and_then(|host| Listed::written_by(host, &self.tool.name));
        let found = listed.and_then(|listed| {
            let mut uses = listed.kind.uses.iter();
            Some((listed, uses.find(|one| one.verb == Verb::Change)?))
        });
        found.ok_or_else(|| {
            let message = format!(
                "{} has no list and no change to match rows by; leave --key out",
                self.tool.name
            );
            ImportError::Usage(message)
        })
    }

    /// The records that rows can match.
    pub(super) async fn records(&self) -> Result<Vec<Map<String, Value>>, ImportError> {
        let (listed, _) = self.changed()?;
        let mut all = Vec::new();
        for given in self.lists(listed)? {
            let records = listed.all(&*self.caller, &given, None).await;
            all.extend(records.map_err(|error| match error {
                ListError::Call(error) => ImportError::Call(error),
                ListError::Needs(name) => {
                    ImportError::Usage(format!("to match rows, {name} is needed: --set {name}=…"))
                }
            })?);
        }
        Ok(all)
    }

    /// The arguments of the lists with the records of all rows.
    fn lists(&self, listed: Listed) -> Result<Vec<Map<String, Value>>, ImportError> {
        let parents = self.parents(listed);
        let base = Form::new(&self.schema);
        let mut lists = BTreeMap::new();
        for row in &self.sheet.rows {
            let values = parents.iter().map(|parent| self.parent(&base, row, parent));
            let Some(values) = values.collect::<Option<Vec<Value>>>() else {
                continue;
            };
            let mut given = self.set.clone();
            given.extend(parents.iter().cloned().zip(values));
            lists.insert(Value::from(given.clone()).to_string(), given);
            if lists.len() > MOST_LISTS {
                let parents = parents.join(" and ");
                let message = format!("to match rows, at most {MOST_LISTS} {parents} are read");
                return Err(ImportError::Usage(message));
            }
        }
        Ok(lists.into_values().collect())
    }

    /// The arguments that the list needs and that columns have.
    pub(super) fn parents(&self, listed: Listed) -> Vec<String> {
        let is_column = |name: &String| {
            let mut columns = self.columns.iter().flatten();
            !self.set.contains_key(name) && columns.any(|one| one == name)
        };
        listed.needs().filter(is_column).collect()
    }

    /// The value of such an argument in a row; `None` if it is wrong.
    pub(super) fn parent(&self, base: &Form, row: &Row, parent: &str) -> Option<Value> {
        let value = self.reader.value(base, parent, self.cell(row, parent)?);
        value.ok().filter(|value| !value.is_null())
    }

    /// The text of a key below these parents.
    pub(super) fn below(values: impl Iterator<Item = Value>, text: String) -> String {
        match text.is_empty() {
            true => text,
            false => values.map(|value| cell(&value) + "\n").collect::<String>() + &text,
        }
    }
}
