//! What is declared against what is served.

mod output;
mod schema;
mod work;
