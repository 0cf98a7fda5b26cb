//! Calls of any host in the arguments of another. A host makes them as if they had been sent ([`crate::wire`]); these
//! handlers are reached in a batch only.

use frontdesk_protocol::ops::preview::{AppliedCall, ApplyCall, CallPreview, PreviewCall};
use frontdesk_protocol::{ErrorCode, ToolError};

use crate::call::{Call, Handler, Outcome};
use crate::hosts::routes;

fn within() -> ToolError {
    let message = "a batch cannot contain a call of another tool";
    ToolError::new(ErrorCode::Refused, message).hint("preview the batch: host ops, tool run_batch")
}

impl Handler for PreviewCall {
    async fn handle(self, _: &mut Call) -> Outcome<CallPreview> {
        Err(within())
    }
}

impl Handler for ApplyCall {
    async fn handle(self, _: &mut Call) -> Outcome<AppliedCall> {
        Err(within())
    }
}

routes![PreviewCall => own, ApplyCall => own];
