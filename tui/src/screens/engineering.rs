//! The screens of the Engineering host.

pub(crate) mod document;
