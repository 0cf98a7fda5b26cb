//! The screens of the Staff-management host.

pub(crate) mod invoice;
pub(crate) mod student;
pub(crate) mod user;
