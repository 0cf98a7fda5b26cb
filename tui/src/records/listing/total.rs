//! The number of all records of a list that is partly loaded.

use frontdesk_protocol::mcp::Total;
use serde_json::{Map, Value};

use super::Listing;
use crate::app::cx::Cx;
use crate::app::effects::call::Answer;
use crate::app::owner::RequestId;
use crate::app::peer::Peer;

/// The number of records that match the arguments.
#[derive(Debug, Clone, Default)]
pub(super) struct Counted {
    /// The arguments of the last count.
    arguments: Option<Map<String, Value>>,
    request: Option<RequestId>,
    total: Option<u64>,
}

impl Listing {
    /// The number of all records, if some are not loaded and the host has counted them.
    pub(super) fn total(&self) -> Option<u64> {
        let total = self.counted.total?;
        (self.has_more() && total >= self.records.len() as u64).then_some(total)
    }

    /// Counts again with the next page.
    pub(super) fn recount(&mut self) {
        self.counted.arguments = None;
    }

    /// Asks the host to count, once for these arguments. Only shown rows are worth it.
    pub(super) fn count(&mut self, cx: &mut Cx) {
        let is_shown =
            !self.is_brief && self.groups.is_none() && self.has_more() && self.offset == 0;
        if !is_shown || self.list.most.is_none() || !matches!(self.list.tool.peer, Peer::Host(_)) {
            return;
        }
        let mut arguments = self.request(0);
        arguments.insert("limit".to_owned(), 1.into());
        if self.counted.arguments.as_ref() == Some(&arguments) {
            return;
        }
        cx.abort(self.counted.request.take());
        let mut call = self.list.tool.reading(arguments.clone());
        call.options.total = Some(Total::Exact);
        self.counted = Counted {
            arguments: Some(arguments),
            request: Some(cx.send(call)),
            total: None,
        };
    }

    /// Handles the answer to the count. Without one, the title says that there are more.
    pub(super) fn counted(&mut self, request: RequestId, answer: &Answer) -> bool {
        let is_ours = self.counted.request.take_if(|one| *one == request);
        if is_ours.is_some()
            && let Ok(reply) = &answer.result
        {
            self.counted.total = reply.value.get("total").and_then(Value::as_u64);
        }
        is_ours.is_some()
    }
}
