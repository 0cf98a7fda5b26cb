//! PostgreSQL inside the process.
//!
//! [`Embedded`] opens PostgreSQL 18 (through `oliphaunt-wasix`: the server compiled to
//! WebAssembly and ahead-of-time to machine code) on a thread of its own, and hands out byte
//! streams that speak PostgreSQL's frontend/backend protocol, so that `tokio_postgres` talks to it
//! as it talks to a server:
//!
//! ```no_run
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! use frontdesk_embedded::{Embedded, Storage};
//!
//! let database = Embedded::open(Storage::Memory).await?;
//! let (client, connection) = tokio_postgres::Config::new()
//!     .user("postgres")
//!     .connect_raw(database.connect(), tokio_postgres::NoTls)
//!     .await?;
//! tokio::spawn(connection);
//! let one: i32 = client.query_one("select 1", &[]).await?.get(0);
//! # Ok(())
//! # }
//! ```
//!
//! # What it is, and what it is not
//!
//! The engine is PostgreSQL's single-user backend: one session, no background processes, no timers.
//! Hence:
//!
//! - One connection is served at a time; see [`Embedded::connect`] for what happens to a second.
//! - A running statement can be neither cancelled nor timed out: `statement_timeout` is accepted
//!   and never fires, and a cancel request is ignored. Callers bound the work of a statement.
//! - `COPY … FROM STDIN` is refused with `0A000`: the engine cannot wait for input in the middle
//!   of a statement.
//! - Now and then the engine is replaced by a new one on the same files, which takes some tenths
//!   of a second: between two requests when errors have worn it out, which the client does not
//!   notice, or after a statement that it did not survive (an absurd depth of nesting, say), which
//!   ends the connection. What is committed stays. Users, settings and prepared statements of the
//!   session stay in the first case; temporary tables, cursors, session-level advisory locks,
//!   LISTEN and session-level settings of no extension (`app.x`) do not, so do not build on them.
//! - The session's own user is the superuser `postgres`, and the names in a connection's startup
//!   message are not looked at. There are no passwords; whoever holds the [`Embedded`] may do
//!   everything. `SET SESSION AUTHORIZATION` and `SET ROLE` give rights up, as on any server, and
//!   as on any server what runs in the session can take them back.

mod accept;
mod embedded;
mod engine;
mod error;
mod fatal;
mod place;
mod reply;
mod request;
mod scratch;
mod serve;
mod session;
mod settings;
mod startup;
mod storage;
mod upkeep;
mod wire;

pub use embedded::Embedded;
pub use error::Error;
pub use scratch::Scratch;
pub use storage::Storage;
