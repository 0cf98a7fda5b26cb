//! The history of changes: the writes of an organisation's callers, each with the rows that it changed.

use jiff::Timestamp;
use serde_json::{Map, Value};

use super::EVERYBODY;
use crate::changes::{Changes, WebhookCount};
use crate::id::{ChangeId, PlatformAccountId, RecordId};
use crate::record::{Maybe, One, record};
use crate::tool::tool;
use crate::value::Name;
use crate::wire::Wire;

record! {
    /// A call that changed something, or an action of several calls, with the rows.
    Change = "change", "changes" (name: summary) {
        id: ChangeId,
        created_at: Timestamp,
        /// The caller.
        account_id: PlatformAccountId,
        /// The caller's name, if known.
        account_name: Option<String>,
        /// Who made it, by name, if the caller delivered it for another account.
        made_by: Option<String> [unlisted],
        /// The host of the tool.
        host: String,
        /// Of an action, that of its first call.
        tool: String,
        /// Number of calls: of an action, several.
        calls: u32,
        /// What changed, in words: `changed 2 guests`, `changed guest “Ana”: role vip → speaker`.
        summary: String,
        /// Number of rows.
        rows: u32,
        /// Whether it can be undone, unless its records have changed since.
        can_undo: bool,
        /// The change that has undone it.
        undone_by: Option<ChangeId>,
        /// The change that it has undone.
        undoes: Option<ChangeId>,
        /// The arguments; null if you cannot read all rows, or a person in them was deleted.
        arguments: Option<Map<String, Value>> [unlisted],
        idempotency_key: Option<String> [unlisted],
        /// The program that called.
        client: Option<String> [unlisted],
        /// Why it cannot be undone.
        obstacle: Option<String> [unlisted],
        /// The rows before and after, and the webhooks that it caused.
        changes: Changes [unlisted],
    }
    /// A call that changed something, or an action of several calls.
    summary ChangeSummary;
    form Undo;
    /// Lists changes, latest first: owners and global admins see all, others their own. An action is one change; with
    /// `record_id`, its calls are listed.
    list ListChanges = "list_changes" on Ops for EVERYBODY {
        opt {
            /// Only changes of records of this kind: `guest`.
            kind: Option<Name>,
            record_id: Option<RecordId>,
            tool: Option<Name>,
            account_id: Option<PlatformAccountId>,
            /// Inclusive.
            from: Option<Timestamp>,
            /// Exclusive.
            to: Option<Timestamp>,
        }
    }
    get GetChange(change_id);
    other UndoChange(change_id);
}

impl Change {
    /// Who made it, in words: `Ana`; `Ana, delivered by Berta`.
    #[must_use]
    pub fn by(&self) -> String {
        let caller = self.account_name.as_deref().unwrap_or("unknown");
        match &self.made_by {
            Some(maker) => format!("{maker}, delivered by {caller}"),
            None => caller.to_owned(),
        }
    }
}

/// The change that has undone another one.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Undo {
    #[wire(flatten)]
    pub change: ChangeSummary,
    /// The number of rows of a large action that are not undone yet: undo it again. Otherwise 0.
    pub rows_left: u32,
    /// Webhooks of the undone change that had been delivered: they stay delivered.
    pub delivered: Vec<WebhookCount>,
}

tool! {
    /// Gets a change with its rows before and after, as far as you can read them.
    GetChange = "get_change" on Ops, READ, for EVERYBODY => Maybe<Change> {
        req {
            change_id: ChangeId,
        }
    }
}

tool! {
    /// Undoes a change completely, or not at all if a record has changed since; a large action in steps, the latest calls
    /// first. The undo is a change, too.
    UndoChange = "undo_change" on Ops, UPDATE, for EVERYBODY => One<Undo> {
        req {
            change_id: ChangeId,
        }
    }
}
