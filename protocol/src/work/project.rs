//! Projects: groups of epics.

use super::EVERYBODY;
use super::epic::Epic;
use crate::id::{BusinessUnitId, ProjectId};
use crate::record::{List, Maybe, Missing, One, record};
use crate::resource::resource;
use crate::role::Roles;
use crate::tool::tool;
use crate::value::{Limit, Line, Name, Offset};
use crate::wire::Wire;

record! {
    /// A project.
    Project {
        id: ProjectId,
        name: Name [create, change],
        business_unit_id: Option<BusinessUnitId> [create, change],
        business_unit_name: Option<String>,
        /// Number of epics.
        number_of_epics: u32,
        /// Number of epics that are done.
        number_of_done_epics: u32,
    }
    /// Adds a project.
    create CreateProject = "create_project" on Work for Roles::DESK;
    /// Changes a project.
    change UpdateProject = "update_project" on Work for Roles::DESK;
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

resource! {
    Project, ProjectTree = "project", "projects" (name: name) {
        list: ListProjects,
        get: GetProject,
        create: CreateProject,
        change: UpdateProject,
        delete: DeleteProject,
    }
}

tool! {
    /// Lists projects by name.
    ListProjects = "list_projects" on Work, READ, for EVERYBODY => List<Project> {
        opt {
            business_unit_id: Option<BusinessUnitId>,
            search: Option<Line>,
            limit: Limit,
            offset: Offset,
        }
    }
}

tool! {
    /// Gets a project with its epics.
    GetProject = "get_project" on Work, READ, for EVERYBODY => Maybe<ProjectTree> {
        req {
            id: ProjectId,
        }
    }
}

tool! {
    /// Deletes a project without epics.
    DeleteProject = "delete_project" on Work, DELETE, for Roles::DESK => One<Project> {
        req {
            id: ProjectId,
        }
    }
}
