//! What is declared against what is served.

mod budget;
mod business_unit;
mod demo;
mod output;
mod schema;
mod work;
