//! Projects.

use frontdesk_protocol::record::Maybe;
use frontdesk_protocol::work::epic::{Epic, ListEpics};
use frontdesk_protocol::work::project::{
    CreateProject, DeleteProject, GetProject, ListProjects, Project, ProjectTree, UpdateProject,
};

use crate::call::{Call, Handler, Outcome, Part, SqlByName, Stored, named};
use crate::hosts::routes;

impl Stored for Project {
    const TABLE: &'static str = "work.projects";
    const ORDER: &'static str = "t.name_key, t.id";
    const FILTERS: SqlByName = &[("search", "t.name_key like (select app.search_pattern($))")];
    const FINDER: Option<&'static str> = Some("work.find_projects");
    const COMPUTED: SqlByName = &[
        named!("business_unit_name": unit "business_unit_id"),
        (
            "number_of_epics",
            "(select count(*) from work.epics e where e.project_id = t.id)",
        ),
        (
            "number_of_done_epics",
            "(select count(*) from work.epics e where e.project_id = t.id and e.status = 'done')",
        ),
    ];
}

impl Handler for GetProject {
    async fn handle(self, call: &mut Call) -> Outcome<Maybe<ProjectTree>> {
        let parts = [Part::of::<Epic, ListEpics>("epics", "project_id")];
        call.tree::<Project, _>(&self, &[], &parts).await
    }
}

routes![
    ListProjects,
    GetProject => own,
    CreateProject,
    UpdateProject,
    DeleteProject,
];
