//! Cohorts.

use frontdesk_protocol::learn::cohort::{Cohort, CreateCohort, ListCohorts, UpdateCohort};

use crate::call::{SqlByName, Stored};
use crate::hosts::routes;

impl Stored for Cohort {
    const TABLE: &'static str = "learn.cohorts";
    const ORDER: &'static str = "t.starts_on desc nulls last, t.slug, t.id";
    const FILTERS: SqlByName = &[("search", "t.found_by like (select app.search_pattern($))")];
}

routes![ListCohorts, CreateCohort, UpdateCohort];
