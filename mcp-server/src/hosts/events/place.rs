//! Places of an event, with the guests who may enter.

use frontdesk_protocol::events::place::{
    CreateEventPlace, DeleteEventPlace, ListEventPlaces, Place, UpdateEventPlace,
};
use frontdesk_protocol::record::One;

use crate::call::{Call, Handler, Outcome, SqlByName, Stored};
use crate::hosts::routes;

impl Stored for Place {
    const TABLE: &'static str = "events.places";
    const ORDER: &'static str = "t.name_key, t.id";
    const FILTERS: SqlByName = &[("search", "t.name_key like (select app.search_pattern($))")];
    const COMPUTED: SqlByName = &[
        ("emptied_at", "events.emptied(t.empties_at, now())"),
        (
            "inside_count",
            "(select count(*) from events.presence p where p.place_id = t.id and p.direction = 'in' \
               and (t.empties_at is null or p.at >= events.emptied(t.empties_at, now())))",
        ),
    ];
}

/// Warnings of roles and of a tag that no guest of the event has, so that nobody enters the place `t`: perhaps they are
/// written in another way.
const NOBODY: &str = "array(select format('no guest has the role %s', app.quoted(r.role)) \
       from unnest(t.roles) r (role) where not exists (select from events.guests g \
         where g.event_id = t.event_id and app.search_key(g.role) = app.search_key(r.role)) \
     union all select format('no guest has the tag %s%s', app.quoted(t.tag), \
         '; there is ' || (select string_agg(distinct app.quoted(k), ', ') \
           from events.guests g, jsonb_object_keys(g.tags) k \
           where g.event_id = t.event_id and lower(btrim(k)) = lower(btrim(t.tag)))) \
       where not exists (select from events.guests g where g.event_id = t.event_id and jsonb_exists(g.tags, btrim(t.tag))) \
         and t.tag is not null)";

impl Handler for CreateEventPlace {
    async fn handle(self, call: &mut Call) -> Outcome<One<Place>> {
        call.act_warning(&self, NOBODY).await
    }
}

impl Handler for UpdateEventPlace {
    async fn handle(self, call: &mut Call) -> Outcome<One<Place>> {
        call.act_warning(&self, NOBODY).await
    }
}

routes![
    ListEventPlaces,
    CreateEventPlace => own,
    UpdateEventPlace => own,
    DeleteEventPlace,
];
