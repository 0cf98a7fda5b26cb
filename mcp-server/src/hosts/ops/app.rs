//! Apps of the platform.

use frontdesk_protocol::ops::app::{App, ListApps, RegisterApp};

use crate::call::{SqlByName, Stored, named};
use crate::hosts::routes;

impl Stored for App {
    const TABLE: &'static str = "ops.apps";
    const ORDER: &'static str = "t.found_by, t.id";
    const FILTERS: SqlByName = &[("search", "t.found_by like (select app.search_pattern($))")];
    const COMPUTED: SqlByName = &[named!("account_name": account "account_id")];
}

routes![ListApps, RegisterApp];
