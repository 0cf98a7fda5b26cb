//! Events.

use frontdesk_protocol::ToolError;
use frontdesk_protocol::events::event::{
    CreateEvent, Event, EventWithArrivals, GetEvent, ListEvents, UpdateEvent,
};
use frontdesk_protocol::events::guest::Guest;
use frontdesk_protocol::record::Maybe;
use uuid::Uuid;

use crate::call::{Call, Handler, Outcome, SqlByName, Stored, columns, named};
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
        let mut parts = vec![
            ("recent_arrivals", arrivals.to_owned()),
            ("ticket_tags", tickets.to_owned()),
        ];
        if let Some(since) = &call.meta.guests_since {
            let place = Place::read(since).ok_or_else(|| {
                ToolError::invalid(
                    "_meta.frontdesk/guestsSince",
                    "must be empty, or `guest_changes.next` of an earlier result",
                )
            })?;
            parts.push(("guest_changes", place.changes()));
        }
        call.find_with::<Event, _>(&self, &parts).await
    }
}

/// Up to where a reader has the changes of an event's guests.
#[derive(Debug, Default)]
struct Place {
    /// The transaction of the next change; none before the first call.
    transaction: Option<u64>,
    /// Within that transaction: the last guest that the reader has, and the oldest transaction that was running when it
    /// began to read. Those that end meanwhile come next.
    within: Option<(Uuid, u64)>,
}

impl Place {
    /// Reads `TRANSACTION`, or `TRANSACTION.GUEST.OLDEST` between two parts of an answer.
    fn read(text: &str) -> Option<Place> {
        if text.is_empty() {
            return Some(Place::default());
        }
        let mut parts = text.splitn(3, '.');
        let transaction = parts.next()?.parse().ok()?;
        let within = match (parts.next(), parts.next()) {
            (None, _) => None,
            (Some(guest), oldest) => Some((guest.parse().ok()?, oldest?.parse().ok()?)),
        };
        Some(Place {
            transaction: Some(transaction),
            within,
        })
    }

    /// The changes after this place of the guests of the event `o`, as JSON; null if the place is of another database.
    fn changes(&self) -> String {
        let running = "pg_snapshot_xmin(pg_current_snapshot())";
        let Some(transaction) = self.transaction else {
            return format!(
                "(select json_build_object('guests', '[]'::json, 'has_more', false, 'next', {running}::text))"
            );
        };
        let (guest, oldest) = match self.within {
            Some((guest, oldest)) => (guest, format!("'{oldest}'::xid8")),
            None => (Uuid::nil(), running.to_owned()),
        };
        let columns = columns::<Guest>();
        format!(
            "(select case when '{transaction}'::xid8 <= s.next then json_build_object( \
                 'guests', coalesce(json_agg(c.guest order by c.place) filter (where c.place <= {MOST}), '[]'), \
                 'has_more', count(*) > {MOST}, \
                 'next', case when count(*) > {MOST} \
                   then max(c.changed_in || '.' || c.id || '.') filter (where c.place = {MOST}) else '' end || {oldest}) \
               end \
              from (select pg_snapshot_xmax(pg_current_snapshot()) as next) s \
              left join lateral ( \
                select t.changed_in, t.id, row_number() over (order by t.changed_in, t.id) as place, \
                  (select row_to_json(r) from (select {columns}) r) as guest \
                from events.guests t \
                where t.event_id = o.id and (t.changed_in, t.id) > ('{transaction}'::xid8, '{guest}'::uuid) \
                  and t.changed_in < s.next \
                order by t.changed_in, t.id limit {MOST} + 1) c on true \
              group by s.next)"
        )
    }
}

/// The most changed guests in one answer.
const MOST: u32 = 50;

routes![
    ListEvents,
    GetEvent => own,
    CreateEvent,
    UpdateEvent,
];
