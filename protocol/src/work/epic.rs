//! Epics of a project, with deliveries and tasks.

use jiff::Timestamp;

use super::EVERYBODY;
use super::delivery::Delivery;
use super::task::TaskSummary;
use crate::id::{EpicId, ProjectId};
use crate::record::{List, Maybe, Missing, One};
use crate::resource::resource;
use crate::role::Roles;
use crate::tool::tool;
use crate::value::{Change, Limit, Line, Name, Offset, Patch, Prose};
use crate::wire::Wire;
use crate::words::words;

words! {
    /// The status of an epic.
    EpicStatus {
        Pending = "pending",
        InProgress = "in_progress",
        Done = "done",
        NoLongerNeeded = "no_longer_needed",
    }
}

/// An epic.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Epic {
    pub id: EpicId,
    pub name: String,
    /// The project it belongs to.
    pub project_id: Option<ProjectId>,
    pub notes: Option<String>,
    pub status: EpicStatus,
    /// Whether it has no planned end.
    pub is_long_lived: bool,
    /// When it was last changed.
    pub updated_at: Timestamp,
    /// Number of tasks.
    pub number_of_tasks: u32,
    /// Number of completed tasks.
    pub number_of_completed_tasks: u32,
}

/// An epic with its deliveries and tasks.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct EpicTree {
    /// The epic.
    #[wire(flatten)]
    pub epic: Epic,
    /// Its deliveries, by name.
    pub deliveries: Vec<Delivery>,
    /// Its tasks, by priority.
    pub tasks: Vec<TaskSummary>,
    /// Lists that were cut for size, with the call that returns the rest.
    pub missing: Vec<Missing>,
}

resource! {
    Epic, EpicTree = "epic", "epics" (parent: project_id, name: name, state: status) {
        list: ListEpics,
        get: GetEpic,
        create: CreateEpic,
        change: UpdateEpic,
        delete: DeleteEpic,
    }
}

tool! {
    /// Lists epics by name.
    ListEpics = "list_epics" on Work, READ, for EVERYBODY => List<Epic> {
        opt {
            project_id: Option<ProjectId>,
            status: Option<EpicStatus>,
            search: Option<Line>,
            limit: Limit,
            offset: Offset,
        }
    }
}

tool! {
    /// Gets an epic with its deliveries and tasks.
    GetEpic = "get_epic" on Work, READ, for EVERYBODY => Maybe<EpicTree> {
        req {
            id: EpicId,
        }
    }
}

tool! {
    /// Adds an epic. Plans contain tasks, not epics.
    CreateEpic = "create_epic" on Work, CREATE, for Roles::DESK => One<Epic> {
        req {
            name: Name,
        }
        opt {
            project_id: Option<ProjectId>,
            notes: Option<Prose>,
            status: Option<EpicStatus> = "pending",
            is_long_lived: Option<bool>,
        }
    }
}

tool! {
    /// Changes an epic.
    UpdateEpic = "update_epic" on Work, UPDATE, for Roles::DESK => One<Epic> {
        req {
            id: EpicId,
        }
        opt {
            name: Change<Name>,
            project_id: Patch<ProjectId>,
            notes: Patch<Prose>,
            status: Change<EpicStatus>,
            is_long_lived: Change<bool>,
        }
    }
}

tool! {
    /// Deletes an epic without deliveries and tasks.
    DeleteEpic = "delete_epic" on Work, DELETE, for Roles::DESK => One<Epic> {
        req {
            id: EpicId,
        }
    }
}
