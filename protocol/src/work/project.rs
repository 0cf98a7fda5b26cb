//! Projects: groups of epics.

use super::EVERYBODY;
use super::epic::Epic;
use crate::id::{BusinessUnitId, ProjectId};
use crate::record::{List, Maybe, Missing, One};
use crate::resource::resource;
use crate::role::Roles;
use crate::tool::tool;
use crate::value::{Change, Limit, Line, Name, Offset, Patch};
use crate::wire::Wire;

/// A project.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Project {
    pub id: ProjectId,
    pub name: String,
    /// The business unit it belongs to.
    pub business_unit_id: Option<BusinessUnitId>,
    pub business_unit_name: Option<String>,
    /// Number of epics.
    pub number_of_epics: u32,
    /// Number of epics that are done.
    pub number_of_done_epics: u32,
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
    /// Adds a project.
    CreateProject = "create_project" on Work, CREATE, for Roles::DESK => One<Project> {
        req {
            name: Name,
        }
        opt {
            business_unit_id: Option<BusinessUnitId>,
        }
    }
}

tool! {
    /// Changes a project.
    UpdateProject = "update_project" on Work, UPDATE, for Roles::DESK => One<Project> {
        req {
            id: ProjectId,
        }
        opt {
            name: Change<Name>,
            business_unit_id: Patch<BusinessUnitId>,
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
