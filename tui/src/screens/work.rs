//! The screens of the Work host: projects, tasks and their board, business units, series of
//! meetings, weekly updates.

pub(crate) mod board;
pub(crate) mod business_unit;
pub(crate) mod delivery;
pub(crate) mod epic;
pub(crate) mod meeting_change;
mod occurrence;
pub(crate) mod project;
pub(crate) mod series;
mod states;
pub(crate) mod task;
pub(crate) mod week;
