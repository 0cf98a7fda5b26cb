//! The hosts: MCP over Streamable HTTP, every call run as its caller under PostgreSQL's row-level
//! security.

pub mod call;
pub mod clock;
pub mod database;
pub mod hosts;
