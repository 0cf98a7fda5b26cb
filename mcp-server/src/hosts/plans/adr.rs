//! ADRs.

use frontdesk_protocol::plans::adr::{Adr, CreateAdr, GetAdr, ListAdrs, SetAdrStatus};

use crate::call::{SqlByName, Stored, named};
use crate::hosts::routes;

impl Stored for Adr {
    const TABLE: &'static str = "plans.adrs";
    const ORDER: &'static str = "t.created_at desc, t.id";
    const FILTERS: SqlByName = &[("search", "t.title_key like (select app.search_pattern($))")];
    const COMPUTED: SqlByName = &[named!("created_by_name": account "created_by")];
}

routes![ListAdrs, GetAdr, CreateAdr, SetAdrStatus];
