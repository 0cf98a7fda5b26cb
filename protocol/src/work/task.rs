//! Tasks (specification, section 4.5: `create_task` rules).

use jiff::Timestamp;
use serde_json::{Map, Value};

use super::EVERYBODY;
use super::delivery::Delivery;
use super::epic::Epic;
use crate::id::{DeliveryId, EpicId, MemberId, WorkTaskId};
use crate::record::{Maybe, One, record};
use crate::tool::tool;
use crate::value::{Change, Day, Line, Name, Natural, Object, Position, Prose, Text, UpTo, WebUrl};
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

record! {
    /// A task.
    Task = "task", "tasks" (parent: epic_id, name: name, state: status) {
        id: WorkTaskId,
        /// Short identifier: `CA-142`.
        identifier: String,
        name: Name [create, change],
        description: Option<Prose> [create, change, unlisted],
        epic_id: Option<EpicId> [create, change],
        /// Sets the epic, too.
        delivery_id: Option<DeliveryId> [create, change],
        /// Assignee. Default: you.
        owner_id: MemberId [create?],
        owner_name: Option<String>,
        status: TaskStatus [create = "to_do", change],
        points: Option<Natural> [create, change],
        /// Lower comes first.
        priority: Option<Position> [create, change],
        estimated_date: Option<Day> [create, change],
        attachments: UpTo<WebUrl, 50> [create?, unlisted],
        /// Verifiable criteria, one per entry.
        acceptance_criteria: Vec<String> [unlisted],
        /// Board column; null: not on the board.
        stage_id: Option<TaskStage>,
        /// Reason for the task, work done, and links.
        context: Map<String, Value> [unlisted],
        /// The agent that works on it.
        actor_slug: Option<Name> [create],
        /// When it was last changed.
        updated_at: Timestamp,
    }
    /// A task as lists show it.
    summary TaskSummary;
    form TaskTree;
    /// Lists tasks by priority.
    list ListTasks = "list_tasks" on Work for EVERYBODY {
        opt {
            epic_id: Option<EpicId>,
            delivery_id: Option<DeliveryId>,
            owner_id: Option<MemberId>,
            status: Option<TaskStatus>,
            /// Part of the name, or the identifier.
            search: Option<Line>,
        }
    }
    get GetTask;
    /// Adds a task. For plans, use set_plan_tasks of the plans host.
    create CreateTask = "create_task" on Work for EVERYBODY {
        req {
            /// Board column where work starts.
            stage_id: TaskStage,
            /// Reason for the task, work done, and links.
            context: Context,
        }
        opt {
            /// Verifiable criteria, one per entry.
            acceptance_criteria: Option<UpTo<Criterion, 50>>,
        }
    }
    /// Changes a task.
    change UpdateTask = "update_task" on Work for EVERYBODY {
        opt {
            /// Assignee; not null.
            owner_id: Change<MemberId>,
            /// Replaces the whole list.
            attachments: Change<UpTo<WebUrl, 50>>,
            /// Replaces the whole list.
            acceptance_criteria: Change<UpTo<Criterion, 50>>,
            /// Board column where work starts.
            stage_id: Change<TaskStage>,
        }
    }
    delete DeleteTask;
    other GetTaskBranchName;
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

/// A suggested branch name.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct BranchName {
    /// `feat/CA-142-what-the-task-is-called`.
    pub branch_name: String,
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
