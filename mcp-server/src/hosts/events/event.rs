//! Events.

use frontdesk_protocol::events::event::{CreateEvent, Event, GetEvent, ListEvents, UpdateEvent};

use crate::call::{SqlByName, Stored};
use crate::hosts::routes;

impl Stored for Event {
    const TABLE: &'static str = "events.events";
    const ORDER: &'static str = "t.start_at desc nulls last, t.id";
    const FILTERS: SqlByName = &[("search", "t.name_key like (select app.search_pattern($))")];
    const COMPUTED: SqlByName = &[
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

routes![
    ListEvents => list,
    GetEvent => get,
    CreateEvent => create,
    UpdateEvent => change,
];
