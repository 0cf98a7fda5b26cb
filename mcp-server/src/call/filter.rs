//! Which records a list shows: only the conditions that the call names.

use tokio_postgres::types::ToSql;

use crate::database::Bind;

/// Conditions on a table `t`, all of which hold.
#[derive(Default)]
pub struct Filter<'a> {
    conditions: Vec<String>,
    params: Vec<Box<dyn ToSql + Sync + Send + 'a>>,
}

impl std::fmt::Debug for Filter<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(&self.conditions).finish()
    }
}

impl<'a> Filter<'a> {
    /// No condition.
    pub fn new() -> Self {
        Self::default()
    }

    /// The column has this value.
    #[must_use]
    pub fn equal<T: Bind>(mut self, column: &'static str, value: &'a T) -> Self {
        self.params.push(Box::new(value.bind()));
        self.conditions
            .push(format!("t.{column} = ${}", self.params.len()));
        self
    }

    /// The column has this value, if the call gives one.
    #[must_use]
    pub fn maybe<T: Bind>(self, column: &'static str, value: &'a Option<T>) -> Self {
        match value {
            Some(value) => self.equal(column, value),
            None => self,
        }
    }

    /// The column stands in this relation to the value, if the call gives one.
    #[must_use]
    pub fn compare<T: Bind>(
        mut self,
        column: &'static str,
        operator: &'static str,
        value: &'a Option<T>,
    ) -> Self {
        if let Some(value) = value {
            self.params.push(Box::new(value.bind()));
            let place = self.params.len();
            self.conditions
                .push(format!("t.{column} {operator} ${place}"));
        }
        self
    }

    /// The text is somewhere in the column's words, whatever its case and accents, if the call
    /// gives one. `key` is the column that holds the words' search key.
    #[must_use]
    pub fn search<T: Bind>(mut self, key: &'static str, words: &'a Option<T>) -> Self {
        if let Some(words) = words {
            self.params.push(Box::new(words.bind()));
            self.conditions.push(format!(
                "t.{key} like app.search_pattern(${})",
                self.params.len()
            ));
        }
        self
    }

    /// The conditions, with `$1`, `$2` … for their values.
    pub(crate) fn conditions(&self) -> String {
        match self.conditions.as_slice() {
            [] => "true".to_owned(),
            conditions => conditions.join(" and "),
        }
    }

    /// The values that stand as `$1`, `$2` …
    pub(crate) fn params(&self) -> Vec<&(dyn ToSql + Sync)> {
        self.params
            .iter()
            .map(|value| &**value as &(dyn ToSql + Sync))
            .collect()
    }
}
