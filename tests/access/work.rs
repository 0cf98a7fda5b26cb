//! The work host: who reads meetings and who changes them, docs/access.md as tests.

mod below;
mod case;
mod cells;
mod foreign;
mod listing;
mod rank;
mod stage;
mod table;

pub(crate) use stage::Meetings;
