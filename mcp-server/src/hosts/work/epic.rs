//! Epics.

use frontdesk_protocol::record::Maybe;
use frontdesk_protocol::work::delivery::{Delivery, ListDeliveries};
use frontdesk_protocol::work::epic::{
    CreateEpic, DeleteEpic, Epic, EpicTree, GetEpic, ListEpics, UpdateEpic,
};
use frontdesk_protocol::work::task::{ListTasks, TaskSummary};

use crate::call::{Call, Handler, Outcome, Part, SqlByName, Stored};
use crate::hosts::routes;

impl Stored for Epic {
    const TABLE: &'static str = "work.epics";
    const ORDER: &'static str = "t.name_key, t.id";
    const FILTERS: SqlByName = &[("search", "t.name_key like (select app.search_pattern($))")];
    const FINDER: Option<&'static str> = Some("work.find_epics");
    const COMPUTED: SqlByName = &[
        (
            "number_of_tasks",
            "(select count(*) from work.tasks k where k.epic_id = t.id)",
        ),
        (
            "number_of_completed_tasks",
            "(select count(*) from work.tasks k where k.epic_id = t.id and k.status = 'done')",
        ),
    ];
}

impl Handler for GetEpic {
    async fn handle(self, call: &mut Call) -> Outcome<Maybe<EpicTree>> {
        let parts = [
            Part::of::<Delivery, ListDeliveries>("deliveries", "epic_id"),
            Part::of::<TaskSummary, ListTasks>("tasks", "epic_id"),
        ];
        call.tree::<Epic, _>(&self, &[], &parts).await
    }
}

routes![
    ListEpics,
    GetEpic => own,
    CreateEpic,
    UpdateEpic,
    DeleteEpic,
];
