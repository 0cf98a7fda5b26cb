//! Plans.

use std::collections::HashSet;

use frontdesk_protocol::ToolError;
use frontdesk_protocol::id::WorkTaskId;
use frontdesk_protocol::plans::plan::{
    CreatePlan, GetPlan, ListPlans, Plan, PlanTree, SetPlanTasks, UpdatePlan,
};
use frontdesk_protocol::record::{Maybe, One, Record};
use frontdesk_protocol::work::task::TaskSummary;
use serde_json::json;
use uuid::Uuid;

use crate::call::{Call, Handler, Outcome, SqlByName, Stored, columns};
use crate::database::params;
use crate::hosts::{one_name, routes};

impl Stored for Plan {
    const TABLE: &'static str = "plans.plans";
    const ORDER: &'static str = "t.name_key, t.id";
    const FILTERS: SqlByName = &[("search", "t.name_key like (select app.search_pattern($))")];
    const COMPUTED: SqlByName = &[(
        "task_count",
        "(select count(*)::integer from plans.plan_tasks p where p.plan_id = t.id)",
    )];
}

/// The tasks of the plan `o`, in its order.
fn tasks() -> String {
    format!(
        "(select coalesce(jsonb_agg(to_jsonb(k) order by p.position), '[]') from plans.plan_tasks p \
          cross join lateral (select {} from work.tasks t where t.id = p.task_id) k where p.plan_id = o.id)",
        columns::<TaskSummary>()
    )
}

impl Handler for GetPlan {
    async fn handle(self, call: &mut Call) -> Outcome<Maybe<PlanTree>> {
        one_name(self.id.is_some(), self.slug.is_some())?;
        call.find_with::<Plan, _>(&self, &[("tasks", tasks())])
            .await
    }
}

impl Handler for SetPlanTasks {
    async fn handle(self, call: &mut Call) -> Outcome<One<PlanTree>> {
        let wanted: Vec<WorkTaskId> = self
            .tasks
            .as_slice()
            .iter()
            .map(|one| one.task_id)
            .collect();
        // The lock makes concurrent changes to the tasks of a plan wait for each other.
        let lock = "update plans.plans t set id = t.id where t.slug = $1 returning t.id";
        let rows = call.query(lock, params![self.slug]).await?;
        let plan: Uuid = match rows.first() {
            Some(row) => row.get(0),
            None => return Err(ToolError::not_found(Plan::SINGULAR).on("slug")),
        };
        let there = "select t.id from work.tasks t where t.id = any ($1)";
        let rows = call.query(there, params![wanted]).await?;
        let there: HashSet<Uuid> = rows.iter().map(|row| row.get(0)).collect();
        let mut shown = HashSet::new();
        for (at, WorkTaskId(id)) in wanted.iter().enumerate() {
            let field = format!("tasks[{at}].task_id");
            if !there.contains(id) {
                let unknown = ToolError::not_found(TaskSummary::SINGULAR).on(field);
                return Err(unknown.hint(format!(
                    "no task that you can see has the id {id}; nothing was changed"
                )));
            }
            if !shown.insert(id) {
                return Err(ToolError::invalid(field, format!("{id} is listed twice")));
            }
        }
        // What is replaced is read before it goes, for the warning.
        let sql = "with old as materialized (select p.task_id, p.position, coalesce(t.name, p.task_id::text) as name \
               from plans.plan_tasks p left join work.tasks t on t.id = p.task_id where p.plan_id = $1), \
             gone as (delete from plans.plan_tasks where plan_id = $1 and task_id <> all ($2)), \
             filled as (insert into plans.plan_tasks (plan_id, task_id, position) \
               select $1, w.id, w.place from unnest($2::uuid[]) with ordinality as w (id, place) \
               on conflict (plan_id, organization_id, task_id) do update set position = excluded.position) \
             select unnest(app.losses( \
               jsonb_build_object('tasks', (select coalesce(jsonb_agg(o.name order by o.position), '[]') from old o)), \
               jsonb_build_object('tasks', (select coalesce(jsonb_agg(t.name), '[]') from work.tasks t where t.id = any ($2)))))";
        call.warn_of(sql, params![plan, wanted]).await?;
        let id = json!({ "id": plan });
        let found = call
            .find_with::<Plan, PlanTree>(&id, &[("tasks", tasks())])
            .await?;
        Ok(found.one())
    }
}

routes![
    ListPlans,
    GetPlan => own,
    CreatePlan,
    UpdatePlan,
    SetPlanTasks => own,
];
