//! The harness of Frontdesk's tests: one server for each test process, an organisation for each
//! test, and clients to drive them.
//!
//! The database is embedded and in memory, or, with `FRONTDESK_TEST_DATABASE=postgres://…`, a
//! server's. Tests are kept apart by organisation, as customers are: none sees another's data.

pub mod builder;
pub mod http;
pub mod world;

pub use builder::Organization;
pub use http::{Answer, Http};
pub use world::{World, run, world};
