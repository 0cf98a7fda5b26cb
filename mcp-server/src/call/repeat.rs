//! Calls that are made once more: a model that got no answer, or did not read it, repeats a call without an idempotency
//! key, and makes a second record. The database remembers for ten minutes what such calls have made.

use frontdesk_protocol::{Declaration, ToolError, args, guide};
use serde_json::Value;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::{Call, Given};
use crate::database::{Part, Said, params};

/// The most repeated calls that are named.
const MOST_NAMED: usize = 3;

/// What tells that a call makes the same as another: its tool and its arguments, as they were understood.
#[derive(Debug)]
pub(super) struct Same {
    pub(super) digest: Vec<u8>,
    /// Whether what it makes cannot be taken back. A link, which is a secret, ends the link before.
    pub(super) is_lasting: bool,
}

impl Same {
    /// `None` for a call that changes nothing more if it is repeated, and for wrong arguments.
    pub(super) fn of(tool: &Declaration, arguments: &Value) -> Option<Same> {
        if tool.effect.idempotent {
            return None;
        }
        let mut checked = Value::from(args::check_from(tool.shape, arguments).ok()?);
        if checked["dry_run"] == true {
            return None;
        }
        checked.sort_all_objects();
        without_spaces(&mut checked);
        let mut same = Sha256::new();
        for part in [tool.host.area(), tool.name, checked.to_string().as_str()] {
            same.update(part);
            same.update([0]);
        }
        Some(Same {
            digest: same.finalize().to_vec(),
            is_lasting: guide::is_lasting(tool) && tool.secrets().is_empty(),
        })
    }
}

/// Texts that differ only in spaces say the same.
fn without_spaces(value: &mut Value) {
    match value {
        Value::String(text) => *text = text.split_whitespace().collect::<Vec<_>>().join(" "),
        Value::Array(values) => values.iter_mut().for_each(without_spaces),
        Value::Object(fields) => fields.values_mut().for_each(without_spaces),
        _ => {}
    }
}

impl Call {
    /// Names the calls of the last minutes that the call with this entry repeats. They were meant, perhaps: a second equal
    /// guest can be.
    ///
    /// # Errors
    /// As [`Call::query`].
    pub(super) async fn repeated(&mut self, change: Uuid) -> Result<Vec<Said>, ToolError> {
        let sql = "select r.change_id::text, r.record, r.minutes from app.repeated_by($1) r";
        let rows = self.query(sql, params![change]).await?;
        let named = rows.iter().take(MOST_NAMED).map(|row| {
            let (change, record): (String, Option<String>) = (row.get(0), row.get(1));
            let parts = [
                Part::Number(row.get::<_, i32>(2).max(1).into()),
                Part::Word(record.as_deref().unwrap_or("what it made")),
                Part::Word(&change),
            ];
            Said::with(
                "you made the same call in the last {} min: {} exists, too; if once was meant, undo_change takes the first \
                 back, change {}",
                &parts,
            )
        });
        Ok(named.collect())
    }

    /// Refuses a call that cannot be taken back, if its caller has made it in the last minutes. Others are made, with a warning.
    ///
    /// # Errors
    /// `refused`; otherwise as [`Call::query`].
    pub async fn refuse_again(
        mut self,
        tool: &Declaration,
        given: &Given<'_>,
    ) -> Result<(), ToolError> {
        match Same::of(tool, given.known()) {
            Some(same) if same.is_lasting => {
                let sql = "select app.refuse_again(m.change) from app.made_by_call($1) m (change) where m.change is not null";
                self.query(sql, &[&same.digest]).await.map(drop)
            }
            _ => Ok(()),
        }
    }

    /// The entry of this call in the history, if the caller has made it in the last minutes.
    ///
    /// # Errors
    /// As [`Call::query`].
    pub(super) async fn made_before(&mut self, same: &Same) -> Result<Option<String>, ToolError> {
        let sql = "select app.made_by_call($1)::text";
        let rows = self.query(sql, &[&same.digest]).await?;
        Ok(rows.first().and_then(|row| row.get(0)))
    }
}
