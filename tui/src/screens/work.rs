//! What is particular to the work host: projects down to tasks and their board, business units, series of
//! meetings, a week's work.

pub(crate) mod board;
pub(crate) mod business_unit;
pub(crate) mod delivery;
pub(crate) mod epic;
mod occurrence;
pub(crate) mod plan;
pub(crate) mod project;
pub(crate) mod series;
mod states;
pub(crate) mod task;
pub(crate) mod week;
