//! Projects: groups of epics.

use super::EVERYBODY;
use super::epic::Epic;
use crate::id::{BusinessUnitId, ProjectId};
use crate::record::{Maybe, Missing, record};
use crate::role::Roles;
use crate::tool::tool;
use crate::value::{Line, Name};
use crate::wire::Wire;

record! {
    /// A project.
    Project = "project", "projects" (name: name) {
        id: ProjectId,
        name: Name [create, change],
        business_unit_id: Option<BusinessUnitId> [create, change],
        business_unit_name: Option<String>,
        /// Number of epics.
        number_of_epics: u32,
        /// Number of epics that are done.
        number_of_done_epics: u32,
    }
    form ProjectTree;
    /// Lists projects by name.
    list ListProjects = "list_projects" on Work for EVERYBODY {
        opt {
            business_unit_id: Option<BusinessUnitId>,
            search: Option<Line>,
        }
    }
    get GetProject;
    /// Adds a project.
    create CreateProject = "create_project" on Work for Roles::DESK;
    /// Changes a project.
    change UpdateProject = "update_project" on Work for Roles::DESK;
    /// Deletes a project without epics.
    delete DeleteProject = "delete_project" on Work for Roles::DESK;
}

/// A project with its epics.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct ProjectTree {
    /// The project.
    #[wire(flatten)]
    pub project: Project,
    /// Its epics, by name.
    pub epics: Vec<Epic>,
    /// Lists that were cut for size, with the call that returns the rest.
    pub missing: Vec<Missing>,
}

tool! {
    /// Gets a project with its epics.
    GetProject = "get_project" on Work, READ, for EVERYBODY => Maybe<ProjectTree> {
        req {
            id: ProjectId,
        }
    }
}
