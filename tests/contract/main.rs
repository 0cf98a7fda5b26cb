//! What is declared against what is served.

mod budget;
mod demo;
mod hosts;
mod output;
mod schema;
mod work;
