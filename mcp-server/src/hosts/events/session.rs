//! Sessions of an event, and their guests.

use frontdesk_protocol::events::session::{
    CreateEventSession, ListEventSessions, Session, UpdateEventSession,
};
use frontdesk_protocol::record::One;

use crate::call::{Answer, Call, Handler, Link, Outcome, SqlByName, Stored};
use crate::database::params;
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

/// Warns of a session outside its event, and of others at the same place and time.
async fn questioned(call: &mut Call, session: Answer<One<Session>>) -> Outcome<One<Session>> {
    let sql = "with s as (select t.*, e.start_at, e.end_at, \
                 (select o.time_zone from app.organizations o where o.id = t.organization_id) as zone \
               from events.sessions t join events.events e on e.id = t.event_id where t.id = $1) \
         select 'the session is not within the event, which is from ' \
             || coalesce(to_char(s.start_at at time zone s.zone, 'YYYY-MM-DD HH24:MI'), 'any time') || ' to ' \
             || coalesce(to_char(s.end_at at time zone s.zone, 'YYYY-MM-DD HH24:MI'), 'any time') \
           from s where s.start_time < s.start_at or s.start_time > s.end_at or s.end_time > s.end_at \
         union all (select format('“%s” is at the same time in %s', o.title, o.location) \
           from s join events.sessions o on o.event_id = s.event_id and o.id <> s.id \
             and app.search_key(o.location) = app.search_key(s.location) and s.location <> '' \
             and o.start_time < coalesce(s.end_time, s.start_time + interval '1 minute') \
             and coalesce(o.end_time, o.start_time + interval '1 minute') > s.start_time \
           order by o.start_time, o.id limit 10)";
    let id = session.read("/session/id")?;
    call.warn_of(sql, params![id]).await?;
    Ok(session)
}

impl Handler for CreateEventSession {
    async fn handle(self, call: &mut Call) -> Outcome<One<Session>> {
        let session = call.act(&self).await?;
        questioned(call, session).await
    }
}

impl Handler for UpdateEventSession {
    async fn handle(self, call: &mut Call) -> Outcome<One<Session>> {
        let session = call.act(&self).await?;
        questioned(call, session).await
    }
}

routes![
    ListEventSessions,
    CreateEventSession => own,
    UpdateEventSession => own,
];
