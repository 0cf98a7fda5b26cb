//! The journal.

use frontdesk_protocol::ToolError;
use frontdesk_protocol::financing::journal::{
    EntrySummary, GetJournalEntry, JournalEntry, ListJournalEntries, PostJournalEntry,
    ReverseJournalEntry,
};
use frontdesk_protocol::record::{One, Record};
use uuid::Uuid;

use crate::call::{Call, Handler, Outcome, SqlByName, Stored, named};
use crate::database::params;
use crate::hosts::routes;

const TABLE: &str = "financing.journal_entries";
const AMOUNT: (&str, &str) = (
    "amount",
    "(select sum(l.amount) from financing.journal_lines l where l.entry_id = t.id and l.side = 'debit')",
);
const REVERSED_BY: (&str, &str) = (
    "reversed_by_id",
    "(select r.id from financing.journal_entries r where r.reverses_id = t.id)",
);

impl Stored for EntrySummary {
    const TABLE: &'static str = TABLE;
    const ORDER: &'static str = "t.entry_on desc, t.posted_at desc, t.id";
    const FILTERS: SqlByName = &[
        (
            "account_id",
            "exists (select from financing.journal_lines l where l.entry_id = t.id and l.account_id = $)",
        ),
        ("since", "t.entry_on >= $"),
        ("until", "t.entry_on <= $"),
        (
            "search",
            "t.description_key like (select app.search_pattern($))",
        ),
    ];
    const COMPUTED: SqlByName = &[AMOUNT, REVERSED_BY];
}

impl Stored for JournalEntry {
    const TABLE: &'static str = TABLE;
    const COMPUTED: SqlByName = &[
        named!("posted_by_name": account "posted_by"),
        AMOUNT,
        REVERSED_BY,
        ("lines", "financing.lines(t.id)"),
        (
            "statement_line_ids",
            "array(select l.id from financing.statement_lines l where l.journal_entry_id = t.id order by l.id)",
        ),
    ];
}

impl Handler for PostJournalEntry {
    async fn handle(self, call: &mut Call) -> Outcome<One<JournalEntry>> {
        let lines = serde_json::json!(self.lines);
        let params = params![self.entry_on, self.description, lines];
        let posted = call.query("select financing.post($1, $2, $3)", params);
        let rows = posted
            .await
            .map_err(|refusal| refusal.called("account_id", "lines"))?;
        call.finally()
            .one(rows.first().map(|row| row.get::<_, Uuid>(0)))
            .await
    }
}

impl Handler for ReverseJournalEntry {
    async fn handle(self, call: &mut Call) -> Outcome<One<JournalEntry>> {
        let params = params![self.id, self.entry_on, self.description];
        let rows = call
            .query("select financing.reverse($1, $2, $3)", params)
            .await?;
        match rows.first().and_then(|row| row.get::<_, Option<Uuid>>(0)) {
            Some(id) => call.finally().one(id).await,
            None => Err(ToolError::not_found(JournalEntry::SINGULAR).on("id")),
        }
    }
}

routes![
    ListJournalEntries,
    GetJournalEntry,
    PostJournalEntry => own,
    ReverseJournalEntry => own,
];
