//! Personas.

use frontdesk_protocol::strategy::persona::{
    CreatePersona, DeletePersona, ListPersonas, Persona, UpdatePersona,
};

use crate::call::{SqlByName, Stored, named};
use crate::hosts::routes;

impl Stored for Persona {
    const TABLE: &'static str = "strategy.personas";
    const ORDER: &'static str = "t.found_by, t.id";
    const FILTERS: SqlByName = &[("search", "t.found_by like (select app.search_pattern($))")];
    const COMPUTED: SqlByName = &[named!("business_unit_name": unit "business_unit_id")];
}

routes![ListPersonas, CreatePersona, UpdatePersona, DeletePersona];
