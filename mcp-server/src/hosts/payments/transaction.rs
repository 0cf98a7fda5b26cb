//! Transactions.

use frontdesk_protocol::payments::transaction::{
    GetTransaction, ListTransactions, RecordTransaction, Transaction,
};

use crate::call::{SqlByName, Stored, named};
use crate::hosts::routes;

impl Stored for Transaction {
    const TABLE: &'static str = "payments.transactions";
    const ORDER: &'static str = "t.occurred_on desc, t.id";
    const FILTERS: SqlByName = &[
        ("since", "t.occurred_on >= $"),
        ("until", "t.occurred_on <= $"),
        ("search", "t.found_by like (select app.search_pattern($))"),
    ];
    const COMPUTED: SqlByName = &[named!("recorded_by_name": account "recorded_by")];
}

routes![ListTransactions, GetTransaction, RecordTransaction];
