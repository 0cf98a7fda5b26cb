//! Sessions of an event, and their guests.

use frontdesk_protocol::events::session::{
    CreateEventSession, ListEventSessions, Session, UpdateEventSession,
};

use crate::call::{Link, SqlByName, Stored};
use crate::hosts::routes;

impl Stored for Session {
    const TABLE: &'static str = "events.sessions";
    const ORDER: &'static str = "t.\"order\", t.start_time nulls last, t.id";
    const FILTERS: SqlByName = &[("search", "t.title_key like (select app.search_pattern($))")];
    const LINKS: &'static [Link] = &[Link {
        field: "guest_ids",
        table: "events.session_guests",
        copied: &["event_id"],
    }];
}

routes![ListEventSessions, CreateEventSession, UpdateEventSession];
