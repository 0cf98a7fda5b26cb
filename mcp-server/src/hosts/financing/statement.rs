//! Lines of bank statements.

use frontdesk_protocol::ToolError;
use frontdesk_protocol::financing::statement::{
    IngestStatement, Ingested, ListUnreconciled, ReconcileLine, StatementLine, UnreconcileLine,
};
use frontdesk_protocol::record::{List, One, Record};
use serde_json::json;

use super::told;
use crate::call::{Admission, Call, Handler, Outcome, SqlByName, Stored, object};
use crate::database::params;
use crate::hosts::routes;

impl Stored for StatementLine {
    const TABLE: &'static str = "financing.statement_lines";
    const ORDER: &'static str = "t.posted_on, t.id";
    const FILTERS: SqlByName = &[
        (
            "search",
            "t.description_key like (select app.search_pattern($))",
        ),
        ("is_open", "t.journal_entry_id is null"),
    ];
    const COMPUTED: SqlByName = &[("reference", "nullif(t.reference, '')")];
}

/// Numbers equal lines of a day, told and known, and pairs them. A line that is new while one with its amount has
/// disappeared from these days, was pending or has its reference may be the same: it is questionable. Lines are compared
/// by amount and day, so that many of one amount do not meet each other.
const INGEST: &str = "with read as ( \
       select l.*, lower(trim(regexp_replace(normalize(l.description, NFC), '\\s+', ' ', 'g'))) as key \
       from jsonb_to_recordset($2) as l (line int, date date, amount numeric, description text, reference text, \
         doubt text)), \
     told as ( \
       select r.*, row_number() over (partition by date, amount, key, reference order by line) as nth from read r), \
     days as (select min(date) as first, max(date) as last from told), \
     known as ( \
       select e.posted_on as date, e.amount, e.description, k.key, e.reference, \
         row_number() over (partition by e.posted_on, e.amount, k.key, e.reference order by e.nth, e.id) as nth \
       from days, financing.statement_lines e, \
         lateral (select lower(trim(regexp_replace(normalize(e.description, NFC), '\\s+', ' ', 'g'))) as key) k \
       where e.account_id = $1 and e.posted_on between days.first - 7 and days.last + 7), \
     fresh as (select t.* from told t left join known k using (date, amount, key, reference, nth) where k.key is null), \
     gone as materialized ( \
       select k.amount, k.date, k.reference, min(k.description) as description, \
         bool_or(k.date between days.first and days.last or k.key ~ $3) as is_near \
       from days, known k left join told t using (date, amount, key, reference, nth) where t.key is null group by 1, 2, 3), \
     near as (select g.amount, g.date, min(g.description) as description from gone g where g.is_near group by 1, 2), \
     questionable as ( \
       select distinct on (m.line) m.line, m.known, m.doubt \
       from (select f.line, abs(f.date - g.date) as days, format('%s %s', g.date, g.description) as known, f.doubt \
             from fresh f join near g on g.amount = f.amount and g.date between f.date - 7 and f.date + 7 \
             union all \
             select f.line, abs(f.date - g.date), format('%s %s', g.date, g.description), f.doubt \
             from fresh f join gone g on g.amount = f.amount and g.reference = f.reference \
             where f.reference <> '' and g.date between f.date - 7 and f.date + 7 \
             union all select f.line, 8, null, f.doubt from fresh f where f.doubt is not null) m \
       order by m.line, m.days, m.known), \
     added as ( \
       insert into financing.statement_lines (account_id, posted_on, amount, description, reference, nth) \
       select $1, date, amount, description, reference, nth from fresh \
       where line = any($4::bigint[]) or line not in (select line from questionable) \
       on conflict do nothing returning 1) \
     select json_strip_nulls(json_build_object( \
       'added', (select count(*) from added), \
       'already_there', (select count(*) from told) - (select count(*) from added) \
         - (select count(*) from questionable where line <> all($4::bigint[])), \
       'questionable', (select json_agg(json_build_object('line', q.line, 'known', q.known, 'reason', q.doubt) \
         order by q.line) from questionable q), \
       'dry_run', $6::boolean, \
       'lines', case when $6::boolean then (select json_agg(json_build_object('line', t.line, 'date', t.date, \
           'amount', t.amount, 'description', t.description, 'outcome', \
           case when f.line is null then 'same' when q.line is null or t.line = any($4::bigint[]) then 'add' else 'questionable' end) \
           order by t.line) \
         from told t left join fresh f using (line) left join questionable q using (line)) end, \
       'unknown_columns', $5::json))::text";

impl Handler for IngestStatement {
    const ADMISSION: Option<Admission> = Some(Admission::Add(StatementLine::TABLE));

    async fn handle(self, call: &mut Call) -> Outcome<Ingested> {
        call.set_dry_run(self.dry_run);
        let (content, lines) = (self.content, self.lines);
        let own = "select o.currency from app.organizations o where o.id = app.caller_org()";
        let own = call.ahead(own, &[]).await?;
        let own: String = own.first().map(|row| row.get(0)).unwrap_or_default();
        call.begins("reading the statement", 0, 2);
        let statement = call.work(move |permit| match (content, lines) {
            (Some(content), None) => told::read(permit, content.as_str()),
            (None, Some(lines)) => told::of(permit, lines, &own),
            _ => Err(ToolError::invalid(
                "content",
                "give either content or lines",
            )),
        });
        let statement = statement.await??;
        let unknown = statement.unknown_columns;
        let unknown = (!unknown.is_empty()).then(|| json!(unknown));
        let accept: Vec<_> = self.accept.into_iter().flatten().map(i64::from).collect();
        call.begins("adding the lines", 1, 2);
        let ingested = call
            .json(
                INGEST,
                params![
                    self.account_id,
                    json!(statement.lines),
                    told::PENDING,
                    accept,
                    unknown,
                    self.dry_run.0
                ],
            )
            .await?;
        ingested.ok_or_else(|| ToolError::not_found(StatementLine::SINGULAR))
    }
}

impl Handler for ListUnreconciled {
    async fn handle(self, call: &mut Call) -> Outcome<List<StatementLine>> {
        let mut arguments = object(&self);
        arguments.insert("is_open".to_owned(), json!(true));
        call.list(&arguments, self.limit, self.offset).await
    }
}

impl Handler for UnreconcileLine {
    async fn handle(self, call: &mut Call) -> Outcome<One<StatementLine>> {
        call.finally()
            .change(self.id, &json!({ "journal_entry_id": null }))
            .await
    }
}

routes![
    IngestStatement => own,
    ListUnreconciled => own,
    ReconcileLine,
    UnreconcileLine => own,
];
