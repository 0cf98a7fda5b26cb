//! Screens of the work host: series of meetings.

mod occurrence;
pub(crate) mod plan;
pub(crate) mod series;
