//! Tasks of an event.

use frontdesk_protocol::events::task::{CreateEventTask, ListEventTasks, Task, UpdateEventTask};
use frontdesk_protocol::record::{List, One};

use crate::call::{Call, Columns, Filter, Handler, Outcome, Stored};
use crate::hosts::routes;

impl Stored for Task {
    const TABLE: &'static str = "events.tasks";
    const COLUMNS: &'static str = "t.id, t.event_id, t.title, t.description, t.assignee_id, \
        t.status, t.start_date, t.due_date";
}

impl Handler for ListEventTasks {
    async fn handle(self, call: &mut Call) -> Outcome<List<Task>> {
        let filter = Filter::new()
            .equal("event_id", &self.event_id)
            .maybe("assignee_id", &self.assignee_id)
            .maybe("status", &self.status)
            .search("title_key", &self.search);
        call.list(
            filter,
            "t.due_date nulls last, t.id",
            self.limit,
            self.offset,
        )
        .await
    }
}

impl Handler for CreateEventTask {
    async fn handle(self, call: &mut Call) -> Outcome<One<Task>> {
        let columns = Columns::new()
            .value("event_id", &self.event_id)
            .value("title", &self.title)
            .option("description", &self.description)
            .option("assignee_id", &self.assignee_id)
            .option("status", &self.status)
            .option("start_date", &self.start_date)
            .option("due_date", &self.due_date);
        call.insert(columns).await
    }
}

impl Handler for UpdateEventTask {
    async fn handle(self, call: &mut Call) -> Outcome<One<Task>> {
        let columns = Columns::new()
            .change("title", &self.title)
            .patch("description", &self.description)
            .patch("assignee_id", &self.assignee_id)
            .change("status", &self.status)
            .patch("start_date", &self.start_date)
            .patch("due_date", &self.due_date);
        call.update(self.id, columns).await
    }
}

routes![ListEventTasks, CreateEventTask, UpdateEventTask];
