//! Tasks of the work host.

use frontdesk_protocol::engineering::task::AssignTask;
use frontdesk_protocol::record::One;
use frontdesk_protocol::work::task::TaskSummary;

use crate::call::{Call, Handler, Outcome};
use crate::hosts::routes;

impl Handler for AssignTask {
    async fn handle(self, call: &mut Call) -> Outcome<One<TaskSummary>> {
        call.finally().change(self.id, &self).await
    }
}

routes![AssignTask => own];
