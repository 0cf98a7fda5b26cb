//! Tasks (specification, section 4.5: `create_task` rules).

use jiff::Timestamp;
use jiff::civil::Date;
use serde_json::{Map, Value};

use super::EVERYBODY;
use super::delivery::Delivery;
use super::epic::Epic;
use crate::id::{DeliveryId, EpicId, MemberId, WorkTaskId};
use crate::record::{List, Maybe, One, with_summary};
use crate::resource::resource;
use crate::tool::tool;
use crate::value::{
    Change, Day, Limit, Line, Name, Natural, Object, Offset, Patch, Position, Prose, Text, UpTo,
    WebUrl,
};
use crate::wire::Wire;
use crate::words::words;

words! {
    /// The status of a task.
    TaskStatus {
        ToDo = "to_do",
        InProgress = "in_progress",
        DevCompleted = "dev_completed",
        Done = "done",
        NoLongerNeeded = "no_longer_needed",
        Blocked = "blocked",
    }
}

words! {
    /// The board column where work on a task starts.
    TaskStage {
        /// Shaping the requirement.
        Spec = "spec",
        /// Ideation.
        Design = "design",
        /// Ready to be built.
        Execution = "execution",
        /// QA / Test, badge Engineering.
        Review = "review",
        /// Design Review.
        Decision = "decision",
        /// QA / Test, badge Design.
        Qa = "qa",
    }
}

/// An acceptance criterion.
type Criterion = Text<1, 1000>;
/// Reason for the task, work done, and links: at most 64 KiB.
type Context = Object<65_536>;

with_summary! {
    /// A task.
    Task,
    /// A task as lists show it.
    TaskSummary {
        listed {
            id: WorkTaskId,
            /// Short identifier: `CA-142`.
            identifier: String,
            name: String,
        }
        unlisted {
            description: Option<String>,
        }
        listed {
            /// Its epic.
            epic_id: Option<EpicId>,
            /// Its delivery.
            delivery_id: Option<DeliveryId>,
            /// Assignee.
            owner_id: MemberId,
            owner_name: Option<String>,
            status: TaskStatus,
            points: Option<f64>,
            /// Lower comes first.
            priority: Option<f64>,
            /// Estimated completion date.
            estimated_date: Option<Date>,
        }
        unlisted {
            /// Addresses of files.
            attachments: Vec<String>,
            /// Verifiable criteria, one per entry.
            acceptance_criteria: Vec<String>,
        }
        listed {
            /// Board column; null: not on the board.
            stage_id: Option<TaskStage>,
        }
        unlisted {
            /// Reason for the task, work done, and links.
            context: Map<String, Value>,
        }
        listed {
            /// The agent that works on it; null: a human task.
            actor_slug: Option<String>,
            /// When it was last changed.
            updated_at: Timestamp,
        }
    }
}

/// A task with its epic and delivery.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct TaskTree {
    /// The task.
    #[wire(flatten)]
    pub task: Task,
    /// Its epic.
    pub epic: Option<Epic>,
    /// Its delivery.
    pub delivery: Option<Delivery>,
}

resource! {
    Task, TaskSummary, TaskTree = "task", "tasks" (parent: epic_id, name: name, state: status) {
        list: ListTasks,
        get: GetTask,
        create: CreateTask,
        change: UpdateTask,
        delete: DeleteTask,
        other: GetTaskBranchName,
    }
}

/// A suggested branch name.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct BranchName {
    /// `feat/CA-142-what-the-task-is-called`.
    pub branch_name: String,
}

tool! {
    /// Lists tasks by priority.
    ListTasks = "list_tasks" on Work, READ, for EVERYBODY => List<TaskSummary> {
        opt {
            epic_id: Option<EpicId>,
            delivery_id: Option<DeliveryId>,
            owner_id: Option<MemberId>,
            status: Option<TaskStatus>,
            /// Part of the name, or the identifier.
            search: Option<Line>,
            limit: Limit,
            offset: Offset,
        }
    }
}

tool! {
    /// Gets a task with its epic and delivery.
    GetTask = "get_task" on Work, READ, for EVERYBODY => Maybe<TaskTree> {
        req {
            id: WorkTaskId,
        }
    }
}

tool! {
    /// Adds a task. For plans, use set_plan_tasks of the plans host.
    CreateTask = "create_task" on Work, CREATE, for EVERYBODY => One<Task> {
        req {
            name: Name,
            /// Board column where work starts.
            stage_id: TaskStage,
            /// Reason for the task, work done, and links.
            context: Context,
        }
        opt {
            description: Option<Prose>,
            epic_id: Option<EpicId>,
            /// Sets the epic, too.
            delivery_id: Option<DeliveryId>,
            /// Assignee. Default: you.
            owner_id: Option<MemberId>,
            status: Option<TaskStatus> = "to_do",
            points: Option<Natural>,
            /// Lower comes first.
            priority: Option<Position>,
            estimated_date: Option<Day>,
            attachments: Option<UpTo<WebUrl, 50>>,
            /// Verifiable criteria, one per entry.
            acceptance_criteria: Option<UpTo<Criterion, 50>>,
            /// The agent that works on it.
            actor_slug: Option<Name>,
        }
    }
}

tool! {
    /// Changes a task.
    UpdateTask = "update_task" on Work, UPDATE, for EVERYBODY => One<Task> {
        req {
            id: WorkTaskId,
        }
        opt {
            name: Change<Name>,
            description: Patch<Prose>,
            epic_id: Patch<EpicId>,
            /// Sets the epic, too.
            delivery_id: Patch<DeliveryId>,
            /// Assignee; not null.
            owner_id: Change<MemberId>,
            status: Change<TaskStatus>,
            points: Patch<Natural>,
            /// Lower comes first.
            priority: Patch<Position>,
            estimated_date: Patch<Day>,
            /// Replaces the whole list.
            attachments: Change<UpTo<WebUrl, 50>>,
            /// Replaces the whole list.
            acceptance_criteria: Change<UpTo<Criterion, 50>>,
            /// Board column where work starts.
            stage_id: Change<TaskStage>,
        }
    }
}

tool! {
    /// Deletes a task.
    DeleteTask = "delete_task" on Work, DELETE, for EVERYBODY => One<TaskSummary> {
        req {
            id: WorkTaskId,
        }
    }
}

tool! {
    /// Suggests a name for the branch of a task.
    GetTaskBranchName = "get_task_branch_name" on Work, READ, for EVERYBODY => BranchName {
        req {
            id: WorkTaskId,
        }
    }
}
