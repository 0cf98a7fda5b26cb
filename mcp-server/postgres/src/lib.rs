//! PostgreSQL sessions that send several statements at once.
//!
//! A flight is any number of statements sent as one message and answered as one: PostgreSQL runs them up
//! to a single `Sync`, and skips the rest after one that fails. A transaction that begins, sets the
//! caller, runs a statement and ends takes one flight. `tokio_postgres` ends each statement with a `Sync`
//! of its own, so each needs an answer that wakes both sides: twice the processor time for a short read.
//!
//! The crate dials; `tokio_postgres` negotiates TLS and logs in. A [`Session`] then takes over the stream.
//! The messages come from `postgres_protocol`, the types from `tokio_postgres::types`.
//!
//! A session belongs to one task at a time and reads only while that task waits for it: it needs no
//! background task and no channel.

mod address;
mod cancel;
mod error;
mod json;
mod login;
mod row;
mod session;
mod statement;

pub use error::{Error, Refusal};
pub use row::{ColumnIndex, Row};
pub use session::{Answer, Command, Params, Session};
pub use statement::Column;
