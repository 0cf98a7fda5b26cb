//! The digest of changes: the same for two calls that do the same, in which only generated ids and times differ.

use std::collections::HashMap;
use std::fmt::Write;

use frontdesk_protocol::Declaration;
use frontdesk_protocol::changes::RowOperation;
use frontdesk_protocol::id::UserId;
use jiff::Timestamp;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{Changed, Columns};

/// Distinguishes a digest of changes from that of a plan.
pub(crate) const PREFIX: &str = "c-";

/// The call that makes the changes.
#[derive(Debug)]
pub(crate) struct Asked<'a> {
    /// The account that makes it: what one account has previewed, no other applies.
    pub(crate) caller: UserId,
    pub(crate) tool: &'a Declaration,
    /// JSON text.
    pub(crate) arguments: &'a str,
    /// The time of the transaction, which is `now()` in SQL.
    pub(crate) began: Timestamp,
    /// A time after its last change.
    pub(crate) ended: Timestamp,
}

/// The digest of a call and its changes.
pub(crate) fn digest(asked: &Asked<'_>, changes: &[Changed]) -> String {
    let generated = Generated::by(asked, changes);
    let mut arguments: Value = serde_json::from_str(asked.arguments).unwrap_or_default();
    arguments.sort_all_objects();
    let mut lines: Vec<_> = changes.iter().map(|one| generated.line(one)).collect();
    // PostgreSQL changes the rows of one statement in any order.
    lines.sort_unstable();
    let call = json!([asked.caller, asked.tool.host, asked.tool.name, arguments]).to_string();
    let mut hash = Sha256::new_with_prefix(call);
    for line in lines {
        hash.update([b'\n']);
        hash.update(line);
    }
    prefixed(hash)
}

/// The digest of a call that its caller has made with these changes so often.
pub(crate) fn used(digest: String, times: i32) -> String {
    match times {
        0 => digest,
        times => prefixed(Sha256::new_with_prefix(format!("{digest} {times}"))),
    }
}

fn prefixed(hash: Sha256) -> String {
    let mut digest = PREFIX.to_owned();
    for byte in &hash.finalize()[..16] {
        let _ = write!(digest, "{byte:02x}");
    }
    digest
}

/// Recognizes what a call generates.
struct Generated {
    /// The ids of new rows, with their numbers.
    ids: HashMap<String, usize>,
    began: Timestamp,
    ended: Timestamp,
}

impl Generated {
    fn by(asked: &Asked<'_>, changes: &[Changed]) -> Generated {
        let mut ids = HashMap::new();
        let added = changes
            .iter()
            .filter(|one| one.operation == RowOperation::Insert);
        for (number, row) in added.enumerate() {
            let key: Columns = serde_json::from_str(&row.key).unwrap_or_default();
            if let Some(id) = key.get("id").and_then(Value::as_str) {
                ids.insert(id.to_owned(), number);
            }
        }
        Generated {
            ids,
            began: asked.began,
            ended: asked.ended,
        }
    }

    /// A change as text, without what was generated.
    fn line(&self, change: &Changed) -> String {
        let key = serde_json::from_str(&change.key).unwrap_or_default();
        let state = |columns: &Option<Columns>| {
            let columns = columns.clone().map(Value::Object);
            self.without(columns.unwrap_or_default())
        };
        let mut line = json!([
            change.table,
            change.operation,
            self.without(key),
            state(&change.before),
            state(&change.after),
        ]);
        line.sort_all_objects();
        line.to_string()
    }

    fn without(&self, value: Value) -> Value {
        match value {
            Value::String(text) => match self.named(&text) {
                Some(name) => Value::String(name),
                None => Value::String(text),
            },
            Value::Array(values) => values.into_iter().map(|one| self.without(one)).collect(),
            Value::Object(fields) => fields
                .into_iter()
                .map(|(name, value)| (name, self.without(value)))
                .collect(),
            value => value,
        }
    }

    /// What a generated value stands for. A time is generated if it is within the transaction, or if it is whole seconds
    /// away from its beginning, which has microseconds.
    fn named(&self, text: &str) -> Option<String> {
        if let Some(number) = self.ids.get(text) {
            return Some(format!("new {number}"));
        }
        let time: Timestamp = text.parse().ok()?;
        if (self.began..=self.ended).contains(&time) {
            return Some("now".to_owned());
        }
        let away = time.duration_since(self.began);
        (away.subsec_nanos() == 0).then(|| format!("now {:+}", away.as_secs()))
    }
}
