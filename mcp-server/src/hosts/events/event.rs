//! Events.

use frontdesk_protocol::events::event::{
    CreateEvent, DeleteEvent, Event, EventWithArrivals, GetEvent, ListEvents, UpdateEvent,
};
use frontdesk_protocol::record::{Maybe, One};

use crate::call::{Call, Handler, Outcome, SqlByName, Stored, named};
use crate::hosts::routes;

impl Stored for Event {
    const TABLE: &'static str = "events.events";
    const ORDER: &'static str = "t.start_at desc nulls last, t.id";
    const FILTERS: SqlByName = &[("search", "t.name_key like (select app.search_pattern($))")];
    const COMPUTED: SqlByName = &[
        named!("business_unit_name": unit "strategy_business_unit_id"),
        (
            "guest_count",
            "(select count(*) from events.guests g where g.event_id = t.id)",
        ),
        (
            "checked_in_count",
            "(select count(g.check_in_at) from events.guests g where g.event_id = t.id)",
        ),
    ];
}

impl Handler for GetEvent {
    async fn handle(self, call: &mut Call) -> Outcome<Maybe<EventWithArrivals>> {
        let arrivals = "(select coalesce(json_agg(a order by a.check_in_at desc, a.guest_id), '[]') \
             from (select g.id as guest_id, g.name, g.check_in_at from events.guests g \
                   where g.event_id = o.id and g.check_in_at is not null \
                   order by g.check_in_at desc, g.id limit 50) a)";
        let tickets =
            "(select z.ticket_tags from app.organizations z where z.id = app.caller_org())";
        let parts = [
            ("recent_arrivals", arrivals.to_owned()),
            ("ticket_tags", tickets.to_owned()),
        ];
        call.find_with::<Event, _>(&self, &parts).await
    }
}

/// A warning of places that open and close as before, although the event `t` begins at another time.
const PLACES_STAY: &str = "array(select format('the place %s opens and closes as before; move_event moves its times, too', app.quoted(p.name)) \
     from events.events e join events.places p on p.event_id = e.id \
     where e.id = t.id and e.start_at is distinct from t.start_at and coalesce(p.opens_at, p.closes_at) is not null \
     order by p.name_key)";

impl Handler for UpdateEvent {
    async fn handle(self, call: &mut Call) -> Outcome<One<Event>> {
        call.act_warning(&self, PLACES_STAY).await
    }
}

routes![
    ListEvents,
    GetEvent => own,
    CreateEvent,
    UpdateEvent => own,
    DeleteEvent,
];
