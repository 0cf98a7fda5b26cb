//! What is particular to the plans host.

pub(crate) mod plan;

pub(crate) use plan::adding;
