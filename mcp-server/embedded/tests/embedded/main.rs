//! The database as its clients see it, through `tokio_postgres`.

#![allow(clippy::unwrap_used)]

mod connections;
mod engine;
mod rights;
mod statements;
mod storage;
mod support;
