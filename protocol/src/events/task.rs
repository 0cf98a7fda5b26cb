//! Tasks of an event.

use jiff::Timestamp;
use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::OFFICE;
use crate::id::{EventId, MemberId, TaskId};
use crate::record::{List, One};
use crate::resource::resource;
use crate::role::{Role, Roles};
use crate::tool::tool;
use crate::value::{Change, Day, Limit, Line, Name, Offset, Patch, Prose};
use crate::words::words;

words! {
    /// The status of a task.
    TaskStatus {
        Todo = "todo",
        InProgress = "in_progress",
        Done = "done",
    }
}

/// A task of an event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Task {
    pub id: TaskId,
    pub event_id: EventId,
    pub title: String,
    pub description: Option<String>,
    pub assignee_id: Option<MemberId>,
    pub assignee_name: Option<String>,
    pub status: TaskStatus,
    pub start_date: Option<Date>,
    pub due_date: Option<Date>,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

resource! {
    Task = "task", "tasks" (parent: event_id, name: title, state: status) {
        list: ListEventTasks,
        create: CreateEventTask,
        change: UpdateEventTask,
    }
}

tool! {
    /// Lists an event's tasks, earliest due date first.
    ListEventTasks = "list_event_tasks" on Events, READ, for OFFICE.and(&[Role::Fellow]) => List<Task> {
        req {
            event_id: EventId,
        }
        opt {
            assignee_id: Option<MemberId>,
            status: Option<TaskStatus>,
            search: Option<Line>,
            limit: Limit,
            offset: Offset,
        }
    }
}

tool! {
    /// Adds a task to an event.
    CreateEventTask = "create_event_task" on Events, CREATE, for Roles::DESK => One<Task> {
        req {
            event_id: EventId,
            title: Name,
        }
        opt {
            description: Option<Prose>,
            assignee_id: Option<MemberId>,
            status: Option<TaskStatus> = "todo",
            start_date: Option<Day>,
            /// Not before start_date.
            due_date: Option<Day>,
        }
    }
}

tool! {
    /// Changes a task.
    UpdateEventTask = "update_event_task" on Events, UPDATE, for Roles::DESK => One<Task> {
        req {
            id: TaskId,
        }
        opt {
            title: Change<Name>,
            description: Patch<Prose>,
            assignee_id: Patch<MemberId>,
            status: Change<TaskStatus>,
            start_date: Patch<Day>,
            /// Not before start_date.
            due_date: Patch<Day>,
        }
    }
}
