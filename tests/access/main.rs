//! Access rights cell by cell: docs/access.md as tests, over the wire and with real accounts.

mod below;
mod case;
mod cells;
mod counts;
mod document;
mod fellow;
mod foreign;
mod hosts;
mod listing;
mod matrix;
mod reach;
mod revocation;
mod stage;
mod teacher;
mod verdict;
mod who;
mod work;
