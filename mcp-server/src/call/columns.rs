//! The columns that a write sets: only those that the call names, so that defaults and what is
//! there already stay.

use frontdesk_protocol::value::{Change, Patch};
use tokio_postgres::types::ToSql;

use crate::database::Bind;

/// Columns and their new values.
#[derive(Default)]
pub struct Columns<'a> {
    set: Vec<(&'static str, Value<'a>)>,
}

enum Value<'a> {
    Null,
    Param(Box<dyn ToSql + Sync + Send + 'a>),
}

impl std::fmt::Debug for Columns<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list()
            .entries(self.set.iter().map(|(name, _)| name))
            .finish()
    }
}

impl<'a> Columns<'a> {
    /// No columns.
    pub fn new() -> Self {
        Self::default()
    }

    /// The column takes this value.
    #[must_use]
    pub fn value<T: Bind>(mut self, column: &'static str, value: &'a T) -> Self {
        self.set
            .push((column, Value::Param(Box::new(value.bind()))));
        self
    }

    /// The column takes this value, if there is one.
    #[must_use]
    pub fn option<T: Bind>(self, column: &'static str, value: &'a Option<T>) -> Self {
        match value {
            Some(value) => self.value(column, value),
            None => self,
        }
    }

    /// The column changes to this value, if it changes.
    #[must_use]
    pub fn change<T: Bind>(self, column: &'static str, value: &'a Change<T>) -> Self {
        match value {
            Change::To(value) => self.value(column, value),
            Change::Keep => self,
        }
    }

    /// The column changes to this value or is cleared, if it changes.
    #[must_use]
    pub fn patch<T: Bind>(mut self, column: &'static str, value: &'a Patch<T>) -> Self {
        match value {
            Patch::To(value) => self.value(column, value),
            Patch::Clear => {
                self.set.push((column, Value::Null));
                self
            }
            Patch::Keep => self,
        }
    }

    /// The values that stand as `$1`, `$2` …
    pub(super) fn params(&self) -> Vec<&(dyn ToSql + Sync)> {
        self.set
            .iter()
            .filter_map(|(_, value)| match value {
                Value::Param(value) => Some(&**value as &(dyn ToSql + Sync)),
                Value::Null => None,
            })
            .collect()
    }

    /// `(a, b) values ($1, null)`.
    pub(super) fn values(&self) -> String {
        if self.set.is_empty() {
            return "default values".to_owned();
        }
        let columns: Vec<_> = self
            .set
            .iter()
            .map(|(name, _)| format!("\"{name}\""))
            .collect();
        format!(
            "({}) values ({})",
            columns.join(", "),
            self.places().join(", ")
        )
    }

    /// `a = $1, b = null`; none where nothing is set.
    pub(super) fn assignments(&self) -> Option<String> {
        let assignments: Vec<_> = self
            .set
            .iter()
            .zip(self.places())
            .map(|((name, _), place)| format!("\"{name}\" = {place}"))
            .collect();
        (!assignments.is_empty()).then(|| assignments.join(", "))
    }

    fn places(&self) -> Vec<String> {
        let mut at = 0;
        self.set
            .iter()
            .map(|(_, value)| match value {
                Value::Null => "null".to_owned(),
                Value::Param(_) => {
                    at += 1;
                    format!("${at}")
                }
            })
            .collect()
    }
}
