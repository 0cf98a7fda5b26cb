//! The hosts: MCP over Streamable HTTP. Every call runs as its caller under PostgreSQL's row-level security.

pub mod backup;
pub mod call;
pub mod changes;
pub mod check;
pub mod clock;
mod connections;
pub mod control;
pub mod database;
pub mod fixtures;
mod gauges;
pub mod hosts;
pub mod identity;
mod limits;
mod listen;
mod markdown;
mod page;
mod permits;
pub mod retention;
pub mod server;
pub mod telemetry;
mod tls;
#[doc(hidden)]
pub mod untrusted;
pub mod webhooks;
pub mod wire;

pub use identity::accounts;
