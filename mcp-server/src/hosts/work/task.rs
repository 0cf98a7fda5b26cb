//! Tasks.

use frontdesk_protocol::ToolError;
use frontdesk_protocol::record::{Maybe, Record};
use frontdesk_protocol::work::delivery::Delivery;
use frontdesk_protocol::work::epic::Epic;
use frontdesk_protocol::work::task::{
    BranchName, CreateTask, DeleteTask, GetTask, GetTaskBranchName, ListTasks, Task, TaskSummary,
    TaskTree, UpdateTask,
};

use crate::call::{Call, Handler, Outcome, SqlByName, Stored, named, only};
use crate::database::params;
use crate::hosts::routes;

const TABLE: &str = "work.tasks";

impl Stored for TaskSummary {
    const TABLE: &'static str = TABLE;
    const ORDER: &'static str = "t.priority, t.number";
    const FILTERS: SqlByName = &[(
        "search",
        "(t.name_key like (select app.search_pattern($)) or t.identifier = upper($))",
    )];
    const FINDER: Option<&'static str> = Some("work.find_tasks");
    const COMPUTED: SqlByName = &[named!("owner_name": member "owner_id")];
}

impl Stored for Task {
    const TABLE: &'static str = TABLE;
    const COMPUTED: SqlByName = &[named!("owner_name": member "owner_id")];
}

impl Handler for GetTask {
    async fn handle(self, call: &mut Call) -> Outcome<Maybe<TaskTree>> {
        let parts = [
            ("epic", only::<Epic>("t.id = o.epic_id")),
            ("delivery", only::<Delivery>("t.id = o.delivery_id")),
        ];
        call.find_with::<Task, _>(&self, &parts).await
    }
}

impl Handler for GetTaskBranchName {
    async fn handle(self, call: &mut Call) -> Outcome<BranchName> {
        let sql = "select json_build_object('branch_name', work.branch_name(t.identifier, t.name))::text \
                   from work.tasks t where t.id = $1";
        let named = call.json(sql, params![self.id]).await?;
        named.ok_or_else(|| ToolError::not_found(Task::SINGULAR).on("id"))
    }
}

routes![
    ListTasks,
    GetTask => own,
    CreateTask,
    UpdateTask,
    DeleteTask,
    GetTaskBranchName => own,
];
