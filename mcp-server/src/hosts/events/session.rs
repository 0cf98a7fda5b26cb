//! Sessions of an event.

use frontdesk_protocol::ToolError;
use frontdesk_protocol::events::session::{
    CreateEventSession, ListEventSessions, Session, UpdateEventSession,
};
use frontdesk_protocol::id::GuestId;
use frontdesk_protocol::record::{List, One};
use frontdesk_protocol::value::{Change, UpTo};
use uuid::Uuid;

use crate::call::{Call, Columns, Filter, Handler, Outcome, Stored};
use crate::database::binds;
use crate::hosts::routes;

impl Stored for Session {
    const TABLE: &'static str = "events.sessions";
    const COLUMNS: &'static str = "t.id, t.event_id, t.title, t.description, t.location, \
        t.start_time, t.end_time, t.\"order\", \
        array(select g.guest_id from events.session_guests g where g.session_id = t.id order by g.guest_id) \
          as guest_ids";
}

impl Handler for ListEventSessions {
    async fn handle(self, call: &mut Call) -> Outcome<List<Session>> {
        let filter = Filter::new()
            .equal("event_id", &self.event_id)
            .search("title_key", &self.search);
        let order = "t.\"order\", t.start_time nulls last, t.id";
        call.list(filter, order, self.limit, self.offset).await
    }
}

impl Handler for CreateEventSession {
    async fn handle(self, call: &mut Call) -> Outcome<One<Session>> {
        let columns = Columns::new()
            .value("event_id", &self.event_id)
            .value("title", &self.title)
            .option("description", &self.description)
            .option("location", &self.location)
            .option("start_time", &self.start_time)
            .option("end_time", &self.end_time)
            .option("order", &self.order);
        let Some(guests) = &self.guest_ids else {
            return call.insert(columns).await;
        };
        let id = call.insert_id::<Session>(columns).await?;
        set_guests(call, id, guests).await?;
        call.written(id).await
    }
}

impl Handler for UpdateEventSession {
    async fn handle(self, call: &mut Call) -> Outcome<One<Session>> {
        let columns = Columns::new()
            .change("title", &self.title)
            .patch("description", &self.description)
            .patch("location", &self.location)
            .patch("start_time", &self.start_time)
            .patch("end_time", &self.end_time)
            .change("order", &self.order);
        // Also where only the guests change: the row's lock puts two calls in order, and its policy
        // says whether the caller may.
        let updated = call.update(self.id, columns).await?;
        let Change::To(guests) = &self.guest_ids else {
            return Ok(updated);
        };
        set_guests(call, self.id.0, guests).await?;
        call.written(self.id.0).await
    }
}

/// Makes exactly these guests take part.
async fn set_guests(
    call: &mut Call,
    session: Uuid,
    guests: &UpTo<GuestId, 1000>,
) -> Result<(), ToolError> {
    let sql = "with gone as (delete from events.session_guests \
                             where session_id = $1 and guest_id <> all ($2)) \
         insert into events.session_guests (session_id, event_id, guest_id) \
         select s.id, s.event_id, g from events.sessions s, unnest($2::uuid[]) g where s.id = $1 \
         on conflict do nothing";
    call.query(sql, binds![session, guests]).await.map(drop)
}

routes![ListEventSessions, CreateEventSession, UpdateEventSession];
