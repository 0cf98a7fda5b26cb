//! Arguments as statement parameters.

use std::error::Error;

use bytes::BytesMut;
use serde::Serialize;
use serde_json::Value;
use tokio_postgres::types::{Format, IsNull, Kind, ToSql, Type, to_sql_checked};

/// A parameter in text format. PostgreSQL converts its text to the parameter's type.
#[derive(Debug, Clone)]
pub struct Param(Result<Value, String>);

impl Param {
    /// The value is serialized; an error appears when the parameter is sent.
    pub fn of(value: &(impl Serialize + ?Sized)) -> Param {
        Param(serde_json::to_value(value).map_err(|error| error.to_string()))
    }
}

impl From<Value> for Param {
    fn from(value: Value) -> Self {
        Param(Ok(value))
    }
}

impl ToSql for Param {
    fn to_sql(
        &self,
        wanted: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        let value = self.0.as_ref().map_err(String::as_str)?;
        let text = match (value, wanted.kind()) {
            (Value::Null, _) => return Ok(IsNull::Yes),
            (Value::Array(values), Kind::Array(_)) => array(values),
            (Value::String(text), _) if !matches!(*wanted, Type::JSON | Type::JSONB) => {
                out.extend_from_slice(text.as_bytes());
                return Ok(IsNull::No);
            }
            (value, _) => value.to_string(),
        };
        out.extend_from_slice(text.as_bytes());
        Ok(IsNull::No)
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    fn encode_format(&self, _: &Type) -> Format {
        Format::Text
    }

    to_sql_checked!();
}

/// A PostgreSQL array of scalars: `{"a","b",null}`.
fn array(values: &[Value]) -> String {
    let values = values.iter().map(|value| match value {
        Value::Null => "null".to_owned(),
        Value::String(text) => quoted(text),
        value => quoted(&value.to_string()),
    });
    format!("{{{}}}", values.collect::<Vec<_>>().join(","))
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Statement parameters from arguments: `params![self.event_id, self.search]`.
macro_rules! params {
    ($($value:expr),* $(,)?) => {
        &[$(&$crate::database::Param::of(&$value) as &(dyn tokio_postgres::types::ToSql + Sync)),*]
    };
}
pub(crate) use params;
