//! Projects with the state of their epics.

use frontdesk_protocol::Host;

use super::board;
use super::states::{EPICS, states};
use crate::app::input::command::{Command, Context};
use crate::records::columns::Column;
use crate::records::contexts::{RECORDS, TREE};
use crate::records::view::View;

static PROJECTS: Context = Context::above("Projects", &RECORDS);
static PROJECT: Context = Context::above("One project", &TREE);

pub(crate) static VIEW: View = View {
    columns: &[
        Column::field("name", "Project"),
        Column::own(
            "Epics",
            |project, _| EPICS.cell(project),
            |project, _| EPICS.key(project),
        ),
        Column::field("business_unit_id", "Business unit"),
    ],
    facts: &[("Epics", |project, _| EPICS.cell(project))],
    covered: &[EPICS.all, EPICS.done],
    head: Some(|project, shared, _| states(project, &["epics"], &shared.settings.theme)),
    list: &PROJECTS,
    record: &PROJECT,
    ..View::new(Host::Work, "projects")
};

/// Commands in addition to those of the tools.
pub(crate) const COMMANDS: &[Command] = &[
    board::command(&PROJECTS, "projects.tasks"),
    board::command(&PROJECT, "project.tasks"),
];
