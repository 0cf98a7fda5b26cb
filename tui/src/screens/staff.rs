//! The screens of the Staff-management host.

pub(crate) mod invoice;
pub(crate) mod link;
pub(crate) mod student;
pub(crate) mod user;
