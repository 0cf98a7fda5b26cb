//! The database below the hosts: its catalogue, its transactions and its search.

mod catalogue;
mod closed;
mod connection;
mod constraint;
mod growth;
mod guests;
mod history;
mod json;
mod kept;
mod ledger;
mod people;
mod search;
mod series;
mod session;
mod transaction;
