//! Epics.

use frontdesk_protocol::record::Maybe;
use frontdesk_protocol::work::delivery::Delivery;
use frontdesk_protocol::work::epic::{
    CreateEpic, DeleteEpic, Epic, EpicTree, GetEpic, ListEpics, UpdateEpic,
};
use frontdesk_protocol::work::task::TaskSummary;

use crate::call::{Call, Handler, Outcome, SqlByName, Stored, has_more, within};
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
        let ours = "t.epic_id = o.id";
        let more = [has_more::<Delivery>(ours), has_more::<TaskSummary>(ours)];
        let parts = [
            ("deliveries", within::<Delivery>(ours)),
            ("tasks", within::<TaskSummary>(ours)),
            ("has_more", more.join(" or ")),
        ];
        call.find_with::<Epic, _>(&self, &parts).await
    }
}

routes![
    ListEpics => list,
    GetEpic,
    CreateEpic => create,
    UpdateEpic => change,
    DeleteEpic => delete,
];
