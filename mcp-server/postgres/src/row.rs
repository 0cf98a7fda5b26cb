//! The rows of an answer.

use std::fmt;
use std::sync::Arc;

use fallible_iterator::FallibleIterator;
use postgres_protocol::message::backend::DataRowBody;
use tokio_postgres::types::FromSql;

use crate::error::Error;
use crate::json;
use crate::statement::{Column, Statement};

/// A row of an answer.
#[derive(Clone)]
pub struct Row {
    statement: Arc<Statement>,
    body: DataRowBody,
}

impl fmt::Debug for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Row")
            .field("columns", &self.statement.columns)
            .finish_non_exhaustive()
    }
}

/// A column by its position, from 0, or by its name.
pub trait ColumnIndex: fmt::Display {
    #[doc(hidden)]
    fn among(&self, columns: &[Column]) -> Option<usize>;
}

impl ColumnIndex for usize {
    fn among(&self, columns: &[Column]) -> Option<usize> {
        (*self < columns.len()).then_some(*self)
    }
}

impl ColumnIndex for &str {
    fn among(&self, columns: &[Column]) -> Option<usize> {
        columns.iter().position(|column| column.name == *self)
    }
}

impl Row {
    pub(crate) fn new(statement: Arc<Statement>, body: DataRowBody) -> Row {
        Row { statement, body }
    }

    /// The value in a column.
    ///
    /// # Panics
    /// If the column does not exist or does not hold a `T`: a mistake in the statement or in its caller.
    pub fn get<'a, P: ColumnIndex, T: FromSql<'a>>(&'a self, column: P) -> T {
        match self.value(&column) {
            Ok(value) => value,
            Err(error) => panic!("column {column}: {error}"),
        }
    }

    /// Appends the columns from this one on as a JSON object, in the text of `row_to_json` in a session with the time
    /// zone UTC.
    ///
    /// # Errors
    /// [`Error::Value`]: a mistake in the statement.
    pub fn write_json(&self, from: usize, out: &mut String) -> Result<(), Error> {
        let mut ranges = self.body.ranges();
        let mut separator = '{';
        for (at, column) in self.statement.columns.iter().enumerate() {
            let range = ranges.next()?.flatten();
            if at < from {
                continue;
            }
            out.push(separator);
            separator = ',';
            json::quoted(out, &column.name);
            out.push(':');
            let value = range.map(|range| &self.body.buffer()[range]);
            json::write(out, &column.r#type, value).map_err(|cause| Error::Value {
                column: column.name.clone(),
                cause,
            })?;
        }
        out.push_str(if separator == '{' { "{}" } else { "}" });
        Ok(())
    }

    fn value<'a, T: FromSql<'a>>(
        &'a self,
        column: &impl ColumnIndex,
    ) -> Result<T, Box<dyn std::error::Error + Send + Sync>> {
        let columns = &self.statement.columns;
        let index = column
            .among(columns)
            .ok_or("the answer has no such column")?;
        let r#type = &columns[index].r#type;
        if !T::accepts(r#type) {
            return Err(format!("it is {type}").into());
        }
        let range = self
            .body
            .ranges()
            .nth(index)?
            .ok_or("the row is too short")?;
        T::from_sql_nullable(r#type, range.map(|range| &self.body.buffer()[range]))
    }
}
