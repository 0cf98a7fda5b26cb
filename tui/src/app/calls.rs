//! The calls in progress.

use std::collections::BTreeMap;

use frontdesk_protocol::id::UserId;
use jiff::Timestamp;

use super::owner::RequestId;
use crate::app::effects::call::ToolCall;

/// The calls in progress.
#[derive(Debug, Default)]
pub(crate) struct Calls(pub(super) BTreeMap<RequestId, Begun>);

#[derive(Debug)]
pub(super) struct Begun {
    pub(super) call: ToolCall,
    pub(super) account: Option<UserId>,
    pub(super) at: Timestamp,
    /// It will be in the history.
    pub(super) is_recorded: bool,
}

impl Calls {
    /// The tools of the calls in progress that may write.
    pub(crate) fn writes(&self) -> Vec<&str> {
        let calls = self.0.values().map(|begun| &begun.call);
        let writes = calls.filter(|call| !call.changes_nothing);
        writes.map(|call| call.tool.as_ref()).collect()
    }
}
