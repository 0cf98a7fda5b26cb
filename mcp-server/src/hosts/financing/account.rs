//! The chart of accounts.

use frontdesk_protocol::financing::account::{Account, CreateAccount, ListAccounts};

use crate::call::{SqlByName, Stored};
use crate::hosts::routes;

impl Stored for Account {
    const TABLE: &'static str = "financing.accounts";
    const ORDER: &'static str = "t.code, t.id";
    const FILTERS: SqlByName = &[("search", "t.found_by like (select app.search_pattern($))")];
}

routes![ListAccounts, CreateAccount];
