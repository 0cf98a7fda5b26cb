//! Tasks of an event.

use frontdesk_protocol::events::task::{
    CreateEventTask, DeleteEventTask, ListEventTasks, Task, UpdateEventTask,
};

use crate::call::{SqlByName, Stored, named};
use crate::hosts::routes;

impl Stored for Task {
    const TABLE: &'static str = "events.tasks";
    const ORDER: &'static str = "t.due_date nulls last, t.id";
    const FILTERS: SqlByName = &[("search", "t.title_key like (select app.search_pattern($))")];
    const COMPUTED: SqlByName = &[named!("assignee_name": member "assignee_id")];
}

routes![
    ListEventTasks,
    CreateEventTask,
    UpdateEventTask,
    DeleteEventTask
];
