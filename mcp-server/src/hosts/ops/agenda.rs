//! The agenda: one statement over the tables of its kinds. Each is read by an index on its day, and gives at most as
//! many rows as the page needs.

use frontdesk_protocol::ToolError;
use frontdesk_protocol::ops::agenda::{AgendaItem, ListAgenda};
use frontdesk_protocol::record::List;

use crate::call::{Call, Handler, Outcome};
use crate::hosts::routes;

/// How many days an event can have begun before the first day.
const RUNNING: u32 = 31;

/// For each kind: its word; the columns `id`, `title`, `context`, `day`, `starts_at`, `ends_at` and `status`; the rows; and
/// their order. `w` has the requested days and their beginning and end.
const KINDS: [(&str, &str, &str, &str); 6] = [
    (
        "event",
        "t.id, t.name, null, (greatest(t.start_at, w.since) at time zone w.zone)::date, t.start_at, t.end_at, null",
        "events.events t where t.start_at >= w.since - w.running and t.start_at < w.until \
         and coalesce(t.end_at, t.start_at) >= w.since",
        "t.start_at, t.id",
    ),
    (
        "session",
        "t.id, t.title, (select e.name from events.events e where e.id = t.event_id), \
         (t.start_time at time zone w.zone)::date, t.start_time, t.end_time, null",
        "events.sessions t where t.start_time >= w.since and t.start_time < w.until",
        "t.start_time, t.id",
    ),
    (
        "meeting",
        "t.id, t.title, null, (t.meeting_date at time zone w.zone)::date, t.meeting_date, null, null",
        "work.meetings t where t.meeting_date >= w.since and t.meeting_date < w.until",
        "t.meeting_date, t.id",
    ),
    (
        "task",
        "t.id, t.name, t.identifier, t.estimated_date, null, null, t.status",
        "work.tasks t where t.estimated_date between w.first and w.last and t.status <> 'no_longer_needed'",
        "t.estimated_date, t.id",
    ),
    (
        "tender",
        "t.id, t.title, t.issuer, (t.deadline_at at time zone w.zone)::date, t.deadline_at, null, null",
        "proposals.tenders t where t.deadline_at >= w.since and t.deadline_at < w.until",
        "t.deadline_at, t.id",
    ),
    (
        "invoice",
        "t.id, t.name, null, t.due_on, null, null, t.status",
        "staff.invoices t where t.due_on between w.first and w.last and t.status in ('draft', 'sent')",
        "t.due_on, t.number",
    ),
];

impl Handler for ListAgenda {
    async fn handle(self, call: &mut Call) -> Outcome<List<AgendaItem>> {
        let (from, to) = (self.from.map(|day| day.get()), self.to.map(|day| day.get()));
        if let (Some(from), Some(to)) = (from, to)
            && to < from
        {
            return Err(ToolError::invalid("to", "must not be before from"));
        }
        let kind = self.kind.map(|kind| kind.name());
        let select = move |limit: &str, offset: &str| {
            let kinds = KINDS
                .iter()
                .filter(|(word, ..)| kind.is_none_or(|kind| kind == *word));
            let kinds = kinds.map(|(word, columns, rows, order)| {
                format!(
                    "(select {columns}, '{word}' from w, lateral (select * from {rows} order by {order} \
                     limit {limit} + {offset} + 1) t)"
                )
            });
            format!(
                "with d as (select o.time_zone as zone, \
                     coalesce($1::date, (now() at time zone o.time_zone)::date) as first \
                   from app.organizations o where o.id = app.caller_org()), \
                 s as (select d.*, coalesce($2::date, d.first + 6) as last from d), \
                 w as (select s.*, s.first::timestamp at time zone s.zone as since, \
                     (s.last + 1)::timestamp at time zone s.zone as until, \
                     interval '{RUNNING} days' as running from s) \
                 select t.id, t.kind, t.title, t.context, t.day, t.starts_at, t.ends_at, t.status \
                 from ({}) t (id, title, context, day, starts_at, ends_at, status, kind) \
                 order by t.day, t.starts_at nulls first, t.title, t.id limit {limit} + 1 offset {offset}",
                kinds.collect::<Vec<_>>().join(" union all "),
            )
        };
        call.page(select, vec![&from, &to], self.limit, self.offset)
            .await
    }
}

routes![ListAgenda => own];
