//! Spec runs.

use frontdesk_protocol::engineering::run::{ListSpecRuns, SpecRun, StartSpecRun, UpdateSpecRun};
use frontdesk_protocol::record::One;

use crate::call::{Call, Handler, Outcome, SqlByName, Stored, named};
use crate::hosts::routes;

impl Stored for SpecRun {
    const TABLE: &'static str = "engineering.spec_runs";
    const ORDER: &'static str = "t.started_at desc, t.id";
    const FILTERS: SqlByName = &[("search", "t.title_key like (select app.search_pattern($))")];
    const FINDER: Option<&'static str> = Some("engineering.find_spec_runs");
    const COMPUTED: SqlByName = &[named!("started_by_name": account "started_by")];
}

impl Handler for StartSpecRun {
    async fn handle(self, call: &mut Call) -> Outcome<One<SpecRun>> {
        call.has_webhooks();
        call.finally().create(&self).await
    }
}

routes![
    ListSpecRuns,
    StartSpecRun => own,
    UpdateSpecRun,
];
