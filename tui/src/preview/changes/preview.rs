//! The preview of any tool as a plan: the rows that the call would change.

use frontdesk_client::CallError;
use frontdesk_protocol::ErrorCode;
use frontdesk_protocol::changes::Changes;

use super::words;
use crate::app::effects::call::{Answer, CallOptions, ToolCall};
use crate::app::peer::Reply;
use crate::preview::{Look, Previewed, Seen, is_not_found};

/// The answer to a preview, or to the actual call, which has no changes.
#[derive(Debug, Clone)]
pub(crate) struct Preview {
    /// The actual call.
    call: ToolCall,
    pub(crate) reply: Reply,
    pub(crate) changes: Changes,
}

impl Previewed for Preview {
    type Choice = ToolCall;

    fn dry_run(call: &ToolCall) -> ToolCall {
        ToolCall {
            options: CallOptions {
                preview: true,
                ..call.options.clone()
            },
            changes_nothing: true,
            by_hand: false,
            ..call.clone()
        }
    }

    fn real(call: &ToolCall, digest: Option<&str>) -> ToolCall {
        ToolCall {
            options: CallOptions {
                expected_plan: digest.map(str::to_owned),
                ..call.options.clone()
            },
            ..call.clone()
        }
    }

    fn read(call: &ToolCall, answer: &Answer) -> Result<Self, CallError> {
        let reply = answer.result.clone()?;
        Ok(Preview {
            call: call.clone(),
            changes: reply.changes.as_deref().cloned().unwrap_or_default(),
            reply,
        })
    }

    fn choice(&self) -> &ToolCall {
        &self.call
    }

    fn digest(&self) -> Option<&str> {
        Some(&self.changes.digest)
    }

    fn nothing_to_do(&self) -> Option<&'static str> {
        self.changes.is_empty().then_some("nothing would change")
    }

    fn difference(&self, now: &Self) -> Vec<String> {
        words::difference(&self.changes, &now.changes)
    }

    /// The same call again: with its idempotency key it is made once only, and it can only do what
    /// was confirmed.
    fn check(&self) -> ToolCall {
        Preview::real(&self.call, self.digest())
    }

    fn judge(&self, _: Look, seen: Result<Self, CallError>) -> Seen<Self> {
        match seen {
            Ok(_) => Seen::Done,
            Err(error) if is_not_found(&error) => Seen::Gone,
            Err(CallError::Tool(error)) if error.code == ErrorCode::Conflict => Seen::Outdated,
            Err(error) => Seen::Nothing(error),
        }
    }
}
