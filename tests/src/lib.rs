//! The harness of Frontdesk's tests: one server for each test process, an organisation for each
//! test, and clients.
//!
//! The database is embedded and in memory, or the server of `FRONTDESK_TEST_DATABASE=postgres://…`.
//! Tests are isolated by organisation, as customers are.

pub mod account;
pub mod blocking;
pub mod builder;
pub mod caller;
pub mod cluster;
pub mod code_host;
pub mod connection;
pub mod contract;
pub mod desk;
pub mod example;
pub mod foreign;
pub mod hook;
pub mod hostile;
pub mod http;
pub mod lock;
pub mod meetings;
pub mod odd;
pub mod prepared;
pub mod process;
pub mod program;
pub mod property;
pub mod proxy;
pub mod pty;
pub mod receiver;
mod regions;
pub mod relay;
pub mod school;
pub mod screen;
pub mod server;
pub mod world;

/// Whether ignored tests were asked for by themselves (`--ignored`), not with all others (`--include-ignored`): one that
/// measures, or plays a part in another, does nothing then.
pub fn is_asked_for() -> bool {
    std::env::args().any(|argument| argument == "--ignored")
}

pub use account::Account;
pub use builder::{Organization, PASSWORD};
pub use caller::Caller;
pub use cluster::Cluster;
pub use code_host::CodeHost;
pub use desk::{Desk, NOW, Setup, desk};
pub use example::Example;
pub use foreign::{Era, Foreign};
pub use http::{Answer, Http};
pub use process::Process;
pub use proxy::{Mode, Proxy};
pub use pty::Pty;
pub use relay::Relay;
pub use school::{Colleague, LAUNCH, School, at, at_a_shaky_door, at_the_door};
pub use screen::{row, selected};
pub use world::{World, run, world};
