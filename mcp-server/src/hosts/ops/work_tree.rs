//! An epic with its deliveries and tasks, in one call.

use frontdesk_protocol::ToolError;
use frontdesk_protocol::id::DeliveryId;
use frontdesk_protocol::ops::work_tree::{
    CreateWorkTree, NewDeliveryName, NewTask, NewTaskName, WorkTree,
};
use frontdesk_protocol::record::One;
use frontdesk_protocol::work::delivery::Delivery;
use frontdesk_protocol::work::epic::Epic;
use frontdesk_protocol::work::task::Task;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::call::{Answer, Call, Handler, Outcome, Stored, object};
use crate::database::internal;
use crate::hosts::routes;

/// Creates a record; `field` is its place in the arguments. Returns it in a shorter form.
async fn create<T: Stored, N: DeserializeOwned>(
    call: &mut Call,
    field: &str,
    fields: &Map<String, Value>,
) -> Result<N, ToolError> {
    let created: Answer<One<T>> = call.create::<T>(fields).await.map_err(|error| {
        let below = error.field.clone().unwrap_or_default();
        let path = [field, &below].map(|part| part.trim_matches('.'));
        error.on(path.join(".").trim_matches('.'))
    })?;
    let mut created: Value = serde_json::from_str(&created.into_json()).unwrap_or_default();
    serde_json::from_value(created[T::SINGULAR].take()).map_err(internal)
}

async fn create_task(
    call: &mut Call,
    field: &str,
    task: &NewTask,
    parent: (&str, Value),
) -> Result<NewTaskName, ToolError> {
    let mut fields = object(task);
    fields.insert(parent.0.to_owned(), parent.1);
    create::<Task, _>(call, field, &fields).await
}

impl Handler for CreateWorkTree {
    async fn handle(self, call: &mut Call) -> Outcome<WorkTree> {
        call.set_dry_run(self.dry_run);
        let mut fields = object(&self);
        fields.retain(|name, _| ["name", "project_id", "notes"].contains(&name.as_str()));
        let mut tree = WorkTree {
            dry_run: self.dry_run.0,
            epic: create::<Epic, _>(call, "", &fields).await?,
            deliveries: Vec::new(),
            tasks: Vec::new(),
        };
        let deliveries = self.deliveries.unwrap_or_default();
        for (at, delivery) in deliveries.as_slice().iter().enumerate() {
            let field = format!("deliveries[{at}]");
            let mut fields = object(delivery);
            fields.shift_remove("tasks");
            fields.insert("epic_id".to_owned(), json!(tree.epic.id));
            let created: NewDeliveryName = create::<Delivery, _>(call, &field, &fields).await?;
            let DeliveryId(id) = created.id;
            tree.deliveries.push(created);
            for (at, task) in delivery.tasks.as_slice().iter().enumerate() {
                let field = format!("{field}.tasks[{at}]");
                let parent = ("delivery_id", json!(id));
                tree.tasks
                    .push(create_task(call, &field, task, parent).await?);
            }
        }
        let tasks = self.tasks.unwrap_or_default();
        for (at, task) in tasks.as_slice().iter().enumerate() {
            let parent = ("epic_id", json!(tree.epic.id));
            let task = create_task(call, &format!("tasks[{at}]"), task, parent).await?;
            tree.tasks.push(task);
        }
        Answer::of(&tree)
    }
}

routes![CreateWorkTree => own];
