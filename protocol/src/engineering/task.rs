//! The assignee of a task of the work host.

use super::EVERYBODY;
use crate::id::{MemberId, WorkTaskId};
use crate::record::One;
use crate::tool::{tool, tools};
use crate::work::task::TaskSummary;

tool! {
    /// Assigns a task to a member.
    AssignTask = "assign_task" on Engineering, UPDATE, for EVERYBODY => One<TaskSummary> {
        req {
            id: WorkTaskId,
            /// Assignee.
            owner_id: MemberId,
        }
    }
}

tools![AssignTask];
