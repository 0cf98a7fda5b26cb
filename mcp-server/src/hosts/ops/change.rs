//! The history of changes, and undo.

use std::collections::HashMap;

use frontdesk_postgres::Row;
use frontdesk_protocol::changes::{
    Changes, MOST_BYTES, MOST_ROWS, RowChange, RowCount, RowOperation, WebhookCount,
};
use frontdesk_protocol::ops::batch::RunBatch;
use frontdesk_protocol::ops::change::{
    Change, ChangeSummary, GetChange, ListChanges, Undo, UndoChange,
};
use frontdesk_protocol::record::{List, Maybe, One, Record};
use frontdesk_protocol::value::Name;
use frontdesk_protocol::{ErrorCode, Host, Role, Tool, ToolError};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::call::{Answer, Call, Handler, Outcome, SqlByName, Stored, columns, object};
use crate::changes::{Changed, WEBHOOKS, named};
use crate::database::{Part, Said, internal, params, quoted};
use crate::hosts::routes;

/// The filter of a list without the calls of actions.
const WHOLE: &str = "whole";
/// The argument that names the change.
const FIELD: &str = "change_id";

impl Stored for ChangeSummary {
    const TABLE: &'static str = "app.changes";
    const ORDER: &'static str = "t.id desc";
    const COMPUTED: SqlByName = &[
        ("account_name", "ops.party_name(t.account_id)"),
        (
            "calls",
            "case when t.is_action then (select count(*) - 1 from app.parts(t.id)) else 1 end",
        ),
        (
            "summary",
            "coalesce(app.detail(t.id), app.summary(t.id), '')",
        ),
        ("rows", "app.count_rows(t.id)"),
        ("can_undo", "app.obstacle(t.id) is null"),
        ("undone_by", "app.undone_by(t.id)"),
    ];
    const FILTERS: SqlByName = &[
        ("kind", "app.has_kind(t.id, $)"),
        ("record_id", "t.id in (select app.changes_of($))"),
        (WHOLE, "t.action_id is null"),
        ("from", "t.created_at >= $"),
        ("to", "t.created_at < $"),
    ];
}

impl Handler for ListChanges {
    /// Lists the calls of an action only with a record.
    async fn handle(self, call: &mut Call) -> Outcome<List<ChangeSummary>> {
        let plural = self
            .kind
            .as_ref()
            .map(|kind| format!("any.{}", kind.as_str()));
        if let Some(named) = plural.and_then(|table| named(&table)) {
            let message = format!("must be one record's kind: {}", named.kind);
            return Err(ToolError::invalid("kind", message));
        }
        let is_there = |tool: &Name| {
            Host::ALL
                .iter()
                .any(|host| host.tool(tool.as_str()).is_some())
        };
        if self.tool.as_ref().is_some_and(|tool| !is_there(tool)) {
            return Err(ToolError::invalid(
                "tool",
                "no host has a tool of this name",
            ));
        }
        let mut arguments = object(&self);
        if self.record_id.is_none() {
            arguments.insert(WHOLE.to_owned(), Value::Bool(true));
        }
        let arguments = Value::Object(arguments);
        call.list(&arguments, self.limit, self.offset).await
    }
}

impl Handler for GetChange {
    async fn handle(self, call: &mut Call) -> Outcome<Maybe<Change>> {
        let id = self.change_id.0;
        let sql = format!(
            "select row_to_json(r)::text from (select {}, t.arguments::json as arguments, t.idempotency_key, t.client, \
             coalesce(ops.party_name(t.made_by), t.made_by::text) as made_by, app.obstacle(t.id) as obstacle from app.changes t where t.id = $1) r",
            columns::<ChangeSummary>()
        );
        let rows = call.query(&sql, &[&id]).await?;
        let Some(row) = rows.first() else {
            return Ok(Answer::new(format!(r#"{{"{}":null}}"#, Change::SINGULAR)));
        };
        let change: Result<Map<String, Value>, _> = serde_json::from_str(row.get(0));
        let mut change = change.map_err(|error| unreadable(&error))?;
        let changes = changes_of(call, id).await?;
        // The arguments have the same data as the rows.
        if !changes.more.is_empty() && change.get("account_id") != Some(&json!(call.caller)) {
            change.insert("arguments".to_owned(), Value::Null);
        }
        change.insert("changes".to_owned(), json!(changes));
        Ok(Answer::new(json!({ Change::SINGULAR: change }).to_string()))
    }
}

/// The rows of a change that the caller can read, the number of the others, and the webhooks.
async fn changes_of(call: &mut Call, id: Uuid) -> Result<Changes, ToolError> {
    let sql = "select r.table_name, r.operation, r.key, r.before, r.after from app.parts($1) p \
         join app.changed_rows r on r.change_id = p where r.table_name <> $2 order by r.position limit $3";
    let most = i64::try_from(MOST_ROWS).unwrap_or(i64::MAX);
    let rows = call.query(sql, &[&id, &WEBHOOKS, &most]).await?;
    let mut bytes = 0;
    let mut listed = Vec::new();
    for row in &rows {
        let texts = [2, 3, 4].map(|at| row.get::<_, Option<&str>>(at));
        bytes += texts.iter().flatten().map(|text| text.len()).sum::<usize>();
        if bytes > MOST_BYTES {
            break;
        }
        listed.push(changed(row)?);
    }
    let is_cut = bytes > MOST_BYTES || listed.len() == MOST_ROWS;
    let listed = described(call, listed).await?;
    let counts = "select c.table_name, c.operation, c.number from app.row_counts($1) c";
    let mut more = Vec::new();
    for row in call.query(counts, &[&id]).await? {
        let (table, operation): (&str, _) = (row.get(0), operation(row.get(1)));
        let is_listed = |one: &&RowChange| one.table == table && one.operation == operation;
        let shown = listed.iter().filter(is_listed).count();
        let count = usize::try_from(row.get::<_, i64>(2)).unwrap_or_default();
        if count > shown {
            more.push(RowCount {
                table: table.to_owned(),
                kind: kind(table),
                operation,
                count: (count - shown) as u64,
                hidden: !is_cut,
            });
        }
    }
    let webhooks = "select w.type, w.number from app.webhooks_of($1) w";
    let webhooks = call.query(webhooks, &[&id]).await?;
    Ok(Changes {
        rows: listed,
        more,
        webhooks: webhooks.iter().map(webhook_count).collect(),
        ..Changes::default()
    })
}

fn webhook_count(row: &Row) -> WebhookCount {
    let count: i64 = row.get(1);
    WebhookCount {
        event: row.get(0),
        count: u64::try_from(count).unwrap_or_default(),
    }
}

fn operation(name: &str) -> RowOperation {
    RowOperation::from_name(name).unwrap_or(RowOperation::Update)
}

fn kind(table: &str) -> Option<String> {
    named(table).map(|named| named.kind.to_owned())
}

fn changed(row: &Row) -> Result<Changed, ToolError> {
    Changed::read(row).map_err(|error| unreadable(&error))
}

fn unreadable(error: &serde_json::Error) -> ToolError {
    internal(format_args!("a recorded row is not JSON: {error}"))
}

/// The rows as records: their kinds, and their names, in the recorded columns or as they are now.
async fn described(call: &mut Call, rows: Vec<Changed>) -> Result<Vec<RowChange>, ToolError> {
    let tables: Vec<_> = rows.iter().map(|row| row.table.as_str()).collect();
    let keys: Vec<_> = rows.iter().map(|row| row.key.as_str()).collect();
    let names: Vec<_> = rows
        .iter()
        .map(|row| named(&row.table).and_then(|kind| kind.name))
        .collect();
    let sql = "select r.place, r.label from app.readable_rows($1, $2, $3) r";
    let found = call.query(sql, params![tables, keys, names]).await?;
    let mut current: HashMap<i64, Option<String>> =
        found.iter().map(|row| (row.get(0), row.get(1))).collect();
    let described = (1..).zip(rows).map(|(place, row)| {
        let name = named(&row.table).and_then(|kind| kind.name);
        let recorded = [&row.after, &row.before].into_iter().flatten();
        let recorded = recorded
            .filter_map(|columns| columns.get(name.unwrap_or("name"))?.as_str())
            .next()
            .map(str::to_owned);
        RowChange {
            kind: kind(&row.table),
            label: recorded.or_else(|| current.remove(&place).flatten()),
            key: serde_json::from_str(&row.key).unwrap_or_default(),
            operation: row.operation,
            before: row.before,
            after: row.after,
            table: row.table,
        }
    });
    Ok(described.collect())
}

impl Handler for UndoChange {
    async fn handle(self, call: &mut Call) -> Outcome<One<Undo>> {
        let id = self.change_id.0;
        // Two undos of a change take turns.
        let lock = "select pg_advisory_xact_lock(hashtextextended($1::uuid::text, 93))";
        call.query(lock, &[&id]).await?;
        let look = "select app.obstacle(t.id), coalesce(app.undone_by(t.id), app.undone_by(t.action_id)) is not null, \
               app.rows_left(t.id), app.action_of_undo(t.id) from app.changes t where t.id = $1";
        let rows = call.query(look, &[&id]).await?;
        let row = rows.first();
        let row = row.ok_or_else(|| ToolError::not_found(Change::SINGULAR).on(FIELD))?;
        if let Some(obstacle) = row.get::<_, Option<&str>>(0) {
            let code = match row.get(1) {
                true => ErrorCode::Conflict,
                false => ErrorCode::Refused,
            };
            return Err(ToolError::new(code, obstacle).on(FIELD));
        }
        let (rows_left, action): (i32, Option<Uuid>) = (row.get(2), row.get(3));
        call.begins("looking for later changes", 1, 4);
        let changed = differences(call, id).await?;
        if !changed.is_empty() {
            return Err(ToolError::new(ErrorCode::Conflict, refusal(&changed))
                .on(FIELD)
                .hint("undo the later changes first, or edit the records")
                .with(&json!({ "changes": changed })));
        }
        call.begins("checking the rights", 2, 4);
        let forbidden = "select string_agg(distinct replace(split_part(f, '.', 2), '_', ' '), ', ') from app.forbidden($1) f";
        let rows = call.query(forbidden, &[&id]).await?;
        if let Some(tables) = rows.first().and_then(|row| row.get::<_, Option<&str>>(0)) {
            let message = format!("you cannot write these records of the change: {tables}");
            return Err(ToolError::new(ErrorCode::Forbidden, message).on(FIELD));
        }
        admit(call, id).await?;
        call.undoes(id);
        if rows_left > 0 || action.is_some() {
            call.joins(action.unwrap_or_else(Uuid::now_v7));
        }
        call.begins("restoring", 3, 4);
        let restored = call.query("select app.restore($1)", &[&id]).await;
        restored.map_err(unrestored)?;
        // Webhooks that the undone change had withdrawn are due again.
        call.has_webhooks();
        let delivered = "select 'webhooks that were delivered stay delivered: ' || string_agg(w.number || ' ' || w.type, ', ') \
             from app.delivered_by($1) w";
        call.warn_of(delivered, &[&id]).await?;
        if rows_left > 0 {
            let left = [Part::Number(rows_left.into())];
            let said = Said::with("{} rows of the action are left: undo it again", &left);
            call.warn(said);
        }
        let sql = "select json_build_object('change', row_to_json(r))::text from ( \
             select c.id, now() as created_at, app.caller_id() as account_id, \
               ops.party_name(app.caller_id()) as account_name, \
               $2 as host, $3 as tool, 1 as calls, app.summary(c.id) as summary, \
               app.count_rows(c.id) as rows, true as can_undo, \
               null as undone_by, $1::uuid as undoes, $4::integer as rows_left, \
               (select coalesce(json_agg(json_build_object('event', w.type, 'count', w.number)), '[]') \
                from app.delivered_by($1) w) as delivered \
             from (select current_setting('app.change_id')::uuid as id) c) r";
        let undo = call
            .json(sql, params![id, Self::HOST, Self::NAME, rows_left])
            .await?;
        undo.ok_or_else(|| internal("a statement returned no row"))
    }
}

/// Refuses the undo of a call that the caller's role is not offered: the policies of the tables permit more, and who made
/// the call can have another role now. Global admins are offered less than they may, except at hosts that check roles.
async fn admit(call: &mut Call, change: Uuid) -> Result<(), ToolError> {
    // An undo that is undone is the call that it took back.
    let sql = "with recursive calls as ( \
           select t.* from app.parts($1) p join app.changes t on t.id = p \
           union all \
           select t.* from calls c, app.parts(c.undoes) p join app.changes t on t.id = p) \
         select distinct host, tool, arguments::text, app.caller_role(), app.caller_is_admin() from calls where not is_action";
    let rows = call.query(sql, &[&change]).await?;
    let (mut tools, mut role, mut is_admin) = (Vec::new(), None, false);
    for row in &rows {
        role = row.get::<_, Option<&str>>(3).and_then(Role::from_name);
        is_admin = row.get(4);
        let (host, tool): (&str, &str) = (row.get(0), row.get(1));
        if (host, tool) != (RunBatch::HOST.area(), RunBatch::NAME) {
            tools.push((host.to_owned(), tool.to_owned()));
            continue;
        }
        let batch = row.get::<_, Option<&str>>(2).unwrap_or_default();
        let batch: Value = serde_json::from_str(batch).unwrap_or_default();
        let host = batch["host"].as_str().unwrap_or_default();
        let calls = batch["calls"].as_array().into_iter().flatten();
        let calls = calls.filter_map(|one| one["tool"].as_str());
        tools.extend(calls.map(|tool| (host.to_owned(), tool.to_owned())));
    }
    for (host, tool) in tools {
        let host = host.parse().ok();
        if let Some(hidden) = host.and_then(|host| call.server.hosts.hides(host, &tool)) {
            return Err(ToolError::new(ErrorCode::Refused, hidden));
        }
        let host = host.filter(|host: &Host| host.checks_roles() || !is_admin);
        if let Some(route) = host.and_then(|host| call.server.hosts.route(host, &tool)) {
            route.admit(role)?;
        }
    }
    Ok(())
}

/// What is not as the change left it: `before` is how it left the row, `after` how the row is now.
async fn differences(call: &mut Call, id: Uuid) -> Result<Changes, ToolError> {
    let sql = "select d.records, \
           case when d.is_left is null then 'insert' when d.is_now is null then 'delete' else 'update' end, \
           d.key::text, d.is_left::text, d.is_now::text, \
           app.may_read_row(d.records, d.key::text, d.is_left::text, d.is_now::text) \
         from app.differences($1) d";
    let (mut rows, mut more) = (Vec::new(), Vec::new());
    for row in call.query(sql, &[&id]).await? {
        let one = changed(&row)?;
        let is_readable: bool = row.get(5);
        match is_readable && rows.len() < MOST_ROWS {
            true => rows.push(one),
            false => more.push(RowCount {
                kind: kind(&one.table),
                table: one.table,
                operation: one.operation,
                count: 1,
                hidden: !is_readable,
            }),
        }
    }
    Ok(Changes {
        rows: described(call, rows).await?,
        more,
        ..Changes::default()
    })
}

/// What differs, in a sentence: the first record, and the number of others.
fn refusal(changed: &Changes) -> String {
    let others: u64 = changed.more.iter().map(|more| more.count).sum();
    let Some((first, rest)) = changed.rows.split_first() else {
        return "nothing was undone: records that you cannot read have changed since".to_owned();
    };
    let noun = first.kind.as_deref().unwrap_or("record").replace('_', " ");
    let name = match &first.label {
        Some(label) => format!("{noun} {}", quoted(label)),
        None => format!("a {noun}"),
    };
    let what = match (first.operation, &first.before, &first.after) {
        (RowOperation::Delete, ..) => format!("{name} no longer exists"),
        (RowOperation::Insert, ..) => format!("{name} exists again"),
        (RowOperation::Update, Some(left), Some(now)) => {
            let fields: Vec<_> = now.keys().map(|field| field.replace('_', " ")).collect();
            let values = now.iter().next().filter(|_| now.len() == 1);
            let values =
                values.and_then(|(field, now)| Some((word(now)?, word(left.get(field)?)?)));
            match values {
                Some((now, left)) => {
                    let field = fields.join("");
                    format!("the {field} of {name} is now {now}, not {left}")
                }
                None => format!("{name} has changed since ({})", fields.join(", ")),
            }
        }
        _ => format!("{name} has changed since"),
    };
    match rest.len() as u64 + others {
        0 => format!("nothing was undone: {what}"),
        1 => format!("nothing was undone: {what}; 1 other record differs, too"),
        more => format!("nothing was undone: {what}; {more} other records differ, too"),
    }
}

/// A short value in a sentence; ids say nothing there.
fn word(value: &Value) -> Option<String> {
    match value {
        Value::Null => Some("empty".to_owned()),
        Value::String(text) if Uuid::parse_str(text).is_ok() || text.chars().count() > 60 => None,
        Value::String(text) => Some(quoted(text)),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        Value::Array(_) | Value::Object(_) => None,
    }
}

/// A rule that the restored rows would break: the arguments of the undo are not wrong.
fn unrestored(error: ToolError) -> ToolError {
    match error.code {
        ErrorCode::InvalidArgument | ErrorCode::NotFound | ErrorCode::Conflict => ToolError {
            code: ErrorCode::Conflict,
            message: match error.field.as_deref() {
                None | Some(FIELD) => error.message,
                Some(field) => format!("cannot be undone: {field}: {}", error.message),
            },
            hint: None,
            ..error
        }
        .on(FIELD),
        _ => error,
    }
}

routes![
    ListChanges => own,
    GetChange => own,
    UndoChange => own,
];
