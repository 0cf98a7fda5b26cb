//! The screens. The module of a resource's screen corresponds to that of its tools in `protocol`.

pub(crate) mod account;
pub(crate) mod allowed;
pub(crate) mod areas;
pub(crate) mod engineering;
pub(crate) mod events;
pub(crate) mod financing;
pub(crate) mod home;
pub(crate) mod learn;
pub(crate) mod log;
pub(crate) mod ops;
pub(crate) mod palette;
pub(crate) mod payments;
pub(crate) mod plans;
pub(crate) mod quiz;
pub(crate) mod servers;
pub(crate) mod sign_in;
pub(crate) mod skills;
pub(crate) mod staff;
pub(crate) mod start;
pub(crate) mod studio;
#[cfg(test)]
mod tests;
pub(crate) mod themes;
pub(crate) mod work;
