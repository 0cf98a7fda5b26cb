//! Idempotency keys: a write with a key is done once, even if the call arrives several times.

use frontdesk_protocol::{Declaration, ErrorCode, ToolError, args};
use serde_json::Value;
use sha2::{Digest, Sha256};
use tokio_postgres::types::ToSql;
use uuid::Uuid;

use super::{Call, Route};
use crate::database::{Recorded, params};

/// The time a key is remembered.
const REMEMBERED: &str = "1 day";
/// The maximum length of a key in characters.
const LONGEST: usize = 200;
/// The field of a request that contains the key.
const FIELD: &str = "_meta.idempotencyKey";

/// A key and the call it belongs to.
#[derive(Debug)]
pub(super) struct Once {
    key: String,
    tool: &'static str,
    arguments: Vec<u8>,
}

/// An earlier call with the key.
struct Before {
    /// Its entry in the history, and the action to which that belongs.
    change: Option<Uuid>,
    action: Option<Uuid>,
    /// `None` if it was erased with a person who was deleted for good.
    result: Option<String>,
    /// Whether the caller still has the same rights as then.
    same_rights: bool,
    /// Whether its change was undone.
    is_undone: bool,
}

impl Once {
    /// The key of this call. The arguments are serialized with sorted keys, so that their original order does not
    /// matter.
    ///
    /// # Errors
    /// `invalid_argument` if the key is empty, too long or contains a NUL character, or for wrong arguments.
    pub(super) fn of(
        key: String,
        tool: &Declaration,
        arguments: &Value,
    ) -> Result<Once, ToolError> {
        let length = key.chars().count();
        if length == 0 || length > LONGEST || key.contains('\0') {
            let message = format!("must have 1 to {LONGEST} characters, none of them NUL");
            return Err(ToolError::invalid(FIELD, message));
        }
        let mut arguments = Value::from(args::check_from(tool.shape, arguments)?);
        arguments.sort_all_objects();
        Ok(Once {
            key,
            tool: tool.name,
            arguments: Sha256::digest(arguments.to_string()).to_vec(),
        })
    }

    /// Runs the call, or returns the stored result of the earlier one. The result is stored in the transaction of
    /// the writes. If the caller's rights have changed since, a call that would now be refused is refused.
    ///
    /// # Errors
    /// The call's own refusal, which releases the key; `conflict` if the key belongs to another call.
    pub(super) async fn run(
        &self,
        call: &mut Call,
        route: &Route,
        arguments: &Value,
    ) -> Result<String, ToolError> {
        if let Some(before) = self.take(call).await? {
            call.is_repeated = true;
            call.recorded = before.change.map(Recorded::before);
            if let Some(entry) = &mut call.entry {
                entry.action = before.action;
            }
            if !before.same_rights {
                is_permitted(call, route, arguments).await?;
            }
            return before.result.ok_or_else(|| {
                ToolError::new(
                    ErrorCode::Refused,
                    "this call was made, but its result is no longer stored: \
                     it is about a person who has been deleted since",
                )
                .on(FIELD)
            });
        }
        let answer = route.run(call, arguments).await?;
        let answer = call.remarked(answer);
        // A person who was erased meanwhile is not stored again.
        call.transaction
            .first("select app.lock_results()", &[], None);
        let sql = "update app.idempotency_keys \
             set result = case when not app.is_forgotten($2) then $2 end where key = $1";
        call.query(sql, params![self.key, answer]).await?;
        Ok(answer)
    }

    /// Takes the key for this call, or returns the earlier call, unless that was undone: the key is free then. If two
    /// calls arrive at once, the second waits here for the first to end.
    async fn take(&self, call: &mut Call) -> Result<Option<Before>, ToolError> {
        let is_old = format!("created_at < now() - interval '{REMEMBERED}'");
        if self.insert(call, &is_old).await? {
            return Ok(None);
        }
        let before = self.before(call).await?;
        match before.is_undone && self.insert(call, "true").await? {
            true => Ok(None),
            // Of two calls that repeat an undone one, the second finds the first.
            false if before.is_undone => self.before(call).await.map(Some),
            false => Ok(Some(before)),
        }
    }

    /// Forgets the earlier call if this is so, and takes the key if it is free.
    async fn insert(&self, call: &mut Call, is_forgotten: &str) -> Result<bool, ToolError> {
        let forget = format!(
            "delete from app.idempotency_keys where key = $1 and {is_forgotten} returning created_at::text"
        );
        let forgotten = call.query(&forget, params![self.key]).await?;
        // The ids of the earlier call with this key are taken.
        let mut seed = self.key.clone();
        if let Some(row) = forgotten.first() {
            seed.push_str(row.get(0));
        }
        let take = "insert into app.idempotency_keys (key, tool, arguments) values ($1, $2, $3) \
             on conflict do nothing returning app.seed_ids($4)";
        let (key, tool) = (self.key.as_str(), self.tool);
        let params: [&(dyn ToSql + Sync); 4] = [&key, &tool, &self.arguments, &seed];
        Ok(!call.query(take, &params).await?.is_empty())
    }

    /// The earlier call with the key.
    async fn before(&self, call: &mut Call) -> Result<Before, ToolError> {
        let (key, tool) = (self.key.as_str(), self.tool);
        let params: [&(dyn ToSql + Sync); 3] = [&key, &tool, &self.arguments];
        // Both rows were written in one transaction.
        let look = "select k.result, k.rights = app.caller_rights(), c.id, c.action_id, \
               coalesce(app.undone_by(c.id), app.undone_by(c.action_id)) is not null \
             from app.idempotency_keys k \
             left join app.changes c on c.organization_id = app.caller_org() and c.account_id = k.user_id \
               and c.id >= app.first_change_id(k.created_at - interval '1 minute') \
               and c.id < app.first_change_id(k.created_at + interval '1 minute') \
               and c.created_at = k.created_at and c.idempotency_key = k.key \
             where k.key = $1 and k.tool = $2 and k.arguments = $3";
        let rows = call.query(look, &params).await?;
        match rows.first() {
            Some(row) => Ok(Before {
                result: row.get(0),
                same_rights: row.get(1),
                change: row.get(2),
                action: row.get(3),
                is_undone: row.get(4),
            }),
            None => Err(ToolError::new(
                ErrorCode::Conflict,
                "this idempotency key was used for another call; nothing was changed",
            )
            .on(FIELD)
            .hint("use a new key for a new call, and the same key only to repeat a call")),
        }
    }
}

/// Runs the call only to see whether it is refused, and rolls it back. Refusals that the earlier call can have
/// caused by succeeding do not count: they say nothing about the caller's rights.
async fn is_permitted(call: &mut Call, route: &Route, arguments: &Value) -> Result<(), ToolError> {
    call.query("savepoint replay", &[]).await?;
    match route.run(call, arguments).await {
        Ok(_) => {}
        Err(error) => match error.code {
            ErrorCode::Conflict | ErrorCode::Refused | ErrorCode::InvalidArgument => {}
            _ => return Err(error),
        },
    }
    call.drop_remarks();
    call.effect.asks = None;
    call.query("rollback to savepoint replay", &[])
        .await
        .map(drop)
}
