//! Epics of a project, with deliveries and tasks.

use jiff::Timestamp;

use super::EVERYBODY;
use super::delivery::Delivery;
use super::task::TaskSummary;
use crate::id::{EpicId, ProjectId};
use crate::record::{Maybe, Missing, record};
use crate::role::Roles;
use crate::tool::tool;
use crate::value::{Line, Name, Prose};
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

record! {
    /// An epic.
    Epic = "epic", "epics" (parent: project_id, name: name, state: status) {
        id: EpicId,
        name: Name [create, change],
        project_id: Option<ProjectId> [create, change],
        notes: Option<Prose> [create, change],
        status: EpicStatus [create = "pending", change],
        is_long_lived: bool [create?, change],
        /// When it was last changed.
        updated_at: Timestamp,
        /// Number of tasks.
        number_of_tasks: u32,
        /// Number of completed tasks.
        number_of_completed_tasks: u32,
    }
    form EpicTree;
    /// Lists epics by name.
    list ListEpics = "list_epics" on Work for EVERYBODY {
        opt {
            project_id: Option<ProjectId>,
            status: Option<EpicStatus>,
            search: Option<Line>,
        }
    }
    get GetEpic;
    /// Adds an epic. Plans contain tasks, not epics.
    create CreateEpic = "create_epic" on Work for Roles::DESK;
    /// Changes an epic.
    change UpdateEpic = "update_epic" on Work for Roles::DESK;
    /// Deletes an epic without deliveries and tasks.
    delete DeleteEpic = "delete_epic" on Work for Roles::DESK;
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

tool! {
    /// Gets an epic with its deliveries and tasks.
    GetEpic = "get_epic" on Work, READ, for EVERYBODY => Maybe<EpicTree> {
        req {
            id: EpicId,
        }
    }
}
