//! The filter of a list: SQL conditions made from its arguments.

use frontdesk_protocol::wire::Wire;
use serde_json::{Map, Value};
use tokio_postgres::types::ToSql;

use super::{Storage, Stored, object};
use crate::database::Param;

/// Conditions on a table `t`, joined with `and`.
#[derive(Debug, Default)]
pub struct Filter {
    conditions: Vec<String>,
    params: Vec<Param>,
}

impl Filter {
    /// The conditions for the arguments sent: the column of the same name has this value, or the condition in
    /// the record's [`Stored::FILTERS`].
    pub fn of<T: Stored>(arguments: &impl Wire) -> Filter {
        Filter::new(T::STORAGE, object(arguments))
    }

    /// As [`Filter::of`].
    pub(super) fn new(storage: &Storage, arguments: Map<String, Value>) -> Filter {
        let mut filter = Filter::default();
        for (name, value) in arguments {
            if ["limit", "offset"].contains(&name.as_str()) {
                continue;
            }
            let condition = storage.filters.iter().find(|(filter, _)| *filter == name);
            match condition {
                Some((_, condition)) => filter.and(condition, value),
                None => filter.and(&format!("t.\"{name}\" = $"), value),
            }
        }
        filter
    }

    /// Adds a condition; `$` is the placeholder of its value.
    pub(crate) fn and(&mut self, condition: &str, value: Value) {
        if condition.contains('$') {
            self.params.push(Param::from(value));
        }
        let place = format!("${}", self.params.len());
        self.conditions.push(condition.replace('$', &place));
    }

    /// The SQL of the conditions, with the placeholders `$1`, `$2` …
    pub(crate) fn conditions(&self) -> String {
        match self.conditions.as_slice() {
            [] => "true".to_owned(),
            conditions => conditions.join(" and "),
        }
    }

    /// The values of `$1`, `$2` …
    pub(crate) fn params(&self) -> Vec<&(dyn ToSql + Sync)> {
        let params = self.params.iter();
        params.map(|param| param as &(dyn ToSql + Sync)).collect()
    }
}
