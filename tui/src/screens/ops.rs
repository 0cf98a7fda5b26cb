//! The screens of the Platform host.

pub(crate) mod media;
