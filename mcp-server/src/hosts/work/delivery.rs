//! Deliveries.

use frontdesk_protocol::record::Maybe;
use frontdesk_protocol::work::delivery::{
    CreateDelivery, DeleteDelivery, Delivery, DeliveryTree, GetDelivery, ListDeliveries,
    UpdateDelivery,
};
use frontdesk_protocol::work::epic::Epic;
use frontdesk_protocol::work::task::{ListTasks, TaskSummary};

use crate::call::{Call, Handler, Outcome, Part, SqlByName, Stored, named, only};
use crate::hosts::routes;

impl Stored for Delivery {
    const TABLE: &'static str = "work.deliveries";
    const ORDER: &'static str = "t.name_key, t.id";
    const FILTERS: SqlByName = &[("search", "t.found_by like (select app.search_pattern($))")];
    const FINDER: Option<&'static str> = Some("work.find_deliveries");
    const COMPUTED: SqlByName = &[
        named!("owner_name": member "owner_id"),
        (
            "number_of_tasks",
            "coalesce(t.number_of_tasks, \
             (select count(*)::integer from work.tasks k where k.delivery_id = t.id))",
        ),
        (
            "number_of_completed_tasks",
            "coalesce(t.number_of_completed_tasks, (select count(*)::integer from work.tasks k \
             where k.delivery_id = t.id and k.status = 'done'))",
        ),
    ];
}

impl Handler for GetDelivery {
    async fn handle(self, call: &mut Call) -> Outcome<Maybe<DeliveryTree>> {
        let with = [("epic", only::<Epic>("t.id = o.epic_id"))];
        let parts = [Part::of::<TaskSummary, ListTasks>("tasks", "delivery_id")];
        call.tree::<Delivery, _>(&self, &with, &parts).await
    }
}

routes![
    ListDeliveries,
    GetDelivery => own,
    CreateDelivery,
    UpdateDelivery,
    DeleteDelivery,
];
