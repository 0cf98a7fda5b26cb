//! Epics of a project, which hold deliveries and tasks.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::EVERYBODY;
use super::delivery::Delivery;
use super::task::TaskSummary;
use crate::id::{EpicId, ProjectId};
use crate::record::{List, Maybe, Missing, One, record};
use crate::role::Roles;
use crate::tool::{tool, tools};
use crate::value::{Change, Limit, Line, Name, Offset, Patch, Prose};
use crate::words::words;

words! {
    /// How far an epic is.
    EpicStatus {
        Pending = "pending",
        InProgress = "in_progress",
        Done = "done",
        NoLongerNeeded = "no_longer_needed",
    }
}

/// An epic.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Epic {
    /// Identifies the epic.
    pub id: EpicId,
    /// Name.
    pub name: String,
    /// The project that it belongs to.
    pub project_id: Option<ProjectId>,
    /// Notes.
    pub notes: Option<String>,
    /// How far it is.
    pub status: EpicStatus,
    /// Whether it goes on and on.
    pub is_long_lived: bool,
    /// How many tasks it has.
    pub number_of_tasks: u32,
    /// How many of them are done.
    pub number_of_completed_tasks: u32,
}
record!(Epic, "epic", "epics");

/// An epic with its deliveries and tasks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EpicTree {
    /// The epic.
    #[serde(flatten)]
    pub epic: Epic,
    /// Its deliveries, by name.
    pub deliveries: Vec<Delivery>,
    /// Its tasks, by priority.
    pub tasks: Vec<TaskSummary>,
    /// What is left out of these lists for its size.
    pub missing: Vec<Missing>,
}
record!(EpicTree, "epic", "epics");

tool! {
    /// Lists epics by name.
    ListEpics = "list_epics" on Work, READ, for EVERYBODY => List<Epic> {
        opt {
            /// Only epics of this project.
            project_id: Option<ProjectId>,
            /// Only epics of this status.
            status: Option<EpicStatus>,
            /// Part of the name.
            search: Option<Line>,
            /// Most epics to return.
            limit: Limit,
            /// Epics to skip.
            offset: Offset,
        }
    }
}

tool! {
    /// Gets an epic with its deliveries and tasks.
    GetEpic = "get_epic" on Work, READ, for EVERYBODY => Maybe<EpicTree> {
        req {
            /// The epic.
            id: EpicId,
        }
    }
}

tool! {
    /// Adds an epic. Plans show tasks, not epics.
    CreateEpic = "create_epic" on Work, CREATE, for Roles::DESK => One<Epic> {
        req {
            /// Name.
            name: Name,
        }
        opt {
            /// The project that it belongs to.
            project_id: Option<ProjectId>,
            /// Notes.
            notes: Option<Prose>,
            /// pending where left out.
            status: Option<EpicStatus>,
            /// Whether it goes on and on.
            is_long_lived: Option<bool>,
        }
    }
}

tool! {
    /// Changes an epic. Fields left out stay; null clears.
    UpdateEpic = "update_epic" on Work, UPDATE, for Roles::DESK => One<Epic> {
        req {
            /// The epic.
            id: EpicId,
        }
        opt {
            /// Name.
            name: Change<Name>,
            /// The project that it belongs to.
            project_id: Patch<ProjectId>,
            /// Notes.
            notes: Patch<Prose>,
            /// How far it is.
            status: Change<EpicStatus>,
            /// Whether it goes on and on.
            is_long_lived: Change<bool>,
        }
    }
}

tool! {
    /// Deletes an epic that has neither deliveries nor tasks.
    DeleteEpic = "delete_epic" on Work, DELETE, for Roles::DESK => One<Epic> {
        req {
            /// The epic.
            id: EpicId,
        }
    }
}

tools![ListEpics, GetEpic, CreateEpic, UpdateEpic, DeleteEpic];
