//! Sessions as who holds one sees them: over the embedded database, and over a server that says what the
//! test has it say.

#![allow(clippy::unwrap_used)]

mod flight;
mod line;
mod server;
mod statement;
mod trouble;
