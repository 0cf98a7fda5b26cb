//! Places of an event, with the guests who may enter.

use frontdesk_protocol::events::place::{
    CreateEventPlace, DeleteEventPlace, ListEventPlaces, Place, UpdateEventPlace,
};

use crate::call::{SqlByName, Stored};
use crate::hosts::routes;

impl Stored for Place {
    const TABLE: &'static str = "events.places";
    const ORDER: &'static str = "t.name_key, t.id";
    const FILTERS: SqlByName = &[("search", "t.name_key like (select app.search_pattern($))")];
    const COMPUTED: SqlByName = &[(
        "inside_count",
        "(select count(*) from events.presence p where p.place_id = t.id and p.direction = 'in')",
    )];
}

routes![
    ListEventPlaces,
    CreateEventPlace,
    UpdateEventPlace,
    DeleteEventPlace,
];
