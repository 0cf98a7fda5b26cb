//! What a write changes, row by row: in the answer to a preview, in a conflict with an expected plan, and in the history.
//! docs/protocol.md describes the extension for other clients.

use serde_json::{Map, Value};

use crate::wire::Wire;
use crate::words::words;

/// In `_meta` of a call, a boolean: the call is made and rolled back, and its result has [`META_CHANGES`].
pub const META_PREVIEW: &str = "frontdesk/preview";
/// In `_meta` of a result: the [`Changes`].
pub const META_CHANGES: &str = "frontdesk/changes";
/// In `_meta` of the result of a write that changed rows: the id of its entry in the history.
pub const META_CHANGE: &str = "frontdesk/change";
/// In `_meta` of a result with [`META_CHANGE`], if the call belongs to an action: the id of that.
pub const META_ACTION: &str = "frontdesk/action";
/// In `_meta` of a call: the digest that binds it to a preview.
pub const META_EXPECTED_PLAN: &str = "frontdesk/expectedPlan";
/// In `capabilities.experimental` of `initialize` and `server/discover`: the host previews every tool that writes.
pub const EXTENSION: &str = "frontdesk/preview";

/// The maximum number of rows that are listed; further rows are counted.
pub const MOST_ROWS: usize = 1_000;
/// The maximum size of the listed rows as JSON, in bytes.
pub const MOST_BYTES: usize = 1_000_000;

words! {
    /// What happens to a row.
    RowOperation {
        Insert = "insert",
        Update = "update",
        Delete = "delete",
    }
}

/// The rows that a write changes, in the order in which it changes them.
#[derive(Debug, Clone, Default, PartialEq, Wire)]
#[wire(inline)]
pub struct Changes {
    /// Binds a call to these changes, in its `_meta` as `frontdesk/expectedPlan`. Ids and times that the call generates
    /// do not count.
    pub digest: String,
    /// The rows that the caller can read.
    pub rows: Vec<RowChange>,
    /// The rows that are not listed.
    #[wire(default)]
    pub more: Vec<RowCount>,
    /// The webhooks that fire.
    #[wire(default)]
    pub webhooks: Vec<WebhookCount>,
    /// Of a preview: why the call cannot be undone.
    #[wire(optional)]
    pub obstacle: Option<String>,
}

impl Changes {
    /// Whether no row changes.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty() && self.more.is_empty()
    }

    /// The numbers of all rows, listed or not, by table and operation.
    pub fn counts(&self) -> Vec<RowCount> {
        let mut counts = Vec::new();
        let listed = self.rows.iter().map(|row| row.counted(false));
        for one in listed.chain(self.more.iter().cloned()) {
            one.add_to(&mut counts);
        }
        counts
    }
}

/// A row that changes.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(inline)]
pub struct RowChange {
    /// The table, with its schema: `events.guests`.
    pub table: String,
    /// The kind of record, if the rows of the table are records: `guest`.
    #[wire(optional)]
    pub kind: Option<String>,
    /// The record's name for people.
    #[wire(optional)]
    pub label: Option<String>,
    /// The columns of the primary key.
    pub key: Map<String, Value>,
    pub operation: RowOperation,
    /// The values before: of an update, those of the changed columns.
    #[wire(optional)]
    pub before: Option<Map<String, Value>>,
    /// The values after: of an update, those of the changed columns.
    #[wire(optional)]
    pub after: Option<Map<String, Value>>,
}

impl RowChange {
    /// The row as a count of one.
    pub fn counted(&self, hidden: bool) -> RowCount {
        RowCount {
            table: self.table.clone(),
            kind: self.kind.clone(),
            operation: self.operation,
            count: 1,
            hidden,
        }
    }
}

/// The number of rows of a table that are not listed.
#[derive(Debug, Clone, PartialEq, Eq, Wire)]
#[wire(inline)]
pub struct RowCount {
    /// The table, with its schema.
    pub table: String,
    /// The kind of record, if the rows of the table are records.
    #[wire(optional)]
    pub kind: Option<String>,
    pub operation: RowOperation,
    pub count: u64,
    /// Whether the caller cannot read these rows; otherwise they exceed the maximum.
    #[wire(default)]
    pub hidden: bool,
}

impl RowCount {
    /// Adds it to the count of the same table, operation and visibility, or as a new one.
    pub fn add_to(self, counts: &mut Vec<RowCount>) {
        let is_same = |other: &&mut RowCount| {
            (&other.table, other.operation, other.hidden)
                == (&self.table, self.operation, self.hidden)
        };
        match counts.iter_mut().find(is_same) {
            Some(same) => same.count += self.count,
            None => counts.push(self),
        }
    }
}

/// The number of webhooks of a type.
#[derive(Debug, Clone, PartialEq, Eq, Wire)]
#[wire(inline)]
pub struct WebhookCount {
    /// The type: `meeting.created`.
    pub event: String,
    pub count: u64,
}
