//! A write of any host, seen before it is made: the arguments of an agent, which fills no `_meta`.

use serde_json::{Map, Value};

use super::EVERYBODY;
use crate::changes::{RowChange, RowCount, WebhookCount};
use crate::host::Host;
use crate::id::ChangeId;
use crate::tool::{tool, tools};
use crate::value::{Arguments, Name};
use crate::wire::Wire;

/// The most rows that a preview lists. All are counted.
pub const MOST_SHOWN: usize = 20;

/// What a call would do.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct CallPreview {
    /// Binds apply_call to these effects.
    pub digest: String,
    /// The rows that change, by kind.
    pub counts: Vec<RowCount>,
    /// The first of them.
    pub rows: Vec<RowChange>,
    /// The messages that leave.
    pub webhooks: Vec<WebhookCount>,
    /// Why it cannot be undone; null if it can.
    pub obstacle: Option<String>,
    /// What the call would return. Ids and times that it would create are provisional.
    pub result: Map<String, Value>,
    /// The lengths of its lists of which only the first 20 are here.
    #[wire(optional)]
    pub cut: Option<Map<String, Value>>,
}

/// What a call did.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct AppliedCall {
    /// Its entry in the history, for undo_change; null if nothing changed.
    pub change_id: Option<ChangeId>,
    /// What the call returned.
    pub result: Map<String, Value>,
}

tool! {
    /// Shows all effects of a write of any host, and writes nothing.
    PreviewCall = "preview_call" on Ops, READ, for EVERYBODY => CallPreview {
        req {
            host: Host,
            tool: Name,
        }
        opt {
            /// The tool's.
            arguments: Arguments,
        }
    }
}

tool! {
    /// Makes the write that preview_call showed, or refuses (conflict) if its effects would differ.
    ApplyCall = "apply_call" on Ops, ANY, for EVERYBODY => AppliedCall {
        req {
            host: Host,
            tool: Name,
            /// The digest of preview_call.
            expect: Name,
        }
        opt {
            /// Those of preview_call.
            arguments: Arguments,
        }
    }
}

tools![PreviewCall, ApplyCall];
