//! Sessions of an event, and their guests.

use frontdesk_protocol::events::session::{
    CreateEventSession, DeleteEventSession, ListEventSessions, Session, UpdateEventSession,
};
use frontdesk_protocol::record::One;

use crate::call::{Call, Handler, Link, Outcome, SqlByName, Stored};
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

/// Warnings of a session `t` outside its event, and of others at the same place and time.
const QUESTIONED: &str = "array(select w.text from events.events e \
       join app.organizations z on z.id = e.organization_id, \
     lateral (select 'the session is not within the event, which is from ' \
         || coalesce(to_char(e.start_at at time zone z.time_zone, 'YYYY-MM-DD HH24:MI'), 'any time') || ' to ' \
         || coalesce(to_char(e.end_at at time zone z.time_zone, 'YYYY-MM-DD HH24:MI'), 'any time') as text \
       where t.start_time < e.start_at or t.start_time > e.end_at or t.end_time > e.end_at \
     union all (select format('%s is at the same time in %s', app.quoted(o.title), app.quoted(o.location)) \
       from events.sessions o where o.event_id = e.id and o.id <> t.id \
         and app.search_key(o.location) = app.search_key(t.location) and t.location <> '' \
         and o.start_time < coalesce(t.end_time, t.start_time + interval '1 minute') \
         and coalesce(o.end_time, o.start_time + interval '1 minute') > t.start_time \
       order by o.start_time, o.id limit 10)) w where e.id = t.event_id)";

impl Handler for CreateEventSession {
    async fn handle(self, call: &mut Call) -> Outcome<One<Session>> {
        call.act_warning(&self, QUESTIONED).await
    }
}

impl Handler for UpdateEventSession {
    async fn handle(self, call: &mut Call) -> Outcome<One<Session>> {
        call.act_warning(&self, QUESTIONED).await
    }
}

routes![
    ListEventSessions,
    CreateEventSession => own,
    UpdateEventSession => own, DeleteEventSession,
];
