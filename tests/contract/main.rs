//! What is declared against what is served.

mod budget;
mod business_unit;
mod demo;
mod learn;
mod output;
mod schema;
mod work;
