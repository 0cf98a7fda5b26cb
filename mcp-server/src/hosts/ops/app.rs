//! Apps of the platform.

use frontdesk_protocol::ops::app::{App, ListApps, RegisterApp};

use crate::call::{SqlByName, Stored};
use crate::hosts::routes;

impl Stored for App {
    const TABLE: &'static str = "ops.apps";
    const ORDER: &'static str = "t.found_by, t.id";
    const FILTERS: SqlByName = &[("search", "t.found_by like (select app.search_pattern($))")];
}

routes![ListApps, RegisterApp];
