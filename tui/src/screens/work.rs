//! What is particular to the work host: business units, series of meetings.

pub(crate) mod business_unit;
mod occurrence;
pub(crate) mod plan;
pub(crate) mod series;
