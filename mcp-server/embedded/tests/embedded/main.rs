//! Tests of the database through `tokio_postgres`, as its clients see it.

#![allow(clippy::unwrap_used)]

mod connections;
mod engine;
mod rights;
mod statements;
mod storage;
mod support;
