//! Who does a task of the Work host.

use super::EVERYBODY;
use crate::id::{MemberId, WorkTaskId};
use crate::record::One;
use crate::tool::{tool, tools};
use crate::work::task::TaskSummary;

tool! {
    /// Gives a task to a member.
    AssignTask = "assign_task" on Engineering, UPDATE, for EVERYBODY => One<TaskSummary> {
        req {
            /// The task.
            id: WorkTaskId,
            /// Who is to do it.
            owner_id: MemberId,
        }
    }
}

tools![AssignTask];
