//! An event is moved to another time.

use frontdesk_protocol::ToolError;
use frontdesk_protocol::events::event::Event;
use frontdesk_protocol::events::session::Session;
use frontdesk_protocol::ops::event::{MoveEvent, MovedEvent};
use frontdesk_protocol::record::Record;

use crate::call::{Call, Handler, Outcome, columns};
use crate::database::params;
use crate::hosts::routes;

/// The most conflicts that are named: the earliest.
const MOST_CONFLICTS: u32 = 50;

/// A time `x` moved as far as the event, on the clock of the organisation.
fn moved(x: &str) -> String {
    format!("({x} at time zone b.zone + b.by) at time zone b.zone")
}

impl Handler for MoveEvent {
    async fn handle(self, call: &mut Call) -> Outcome<MovedEvent> {
        call.set_dry_run(self.dry_run);
        let look = "select start_at is not null from events.events where id = $1 for update";
        let found = call.query(look, params![self.event_id]).await?;
        let Some(row) = found.first() else {
            return Err(ToolError::not_found(Event::SINGULAR).on("event_id"));
        };
        if !row.get::<_, bool>(0) {
            let error = ToolError::invalid("event_id", "is of an event without a time");
            return Err(error.hint("set its time with update_event"));
        }
        let sql = format!(
            "with b as materialized (select e.id, z.time_zone as zone, \
                 ($2::timestamptz at time zone z.time_zone) - (e.start_at at time zone z.time_zone) as by, \
                 ($2::timestamptz at time zone z.time_zone)::date - (e.start_at at time zone z.time_zone)::date as days \
               from events.events e join app.organizations z on z.id = e.organization_id where e.id = $1), \
             moved as (update events.events t set start_at = $2, end_at = {end} from b where t.id = b.id returning {event}), \
             sessions as (update events.sessions t set start_time = {begins}, end_time = {ends} \
               from b where t.event_id = b.id and coalesce(t.start_time, t.end_time) is not null returning {session}), \
             places as (update events.places t set opens_at = {opens}, closes_at = {closes} \
               from b where t.event_id = b.id and coalesce(t.opens_at, t.closes_at) is not null returning t.name), \
             others as materialized ( \
               select o.id, o.title, o.location, e.name as event, o.start_time, app.search_key(o.location) as room, \
                 coalesce(o.end_time, o.start_time + interval '1 minute') as ends \
               from (select min(s.start_time) as first, max(coalesce(s.end_time, s.start_time + interval '1 minute')) as last \
                     from sessions s) b \
               join events.sessions o on o.start_time < b.last \
                 and coalesce(o.end_time, o.start_time + interval '1 minute') > b.first \
               join events.events e on e.id = o.event_id where o.event_id <> $1 and o.location <> ''), \
             tasks as (update events.tasks t set start_date = t.start_date + b.days, due_date = t.due_date + b.days from b \
               where t.event_id = b.id and t.status <> 'done' and coalesce(t.start_date, t.due_date) is not null \
                 and b.days <> 0 \
               returning concat_ws(': ', t.title, (select m.name from learn.members m where m.id = t.assignee_id)) as words) \
             select json_build_object('dry_run', $3::boolean, \
               'event', (select row_to_json(m) from moved m), \
               'sessions', (select coalesce(json_agg(s order by s.start_time, s.id), '[]') from sessions s), \
               'places', (select coalesce(json_agg(p.name order by p.name), '[]') from places p), \
               'tasks', (select coalesce(json_agg(t.words order by t.words), '[]') from tasks t), \
               'conflicts', (select coalesce(json_agg(distinct c.words), '[]') from (select \
                   format('%s and %s of %s, in %s', app.quoted(s.title), app.quoted(o.title), app.quoted(o.event), app.quoted(o.location)) as words \
                 from (select s.*, app.search_key(s.location) as room from sessions s where s.location <> '' \
                       order by s.start_time, s.id) s \
                 cross join lateral (select o.* from others o where o.room = s.room \
                     and o.start_time < coalesce(s.end_time, s.start_time + interval '1 minute') \
                     and o.ends > s.start_time order by o.start_time, o.id limit {MOST_CONFLICTS}) o \
                 limit {MOST_CONFLICTS}) c), \
               'guests', (select count(*) from events.guests g where g.event_id = $1))::text",
            end = moved("t.end_at"),
            begins = moved("t.start_time"),
            ends = moved("t.end_time"),
            opens = moved("t.opens_at"),
            closes = moved("t.closes_at"),
            event = columns::<Event>(),
            session = columns::<Session>(),
        );
        let params = params![self.event_id, self.start_at, self.dry_run];
        let moved = call.json(&sql, params).await?;
        moved.ok_or_else(|| ToolError::not_found(Event::SINGULAR).on("event_id"))
    }
}

routes![MoveEvent => own];
