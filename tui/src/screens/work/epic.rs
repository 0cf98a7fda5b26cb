//! Epics with the state of their deliveries and tasks.

use frontdesk_protocol::Host;
use serde_json::Value;

use super::board;
use super::states::{TASKS, states};
use crate::app::input::command::{Command, Context};
use crate::fields::cell::Cell;
use crate::records::columns::Column;
use crate::records::contexts::{RECORDS, TREE};
use crate::records::view::View;

static EPICS: Context = Context::above("Epics", &RECORDS);
static EPIC: Context = Context::above("One epic", &TREE);

pub(crate) static VIEW: View = View {
    columns: &[
        Column::field("name", "Epic"),
        Column::field("status", "Status"),
        Column::own(
            "Tasks",
            |epic, _| TASKS.cell(epic),
            |epic, _| TASKS.key(epic),
        ),
        Column::field("project_id", "Project"),
        Column::field("is_long_lived", "Long-lived"),
        Column::field("notes", "Notes"),
    ],
    facts: &[("Tasks", |epic, _| TASKS.cell(epic))],
    covered: &[TASKS.all, TASKS.done, "updated_at"],
    head: Some(|epic, shared, _| states(epic, &["tasks", "deliveries"], &shared.settings.theme)),
    tree_text: Some(|epic, _, _| {
        let long_lived = match epic.get("is_long_lived") {
            Value::Bool(true) => " · long-lived",
            _ => "",
        };
        Cell::dim(format!("{}{long_lived}", TASKS.words(epic)))
    }),
    list: &EPICS,
    record: &EPIC,
    ..View::new(Host::Work, "epics")
};

/// Commands in addition to those of the tools.
pub(crate) const COMMANDS: &[Command] = &[
    board::command(&EPICS, "epics.tasks"),
    board::command(&EPIC, "epic.tasks"),
];
