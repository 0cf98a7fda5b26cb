//! PostgreSQL, embedded or on a server: one way to open it, one way to run a transaction.
//!
//! This module does not decide what a caller is allowed to do. A transaction sets its role and caller; the
//! policies in `schema/` decide.

mod causes;
pub mod constraint;
mod directory;
mod error;
mod files;
mod functions;
mod gate;
mod location;
mod manager;
mod migrate;
mod opening;
mod param;
mod pool;
mod raw;
mod reads;
mod replica;
mod said;
mod sampler;
mod schema;
mod source;
mod transaction;

pub(crate) use causes::causes;
pub use directory::DirectoryError;
#[cfg(all(unix, feature = "embedded"))]
pub(crate) use directory::beside;
pub(crate) use directory::{existing, expect_database, expect_usable, free};
pub(crate) use error::{FORBIDDEN, cancelled, full, internal, no_such_reference, with_value};
pub use error::{TransactionError, commit_refusal, refusal, refusal_to_delete};
#[cfg(feature = "embedded")]
pub use frontdesk_embedded::Scratch;
pub use location::{Location, LocationError, ServerAddress};
pub(crate) use location::{node, nodes};
pub(crate) use migrate::{
    LOCK_MIGRATIONS, data_after, expect_room, needed_functions, tables_after,
};
pub use migrate::{MigrateError, digest, needed};
pub use opening::{Access, Actor, Proof};
pub use param::Param;
pub(crate) use param::params;
pub use pool::{Database, Owner};
pub(crate) use raw::Raw;
pub use reads::{Reads, Tables};
pub(crate) use said::{Part, Said, plain, quoted};
pub(crate) use schema::{OLDEST, marked, marked_functions};
pub use schema::{SchemaError, SchemaVersion};
#[cfg(all(unix, feature = "embedded"))]
pub(crate) use source::Streams;
pub use source::{Condition, OpenError};
pub(crate) use transaction::Recorded;
pub use transaction::Transaction;
