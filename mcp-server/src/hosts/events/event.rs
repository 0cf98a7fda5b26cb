//! Events.

use frontdesk_protocol::events::event::{CreateEvent, Event, GetEvent, ListEvents, UpdateEvent};
use frontdesk_protocol::record::{List, Maybe, One};

use crate::call::{Call, Columns, Filter, Handler, Outcome, Stored};
use crate::hosts::routes;

impl Stored for Event {
    const TABLE: &'static str = "events.events";
    const COLUMNS: &'static str = "t.id, t.name, t.description, t.location, t.latitude, t.longitude, \
        t.start_at, t.end_at, t.strategy_business_unit_id, \
        (select count(*) from events.guests g where g.event_id = t.id) as guest_count, \
        (select count(g.check_in_at) from events.guests g where g.event_id = t.id) as checked_in_count";
}

impl Handler for ListEvents {
    async fn handle(self, call: &mut Call) -> Outcome<List<Event>> {
        let filter = Filter::new()
            .search("name_key", &self.search)
            .maybe("strategy_business_unit_id", &self.strategy_business_unit_id);
        let order = "t.start_at desc nulls last, t.id";
        call.list(filter, order, self.limit, self.offset).await
    }
}

impl Handler for GetEvent {
    async fn handle(self, call: &mut Call) -> Outcome<Maybe<Event>> {
        call.get(self.id).await
    }
}

impl Handler for CreateEvent {
    async fn handle(self, call: &mut Call) -> Outcome<One<Event>> {
        let columns = Columns::new()
            .value("name", &self.name)
            .value("strategy_business_unit_id", &self.strategy_business_unit_id)
            .option("description", &self.description)
            .option("location", &self.location)
            .option("latitude", &self.latitude)
            .option("longitude", &self.longitude)
            .option("start_at", &self.start_at)
            .option("end_at", &self.end_at);
        call.insert(columns).await
    }
}

impl Handler for UpdateEvent {
    async fn handle(self, call: &mut Call) -> Outcome<One<Event>> {
        let columns = Columns::new()
            .change("name", &self.name)
            .change("strategy_business_unit_id", &self.strategy_business_unit_id)
            .patch("description", &self.description)
            .patch("location", &self.location)
            .patch("latitude", &self.latitude)
            .patch("longitude", &self.longitude)
            .patch("start_at", &self.start_at)
            .patch("end_at", &self.end_at);
        call.update(self.id, columns).await
    }
}

routes![ListEvents, GetEvent, CreateEvent, UpdateEvent];
