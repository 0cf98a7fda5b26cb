//! The declarations against the served lists.

mod budget;
mod demo;
mod hosts;
mod output;
mod schema;
mod work;
