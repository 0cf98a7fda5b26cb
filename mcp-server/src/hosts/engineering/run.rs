//! Spec runs.

use frontdesk_protocol::engineering::run::{ListSpecRuns, SpecRun, StartSpecRun, UpdateSpecRun};

use crate::call::{SqlByName, Stored, named};
use crate::hosts::routes;

impl Stored for SpecRun {
    const TABLE: &'static str = "engineering.spec_runs";
    const ORDER: &'static str = "t.started_at desc, t.id";
    const FILTERS: SqlByName = &[("search", "t.title_key like (select app.search_pattern($))")];
    const FINDER: Option<&'static str> = Some("engineering.find_spec_runs");
    const COMPUTED: SqlByName = &[named!("started_by_name": account "started_by")];
}

routes![ListSpecRuns, StartSpecRun, UpdateSpecRun,];
