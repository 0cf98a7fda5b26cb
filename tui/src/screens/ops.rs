//! The screens of the Platform host.

pub(crate) mod agenda;
pub(crate) mod change;
pub(crate) mod media;
pub(crate) mod message;
