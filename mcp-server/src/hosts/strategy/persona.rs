//! Personas.

use frontdesk_protocol::strategy::persona::{CreatePersona, ListPersonas, Persona, UpdatePersona};

use crate::call::{SqlByName, Stored};
use crate::hosts::routes;

impl Stored for Persona {
    const TABLE: &'static str = "strategy.personas";
    const ORDER: &'static str = "t.found_by, t.id";
    const FILTERS: SqlByName = &[("search", "t.found_by like (select app.search_pattern($))")];
}

routes![ListPersonas, CreatePersona, UpdatePersona];
