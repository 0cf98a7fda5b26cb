//! The entry of a call in the history of changes.

use frontdesk_postgres::Command;
use frontdesk_protocol::Declaration;
use frontdesk_protocol::mcp::{Action, CallMeta};
use serde_json::Value;
use tokio_postgres::types::{ToSql, Type};
use uuid::Uuid;

use super::repeat::Same;

/// Arguments up to this size are kept as sent, in bytes of JSON.
const WHOLE: usize = 4_000;
/// In larger arguments, the number of characters that is kept of a text.
const LONGEST: usize = 1_000;

/// Writes the entry if the transaction has changed rows, and then returns a row; two rows if the call repeats another.
const RECORD: &str =
    "select from generate_series(1, app.record_call($1, $2, $3, $4, $5, $6, $7, $8, $9))";
/// The types of its parameters.
const TYPES: &[Type] = &[
    Type::TEXT,
    Type::TEXT,
    Type::TEXT,
    Type::TEXT,
    Type::TEXT,
    Type::UUID,
    Type::UUID,
    Type::BYTEA_ARRAY,
    Type::BYTEA_ARRAY,
];

/// What the history keeps of a call, in addition to the rows that it changes.
#[derive(Debug)]
pub(super) struct Entry {
    /// `None` if the history keeps nothing: the rows are captured only to compare them with a preview.
    host: Option<&'static str>,
    tool: &'static str,
    /// JSON text.
    arguments: String,
    idempotency_key: Option<String>,
    /// The calling program.
    client: Option<String>,
    /// The entry that the call reverses.
    pub(super) undoes: Option<Uuid>,
    /// The action to which the call belongs.
    pub(super) action: Option<Uuid>,
    /// The digests of this call, or of the calls that it consists of; then those whose result cannot be taken back.
    made: Vec<Vec<u8>>,
    lasting: Vec<Vec<u8>>,
}

impl Entry {
    /// The entry of a call with these arguments, JSON text.
    pub(super) fn of(
        tool: &Declaration,
        arguments: &str,
        meta: &CallMeta,
        client: Option<String>,
        is_kept: bool,
    ) -> Entry {
        Entry {
            host: is_kept.then(|| tool.host.area()),
            tool: tool.name,
            arguments: cut(arguments),
            idempotency_key: meta.idempotency_key.clone(),
            client,
            undoes: None,
            action: meta.action.map(|action| match action {
                Action::New => Uuid::now_v7(),
                Action::Of(id) => id.0,
            }),
            made: Vec::new(),
            lasting: Vec::new(),
        }
    }

    /// Notes what a call with these arguments makes, if it has no idempotency key.
    pub(super) fn makes(&mut self, tool: &Declaration, arguments: &Value) {
        if self.idempotency_key.is_none()
            && let Some(same) = Same::of(tool, arguments)
        {
            if same.is_lasting {
                self.lasting.push(same.digest.clone());
            }
            self.made.push(same.digest);
        }
    }

    /// The call consists of other calls, which are noted instead.
    pub(super) fn makes_calls(&mut self) {
        self.made.clear();
        self.lasting.clear();
    }

    /// The values of the command that writes the entry.
    pub(super) fn params(&self) -> [&(dyn ToSql + Sync); 9] {
        [
            &self.host,
            &self.tool,
            &self.arguments,
            &self.idempotency_key,
            &self.client,
            &self.undoes,
            &self.action,
            &self.made,
            &self.lasting,
        ]
    }
}

/// The command that writes an entry with these values.
pub(super) fn record<'a>(params: &'a [&'a (dyn ToSql + Sync); 9]) -> Command<'a> {
    Command {
        sql: RECORD,
        types: TYPES,
        params,
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
