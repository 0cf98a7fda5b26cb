//! The screens of the Platform host.

pub(crate) mod media;
pub(crate) mod message;
