//! The screens. A resource's screen lies where its tools lie in `protocol`.

pub(crate) mod check_in;
pub(crate) mod events;
pub(crate) mod home;
pub(crate) mod learn;
pub(crate) mod log;
pub(crate) mod palette;
pub(crate) mod plans;
pub(crate) mod sign_in;
#[cfg(test)]
mod tests;
pub(crate) mod work;
