//! Access rights cell by cell: docs/access.md as tests, over the wire and with real accounts.

mod below;
mod chat;
#[path = "costs/calls.rs"]
mod costs;
mod counts;
mod document;
mod fellow;
mod foreign;
mod hosts;
mod reach;
mod reading;
mod repeat;
mod resources;
mod revocation;
mod stage;
mod teacher;
mod undo;
mod verdict;
mod who;
mod work;
