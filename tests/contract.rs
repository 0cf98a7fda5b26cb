//! The declarations against the served lists.

mod budget;
mod checked;
pub(crate) mod demo;
mod hosts;
mod listing;
mod output;
mod schema;
mod security;
mod specification;
mod work;
