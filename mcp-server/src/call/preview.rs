//! Previews: a call that is made and rolled back, or bound to what its preview showed.

use std::collections::HashMap;

use frontdesk_protocol::changes::{
    Changes, MOST_BYTES, MOST_ROWS, RowChange, RowOperation, WebhookCount,
};
use frontdesk_protocol::mcp::CallMeta;
use frontdesk_protocol::{Declaration, ErrorCode, ToolError};
use jiff::Timestamp;
use serde_json::Value;

use super::Call;
use super::entry::shorten;
use crate::changes::{
    Asked, Changed, Columns, PREFIX, WEBHOOKS, at_stake, digest, named, net, used,
};
use crate::database::{Part, Said, internal, params};

/// How a call depends on its changes.
#[derive(Debug, Default)]
pub(super) struct Condition {
    /// The call is rolled back.
    is_preview: bool,
    /// The digest of the changes that it makes.
    changes: Option<String>,
    /// The digest of the plan that its handler makes, until that has compared it.
    pub(super) plan: Option<String>,
}

impl Condition {
    /// Takes it from the options of the call.
    pub(super) fn take(meta: &mut CallMeta) -> Condition {
        let is_of_changes = |digest: &mut String| digest.starts_with(PREFIX);
        Condition {
            is_preview: meta.preview,
            changes: meta.expected_plan.take_if(is_of_changes),
            plan: meta.expected_plan.take(),
        }
    }

    /// Whether the call does not depend on them.
    pub(super) fn is_none(&self) -> bool {
        !self.needs_changes() && self.plan.is_none()
    }

    /// Whether the call is bound to the changes that its preview showed.
    pub(super) fn binds(&self) -> bool {
        self.changes.is_some()
    }

    /// Whether the changes have to be known before the call ends.
    pub(super) fn needs_changes(&self) -> bool {
        self.is_preview || self.changes.is_some()
    }
}

/// The result of a call that is rolled back, JSON text: it and the results of a batch say that they are of a dry run.
pub(super) fn as_trial(result: String) -> String {
    if !result.contains("\"dry_run\"") {
        return result;
    }
    let Ok(mut value) = serde_json::from_str::<Value>(&result) else {
        return result;
    };
    let mark = |one: &mut Value| {
        if let Some(said) = one.get_mut("dry_run") {
            *said = Value::Bool(true);
        }
    };
    mark(&mut value);
    let results = value.get_mut("results").and_then(Value::as_array_mut);
    results.into_iter().flatten().for_each(mark);
    value.to_string()
}

/// The result of a trial, an object as JSON text, without what only the call itself may return. Returns the name of a
/// field that is withheld, too.
pub(super) fn without_secrets(tool: &Declaration, result: String) -> (String, Option<String>) {
    // A result that may be stored has none.
    let secrets = match tool.is_remembered {
        true => Vec::new(),
        false => tool.secrets(),
    };
    match serde_json::from_str(&result) {
        Ok(Value::Object(mut value)) if !secrets.is_empty() => {
            value.extend(secrets.iter().map(|name| (name.clone(), Value::Null)));
            let result = Value::Object(value).to_string();
            (result, secrets.into_iter().next())
        }
        _ => (result, None),
    }
}

/// The refusal of a call that would not do what its caller expects.
fn conflict() -> ToolError {
    ToolError::new(
        ErrorCode::Conflict,
        "the call would not do what its preview showed; nothing was changed",
    )
    .hint("preview it again")
}

impl Call {
    /// Whether the call is rolled back at the end.
    pub(super) fn is_trial(&self) -> bool {
        self.is_dry_run || self.condition.is_preview
    }

    /// Refuses a call that was bound to a plan, although its tool has none.
    ///
    /// # Errors
    /// `conflict`.
    pub(super) fn meets_plan(&self) -> Result<(), ToolError> {
        match self.condition.plan.is_some() && !self.is_repeated {
            true => Err(conflict()),
            false => Ok(()),
        }
    }

    /// The result of a trial without its secrets, and a note about the first.
    pub(super) fn without_secrets(&mut self, tool: &Declaration, result: String) -> String {
        let (result, withheld) = without_secrets(tool, result);
        if let Some(field) = withheld {
            let field = [Part::Word(&field)];
            self.note(Said::with("nothing was made, so there is no {}", &field));
        }
        result
    }

    /// Prepares for the changes to be looked at before the transaction ends.
    ///
    /// # Errors
    /// As [`Call::query`].
    pub(super) async fn watch(&mut self) -> Result<(), ToolError> {
        self.mark_trial().await?;
        self.query("savepoint preview", &[]).await.map(drop)
    }

    /// Tells the database that the results of this transaction are seen even if it is rolled back.
    ///
    /// # Errors
    /// As [`Call::query`].
    pub async fn mark_trial(&mut self) -> Result<(), ToolError> {
        self.hold_for(self.server.trial);
        let mark = "select set_config('app.is_trial', 'on', true)";
        self.query(mark, &[]).await.map(drop)
    }

    /// Notes the changes of a preview, and those that are not the expected ones; both are rolled back.
    ///
    /// # Errors
    /// `conflict` if others are expected; otherwise as [`Call::query`].
    pub(super) async fn look(
        &mut self,
        tool: &Declaration,
        arguments: &str,
    ) -> Result<(), ToolError> {
        let is_preview = self.condition.is_preview;
        let writes = !self.is_dry_run && !tool.effect.read_only;
        let rows = match writes {
            true => self.captured().await?,
            false => Vec::new(),
        };
        let mut digest = self.digest(tool, arguments, &rows).await?;
        // Also without rows: what a call changes can be a secret, such as a link.
        if writes {
            let times = self.times_applied(&digest, is_preview).await?;
            digest = used(digest, times);
        }
        // The earlier call made the changes that were expected.
        let mut expected = self.condition.changes.iter();
        let is_other = !self.is_repeated && expected.any(|one| *one != digest);
        if is_preview || is_other {
            self.effect.changes = Some(self.shown(digest, rows).await?);
        }
        match is_other {
            true => Err(conflict()),
            false => Ok(()),
        }
    }

    /// The difference that this transaction has made so far.
    async fn captured(&mut self) -> Result<Vec<Changed>, ToolError> {
        let captured = "select table_name, operation, key, before, after from app.captured_rows()";
        let rows = self.query(captured, &[]).await?;
        let rows: Result<Vec<_>, _> = rows.iter().map(Changed::read).collect();
        rows.map(net)
            .map_err(|error| internal(format_args!("a captured row is not JSON: {error}")))
    }

    /// How often the caller has applied this plan before, and unless it is a preview, notes that it is applied again. Of
    /// two calls at once, the second waits.
    async fn times_applied(&mut self, digest: &str, is_preview: bool) -> Result<i32, ToolError> {
        let sql = match is_preview {
            true => "select a.times from app.applied_plans a where a.digest = $1",
            false => {
                "insert into app.applied_plans as a (digest) values ($1) \
                 on conflict (account_id, digest) do update set times = a.times + 1, applied_at = now() returning a.times - 1"
            }
        };
        let rows = self.query(sql, params![digest]).await?;
        Ok(rows.first().map_or(0, |row| row.get(0)))
    }

    async fn digest(
        &mut self,
        tool: &Declaration,
        arguments: &str,
        rows: &[Changed],
    ) -> Result<String, ToolError> {
        let mut rows = rows.to_vec();
        if !rows.is_empty() {
            let drawn = self.columns_by_table("app.drawn_columns", &rows).await?;
            for row in &mut rows {
                for column in drawn.get(&row.table).into_iter().flatten() {
                    for columns in [&mut row.before, &mut row.after].into_iter().flatten() {
                        columns.shift_remove(column);
                    }
                }
            }
        }
        let times = self.query("select now(), clock_timestamp()", &[]).await?;
        let time = |at: usize| times.first().map(|row| row.get::<_, Timestamp>(at));
        let asked = Asked {
            caller: self.caller,
            tool,
            arguments,
            began: time(0).unwrap_or_default(),
            ended: time(1).unwrap_or_default(),
        };
        Ok(digest(&asked, &rows))
    }

    /// What the caller can read of the changes. Rolls them back, because the rows that were there before are read in their
    /// former state.
    async fn shown(&mut self, digest: String, rows: Vec<Changed>) -> Result<Changes, ToolError> {
        let mut changes = Changes {
            digest,
            ..Changes::default()
        };
        if rows.is_empty() {
            return Ok(changes);
        }
        let tables: Vec<_> = rows.iter().map(|row| row.table.as_str()).collect();
        let lasting = "select min(app.lasting(r)) from unnest($1::text[]) r";
        let lasting = self.query(lasting, params![tables]).await?;
        changes.obstacle = lasting.first().and_then(|row| row.get(0));
        let (webhooks, rows): (Vec<_>, Vec<_>) =
            rows.into_iter().partition(|row| row.table == WEBHOOKS);
        changes.webhooks = counted(&webhooks);
        let columns = self.columns_by_table("app.readable_columns", &rows).await?;
        let mut labels = self
            .readable(&rows, |row| row.operation == RowOperation::Insert)
            .await?;
        self.query("rollback to savepoint preview", &[]).await?;
        labels.extend(
            self.readable(&rows, |row| row.operation != RowOperation::Insert)
                .await?,
        );

        let mut bytes = 0;
        for (place, row) in (1_i64..).zip(rows) {
            let label = labels.remove(&place);
            let is_hidden = label.is_none();
            let readable = match is_hidden {
                true => None,
                false => columns.get(&row.table),
            };
            let name = label.as_ref().and_then(|label| label.as_deref());
            self.effect.stakes.extend(at_stake(&row, name, readable));
            let change = described(row, label.flatten(), &columns);
            bytes += serde_json::to_string(&change).map_or(0, |json| json.len());
            if is_hidden || changes.rows.len() >= MOST_ROWS || bytes > MOST_BYTES {
                change.counted(is_hidden).add_to(&mut changes.more);
            } else {
                changes.rows.push(change);
            }
        }
        Ok(changes)
    }

    /// Those of the rows that the caller can read now: their places, from 1, with their names.
    async fn readable(
        &mut self,
        rows: &[Changed],
        which: impl Fn(&Changed) -> bool,
    ) -> Result<HashMap<i64, Option<String>>, ToolError> {
        let places: Vec<i64> = (1..)
            .zip(rows)
            .filter(|(_, row)| which(row))
            .map(|(at, _)| at)
            .collect();
        let rows: Vec<_> = rows.iter().filter(|row| which(row)).collect();
        if rows.is_empty() {
            return Ok(HashMap::new());
        }
        let tables: Vec<_> = rows.iter().map(|row| row.table.as_str()).collect();
        let keys: Vec<_> = rows.iter().map(|row| row.key.as_str()).collect();
        let names: Vec<_> = rows
            .iter()
            .map(|row| named(&row.table).and_then(|kind| kind.name))
            .collect();
        let sql = "select place, label from app.readable_rows($1, $2, $3)";
        let found = self.query(sql, params![tables, keys, names]).await?;
        let found = found.iter().filter_map(|row| {
            let at = usize::try_from(row.get::<_, i64>(0) - 1).ok()?;
            Some((*places.get(at)?, row.get(1)))
        });
        Ok(found.collect())
    }

    /// The columns that a function returns for the tables of these rows.
    async fn columns_by_table(
        &mut self,
        function: &str,
        rows: &[Changed],
    ) -> Result<HashMap<String, Vec<String>>, ToolError> {
        let tables = rows.iter().map(|row| row.table.as_str());
        let mut tables: Vec<_> = tables.collect();
        tables.sort_unstable();
        tables.dedup();
        let sql = format!("select table_name, columns from {function}($1)");
        let found = self.query(&sql, params![tables]).await?;
        Ok(found.iter().map(|row| (row.get(0), row.get(1))).collect())
    }
}

/// The webhooks by type.
fn counted(events: &[Changed]) -> Vec<WebhookCount> {
    let mut webhooks: Vec<WebhookCount> = Vec::new();
    let types = events
        .iter()
        .filter_map(|event| event.after.as_ref()?.get("type")?.as_str());
    for event in types {
        match webhooks.iter_mut().find(|one| one.event == event) {
            Some(one) => one.count += 1,
            None => webhooks.push(WebhookCount {
                event: event.to_owned(),
                count: 1,
            }),
        }
    }
    webhooks
}

/// A change as the caller sees it.
fn described(
    row: Changed,
    label: Option<String>,
    columns: &HashMap<String, Vec<String>>,
) -> RowChange {
    let columns = columns
        .get(&row.table)
        .map(Vec::as_slice)
        .unwrap_or_default();
    let readable = |state: Option<Columns>| {
        let mut state = state?;
        let readable = columns.iter().filter_map(|name| {
            let mut value = state.shift_remove(name)?;
            shorten(&mut value);
            Some((name.clone(), value))
        });
        Some(readable.collect())
    };
    RowChange {
        kind: named(&row.table).map(|named| named.kind.to_owned()),
        label,
        key: serde_json::from_str(&row.key).unwrap_or_default(),
        operation: row.operation,
        before: readable(row.before),
        after: readable(row.after),
        table: row.table,
    }
}
