//! What goes wrong with PostgreSQL, and what callers are told of it: a clear error, nothing half
//! written, and all as before once it is over, without a restart.
//!
//! Each test has a cluster of its own, made by the programs of `FRONTDESK_TEST_PG_BIN`, as
//! tests/with-postgres sets it; without it, there is nothing to test.

mod cut;
mod full;
mod locked;
mod modest;
mod moving;
mod restarted;
mod stage;
