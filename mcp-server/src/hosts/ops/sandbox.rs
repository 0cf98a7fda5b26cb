//! Sandboxes.

use frontdesk_protocol::ops::sandbox::{
    CreateSandbox, EndSandbox, ListSandboxes, ReportSandbox, Sandbox,
};
use frontdesk_protocol::record::One;
use serde_json::json;

use crate::call::{Call, Handler, Outcome, SqlByName, Stored, named};
use crate::database::params;
use crate::hosts::routes;

/// A sandbox's status, from its end and the clock.
macro_rules! status {
    () => {
        "case when t.ended_at is not null then 'ended' \
              when t.expires_at <= now() then 'expired' else 'running' end"
    };
}

impl Stored for Sandbox {
    const TABLE: &'static str = "ops.sandboxes";
    const ORDER: &'static str = "t.created_at desc, t.id";
    const FILTERS: SqlByName = &[
        ("search", "t.name_key like (select app.search_pattern($))"),
        ("status", concat!(status!(), " = $")),
    ];
    const COMPUTED: SqlByName = &[
        named!("created_by_name": account "created_by"),
        ("status", status!()),
    ];
}

impl Handler for ReportSandbox {
    async fn handle(self, call: &mut Call) -> Outcome<One<Sandbox>> {
        let sql = "select ops.report_sandbox($1, $2)";
        call.query(sql, params![self.id, self.url]).await?;
        call.finally().one(self.id).await
    }
}

impl Handler for EndSandbox {
    /// PostgreSQL reads `now` as the start of the transaction.
    async fn handle(self, call: &mut Call) -> Outcome<One<Sandbox>> {
        call.has_webhooks();
        call.finally()
            .change(self.id, &json!({ "ended_at": "now" }))
            .await
    }
}

routes![
    ListSandboxes,
    CreateSandbox,
    ReportSandbox => own,
    EndSandbox => own,
];
