//! Dispatches interviews through the outbox of webhooks.

use frontdesk_protocol::ToolError;
use frontdesk_protocol::quiz::dispatch::{
    Dispatch, DispatchInterview, DispatchSummary, Dispatched, GetDispatch, ListDispatches, Preview,
    PreviewDispatch,
};
use frontdesk_protocol::record::Record;
use uuid::Uuid;

use crate::call::{Call, Handler, Outcome, SqlByName, Stored};
use crate::database::params;
use crate::hosts::routes;

/// The table of dispatches.
const TABLE: &str = "quiz.dispatches";
/// A dispatch's fields that are not columns.
const COMPUTED: SqlByName = &[
    (
        "guest_name",
        "(select g.name from events.guests g where g.id = t.guest_id)",
    ),
    (
        "form_title",
        "(select f.title from quiz.forms f where f.id = t.form_id)",
    ),
    (
        "responded_at",
        "(select r.created_at from quiz.responses r where r.dispatch_id = t.id)",
    ),
    (
        "fields",
        "(select f.fields from quiz.forms f where f.id = t.form_id)",
    ),
];

impl Stored for Dispatch {
    const TABLE: &'static str = TABLE;
    const COMPUTED: SqlByName = COMPUTED;
}

impl Stored for DispatchSummary {
    const TABLE: &'static str = TABLE;
    const ORDER: &'static str = "t.created_at desc, t.id";
    const FILTERS: SqlByName = &[(
        "is_answered",
        "exists (select from quiz.responses r where r.dispatch_id = t.id) = $",
    )];
    const COMPUTED: SqlByName = COMPUTED;
}

impl Handler for PreviewDispatch {
    async fn handle(self, call: &mut Call) -> Outcome<Preview> {
        let sql = "with p as materialized (select * from quiz.planned($1, $2, $3)), \
               page as (select p.guest_id, p.name, p.outcome, p.name_key from p \
                        order by p.name_key, p.guest_id limit $4 offset $5) \
             select json_build_object( \
               'send', count(*) filter (where p.outcome = 'send'), \
               'already', count(*) filter (where p.outcome = 'already'), \
               'no_chat_id', count(*) filter (where p.outcome = 'no_chat_id'), \
               'guests', (select coalesce(json_agg(json_build_object('guest_id', g.guest_id, 'name', g.name, \
                   'outcome', g.outcome) order by g.name_key, g.guest_id), '[]') from page g), \
               'limit', $4::bigint, 'offset', $5::bigint, \
               'has_more', count(*) > $4::bigint + $5::bigint)::text from p";
        let params = params![
            self.form_id,
            self.event_id,
            self.role,
            self.limit,
            self.offset,
        ];
        let preview = call.json(sql, params).await?;
        preview.ok_or_else(|| ToolError::not_found(Dispatch::SINGULAR))
    }
}

impl Handler for DispatchInterview {
    /// Two statements, so that the second counts the rows that the first one's triggers wrote.
    async fn handle(self, call: &mut Call) -> Outcome<Dispatched> {
        call.has_webhooks();
        let send = "insert into quiz.dispatches (form_id, event_id, guest_id) \
             select $1, $2, p.guest_id from quiz.planned($1, $2, $3) p where p.outcome = 'send' \
             order by p.name_key, p.guest_id limit $4 \
             on conflict (form_id, organization_id, guest_id) do nothing returning id, guest_id";
        let params = params![self.form_id, self.event_id, self.role, self.limit];
        let sent = call.query(send, params).await?;
        let [sent, guests] = [0, 1].map(|column| {
            sent.iter()
                .map(|row| row.get(column))
                .collect::<Vec<Uuid>>()
        });
        let count = "select json_build_object( \
               'dispatched', cardinality($4::uuid[]), \
               'automation_webhook_inserts', webhooks.count_for($4::uuid[]), \
               'remaining', count(*) filter (where p.outcome = 'send'), \
               'already', count(*) filter (where p.outcome = 'already' and p.guest_id <> all ($5)), \
               'no_chat_id', count(*) filter (where p.outcome = 'no_chat_id'))::text \
             from quiz.planned($1, $2, $3) p";
        let params = params![self.form_id, self.event_id, self.role, sent, guests];
        let dispatched = call.json(count, params).await?;
        dispatched.ok_or_else(|| ToolError::not_found(Dispatch::SINGULAR))
    }
}

routes![
    PreviewDispatch => own,
    DispatchInterview => own,
    ListDispatches,
    GetDispatch,
];
