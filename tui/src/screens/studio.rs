//! The screens of the Lesson Studio host.

pub(crate) mod thumbnail;
