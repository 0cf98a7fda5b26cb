//! PostgreSQL, embedded or on a server: one way to open it, one way to run a transaction.
//!
//! This module does not decide what a caller is allowed to do. A transaction sets its role and caller; the
//! policies in `migrations/` decide.

mod error;
mod gate;
mod location;
mod migrate;
mod param;
mod pool;
mod schema;
mod transaction;

pub use error::{commit_refusal, refusal, refusal_to_delete};
pub(crate) use error::{internal, no_such_reference};
#[cfg(feature = "embedded")]
pub use frontdesk_embedded::Scratch;
pub use location::{Location, LocationError};
pub use migrate::{MigrateError, needed};
pub use param::Param;
pub(crate) use param::params;
pub use pool::{Database, OpenError, Owner};
pub use schema::{SchemaError, SchemaVersion};
pub use transaction::{Access, Actor, Transaction, TransactionError};
