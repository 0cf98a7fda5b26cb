//! What is declared against what is served.

mod demo;
mod output;
mod schema;
mod work;
