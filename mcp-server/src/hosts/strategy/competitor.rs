//! Competitors.

use frontdesk_protocol::strategy::competitor::{
    Competitor, CreateCompetitor, DeleteCompetitor, ListCompetitors, UpdateCompetitor,
};

use crate::call::{SqlByName, Stored, named};
use crate::hosts::routes;

impl Stored for Competitor {
    const TABLE: &'static str = "strategy.competitors";
    const ORDER: &'static str = "t.found_by, t.id";
    const FILTERS: SqlByName = &[("search", "t.found_by like (select app.search_pattern($))")];
    const COMPUTED: SqlByName = &[named!("business_unit_name": unit "business_unit_id")];
}

routes![
    ListCompetitors,
    CreateCompetitor,
    UpdateCompetitor,
    DeleteCompetitor
];
