//! Tasks of an event.

use jiff::Timestamp;

use super::OFFICE;
use crate::id::{EventId, MemberId, TaskId};
use crate::record::record;
use crate::role::{Role, Roles};
use crate::value::{Day, Line, Name, Prose};
use crate::words::words;

words! {
    /// The status of a task.
    TaskStatus {
        Todo = "todo",
        InProgress = "in_progress",
        Done = "done",
    }
}

record! {
    /// A task of an event.
    Task = "task", "tasks" (parent: event_id, name: title, state: status) {
        id: TaskId,
        event_id: EventId [create],
        title: Name [create, change],
        description: Option<Prose> [create, change],
        assignee_id: Option<MemberId> [create, change],
        assignee_name: Option<String>,
        status: TaskStatus [create = "todo", change],
        start_date: Option<Day> [create, change],
        /// Not before start_date.
        due_date: Option<Day> [create, change],
        /// When it was last changed.
        updated_at: Timestamp,
    }
    /// Lists an event's tasks, earliest due date first.
    list ListEventTasks = "list_event_tasks" on Events for OFFICE.and(&[Role::Fellow]) {
        req {
            event_id: EventId,
        }
        opt {
            assignee_id: Option<MemberId>,
            status: Option<TaskStatus>,
            search: Option<Line>,
        }
    }
    /// Adds a task to an event.
    create CreateEventTask = "create_event_task" on Events for Roles::DESK;
    /// Changes a task.
    change UpdateEventTask = "update_event_task" on Events for Roles::DESK;
    /// Deletes a task.
    delete DeleteEventTask = "delete_event_task" on Events for Roles::DESK;
}
