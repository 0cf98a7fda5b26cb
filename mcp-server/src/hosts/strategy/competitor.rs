//! Competitors.

use frontdesk_protocol::strategy::competitor::{
    Competitor, CreateCompetitor, ListCompetitors, UpdateCompetitor,
};

use crate::call::{SqlByName, Stored};
use crate::hosts::routes;

impl Stored for Competitor {
    const TABLE: &'static str = "strategy.competitors";
    const ORDER: &'static str = "t.found_by, t.id";
    const FILTERS: SqlByName = &[("search", "t.found_by like (select app.search_pattern($))")];
}

routes![ListCompetitors, CreateCompetitor, UpdateCompetitor];
