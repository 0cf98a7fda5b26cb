//! The entry of a call in the history of changes.

use frontdesk_protocol::Declaration;
use serde_json::Value;
use uuid::Uuid;

use super::preview::Condition;
use crate::database::{Transaction, TransactionError, params};

/// Arguments up to this size are kept as sent, in bytes of JSON.
const WHOLE: usize = 4_000;
/// In larger arguments, the number of characters that is kept of a text.
const LONGEST: usize = 1_000;

/// What the history keeps of a call, in addition to the rows that it changes.
#[derive(Debug)]
pub(super) struct Entry<'a> {
    pub(super) tool: &'a Declaration,
    /// JSON text.
    pub(super) arguments: &'a str,
    pub(super) idempotency_key: Option<String>,
    /// The calling program.
    pub(super) client: Option<String>,
    pub(super) condition: Condition,
}

impl Entry<'_> {
    /// Commits the transaction; if it has changed rows, with this entry, whose id it returns.
    ///
    /// # Errors
    /// As [`Transaction::commit`].
    pub(super) async fn commit(
        &self,
        transaction: Transaction,
        undoes: Option<Uuid>,
    ) -> Result<Option<Uuid>, TransactionError> {
        let arguments = cut(self.arguments);
        let params = params![
            self.tool.host.area(),
            self.tool.name,
            arguments,
            self.idempotency_key,
            self.client,
            undoes,
        ];
        let record = "select app.record_change($1, $2, $3, $4, $5, $6)";
        let rows = transaction.commit_with(record, params).await?;
        Ok(rows.first().and_then(|row| row.get(0)))
    }
}

/// The arguments with long texts cut, such as pictures in Base64.
fn cut(arguments: &str) -> String {
    if arguments.len() <= WHOLE {
        return arguments.to_owned();
    }
    let mut value: Value = serde_json::from_str(arguments).unwrap_or_default();
    shorten(&mut value);
    value.to_string()
}

/// Cuts long texts.
pub(super) fn shorten(value: &mut Value) {
    match value {
        Value::String(text) => {
            if let Some((at, _)) = text.char_indices().nth(LONGEST) {
                text.truncate(at);
                text.push('…');
            }
        }
        Value::Array(values) => values.iter_mut().for_each(shorten),
        Value::Object(fields) => fields.values_mut().for_each(shorten),
        _ => {}
    }
}
