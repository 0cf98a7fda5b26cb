//! Tasks of an event.

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::OFFICE;
use crate::id::{EventId, MemberId, TaskId};
use crate::record::{List, One, record};
use crate::role::{Role, Roles};
use crate::tool::{tool, tools};
use crate::value::{Change, Day, Limit, Line, Name, Offset, Patch, Prose};
use crate::words::words;

words! {
    /// How far a task is.
    TaskStatus {
        Todo = "todo",
        InProgress = "in_progress",
        Done = "done",
    }
}

/// A task of an event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Task {
    /// Identifies the task.
    pub id: TaskId,
    /// The event.
    pub event_id: EventId,
    /// Title.
    pub title: String,
    /// What is to be done.
    pub description: Option<String>,
    /// The member who does it.
    pub assignee_id: Option<MemberId>,
    /// How far it is.
    pub status: TaskStatus,
    /// The day on which it begins.
    pub start_date: Option<Date>,
    /// The day by which it should be done.
    pub due_date: Option<Date>,
}
record!(Task, "task", "tasks");

tool! {
    /// Lists an event's tasks, the one due first at the top.
    ListEventTasks = "list_event_tasks" on Events, READ, for OFFICE.and(&[Role::Fellow]) => List<Task> {
        req {
            /// The event.
            event_id: EventId,
        }
        opt {
            /// Only tasks of this member.
            assignee_id: Option<MemberId>,
            /// Only tasks of this status.
            status: Option<TaskStatus>,
            /// Part of the title.
            search: Option<Line>,
            /// Most tasks to return.
            limit: Limit,
            /// Tasks to skip.
            offset: Offset,
        }
    }
}

tool! {
    /// Adds a task to an event.
    CreateEventTask = "create_event_task" on Events, CREATE, for Roles::DESK => One<Task> {
        req {
            /// The event.
            event_id: EventId,
            /// Title.
            title: Name,
        }
        opt {
            /// What is to be done.
            description: Option<Prose>,
            /// The member who does it.
            assignee_id: Option<MemberId>,
            /// todo where left out.
            status: Option<TaskStatus>,
            /// When it begins.
            start_date: Option<Day>,
            /// When it should be done; not before start_date.
            due_date: Option<Day>,
        }
    }
}

tool! {
    /// Changes a task. Fields left out stay; null clears.
    UpdateEventTask = "update_event_task" on Events, UPDATE, for Roles::DESK => One<Task> {
        req {
            /// The task.
            id: TaskId,
        }
        opt {
            /// Title.
            title: Change<Name>,
            /// What is to be done.
            description: Patch<Prose>,
            /// The member who does it.
            assignee_id: Patch<MemberId>,
            /// How far it is.
            status: Change<TaskStatus>,
            /// When it begins.
            start_date: Patch<Day>,
            /// When it should be done; not before start_date.
            due_date: Patch<Day>,
        }
    }
}

tools![ListEventTasks, CreateEventTask, UpdateEventTask];
