//! The screens of the Events host, one file per resource.

pub(crate) mod arrivals;
pub(crate) mod event;
pub(crate) mod expense;
pub(crate) mod photo;
pub(crate) mod session;
pub(crate) mod task;
#[cfg(test)]
mod tests;
