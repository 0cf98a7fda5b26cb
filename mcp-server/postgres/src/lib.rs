//! PostgreSQL, a flight at a time.
//!
//! A flight is any number of statements in one message with one answer: PostgreSQL works through them
//! up to a single `Sync`, and skips the rest after one that fails. A transaction that begins, says who
//! calls, asks and ends takes one flight. `tokio_postgres` ends each statement with a `Sync` of its own,
//! and each of them is an answer that wakes both sides: twice the processor time for a short read.
//!
//! Reaching the database and logging in, TLS included, is left to `tokio_postgres`. What it has logged
//! in, a [`Session`] takes over; the messages are those of `postgres_protocol`, the types those of
//! `tokio_postgres::types`.
//!
//! A session belongs to one task at a time and reads only while somebody waits for it: no task of its
//! own, nothing to be handed from one to another.

mod address;
mod cancel;
mod error;
mod login;
mod row;
mod session;
mod statement;

pub use error::{Error, Refusal};
pub use row::{Column, Place, Row};
pub use session::{Command, Params, Session};
