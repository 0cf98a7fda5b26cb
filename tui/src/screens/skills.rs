//! The screens of the Skills host.

pub(crate) mod skill;
