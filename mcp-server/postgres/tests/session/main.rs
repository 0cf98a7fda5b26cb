//! Tests of sessions through their public interface: with the embedded database, and with a server that
//! the test scripts.

#![allow(clippy::unwrap_used)]

mod flight;
mod json;
mod line;
mod server;
mod statement;
mod trouble;
