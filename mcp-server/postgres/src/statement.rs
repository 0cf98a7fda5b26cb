//! A session's knowledge of a statement it has prepared.

use std::io;

use fallible_iterator::FallibleIterator;
use postgres_protocol::message::backend::{ParameterDescriptionBody, RowDescriptionBody};
use tokio_postgres::types::{Oid, Type};

use crate::error::Error;

/// A column of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// The name or alias in the statement.
    pub name: String,
    /// The type of its values.
    pub r#type: Type,
}

/// A statement as PostgreSQL has described it.
#[derive(Debug)]
pub(crate) struct Statement {
    /// Its name in the session.
    pub(crate) name: String,
    /// The types of its parameters.
    pub(crate) parameters: Vec<Type>,
    /// The columns of its rows.
    pub(crate) columns: Vec<Column>,
}

impl Statement {
    pub(crate) fn named(name: String) -> Statement {
        Statement {
            name,
            parameters: Vec::new(),
            columns: Vec::new(),
        }
    }

    pub(crate) fn takes(&mut self, body: &ParameterDescriptionBody) -> Result<(), Error> {
        let mut oids = body.parameters();
        while let Some(oid) = oids.next()? {
            self.parameters.push(known(oid)?);
        }
        Ok(())
    }

    pub(crate) fn answers(&mut self, body: &RowDescriptionBody) -> Result<(), Error> {
        let mut fields = body.fields();
        while let Some(field) = fields.next()? {
            self.columns.push(Column {
                name: field.name().to_owned(),
                r#type: known(field.type_oid())?,
            });
        }
        Ok(())
    }
}

/// Resolves a built-in type: the schema defines none.
fn known(oid: Oid) -> io::Result<Type> {
    Type::from_oid(oid).ok_or_else(|| {
        io::Error::new(
            io::ErrorKind::Unsupported,
            format!("type {oid} is not one of PostgreSQL's own"),
        )
    })
}
