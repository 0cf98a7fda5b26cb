//! PostgreSQL inside the process.
//!
//! [`Embedded`] opens PostgreSQL 18 on its own thread, through `oliphaunt-wasix`: the server
//! compiled to WebAssembly and from there, ahead of time, to machine code. It hands out byte streams
//! that speak PostgreSQL's frontend/backend protocol, so `tokio_postgres` works as with a server:
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
//! # Limits
//!
//! The engine is PostgreSQL's single-user backend: one session, no background processes, no timers.
//! Hence:
//!
//! - One connection is served at a time; [`Embedded::connect`] says what happens to a second one.
//! - A running statement cannot be cancelled and does not time out: `statement_timeout` is accepted
//!   but never fires, and a cancel request is ignored. Callers must bound the work of a statement.
//! - `COPY … FROM STDIN` is refused with `0A000`: the engine cannot wait for input in the middle
//!   of a statement.
//! - The engine is sometimes replaced by a new one on the same files, which takes a few tenths of a
//!   second. This happens between two requests when errors have used up its stack; the client does
//!   not notice. It also happens after a statement that the engine did not survive, such as an
//!   extremely deep nesting; this ends the connection. Committed data is kept in both cases. In the
//!   first case the users, settings and prepared statements of the session are kept too. Temporary
//!   tables, cursors, session-level advisory locks, LISTEN and session-level custom settings
//!   (`app.x`) are lost: do not rely on them.
//! - The session runs as the superuser `postgres`; the names in the startup message are ignored.
//!   There are no passwords: code that holds the [`Embedded`] has every right. `SET SESSION
//!   AUTHORIZATION` and `SET ROLE` drop rights as on any server, and as on any server a statement
//!   in the session can take them back.

mod accept;
mod directory;
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
mod worked;

pub use embedded::Embedded;
pub use error::Error;
pub use place::root;
pub use scratch::Scratch;
pub use storage::Storage;
