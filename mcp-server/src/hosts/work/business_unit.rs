//! Business units.

use frontdesk_protocol::work::business_unit::{
    BusinessUnit, CreateBusinessUnit, DeleteBusinessUnit, GetBusinessUnit, ListBusinessUnits,
    UpdateBusinessUnit,
};

use crate::call::{SqlByName, Stored};
use crate::hosts::routes;

impl Stored for BusinessUnit {
    const TABLE: &'static str = "strategy.business_units";
    const ORDER: &'static str = "t.name_key, t.id";
    const FILTERS: SqlByName = &[
        ("search", "t.name_key like (select app.search_pattern($))"),
        ("tag", "$ = any (t.tags)"),
    ];
    const COMPUTED: SqlByName = &[("tags", "coalesce(t.tags, '{}')")];
    const GUARD: Option<&'static str> = Some("select strategy.require_business_units()");
}

routes![
    ListBusinessUnits,
    GetBusinessUnit,
    CreateBusinessUnit,
    UpdateBusinessUnit,
    DeleteBusinessUnit,
];
