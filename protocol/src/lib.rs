//! The contract between Frontdesk clients and hosts: hosts, JSON-RPC and MCP messages, records, and
//! every tool's declaration. No I/O.
//!
//! A tool is a type ([`Tool`]): a struct of its arguments, with its name, host, effect, audience and
//! output as associated items. Schemas, argument checking, the server's dispatch, the client's
//! forms and the reference are derived from this declaration.

// Fields whose names say it all stay undocumented: their comments become descriptions, for which agents pay.
#![allow(missing_docs)]

// The name of this crate in the code that `#[derive(Wire)]` writes.
extern crate self as frontdesk_protocol;

pub mod args;
pub mod calls;
pub mod campaigns;
mod catalogue;
pub mod changes;
pub mod content;
pub mod csv;
pub mod door;
pub mod engineering;
pub mod error;
pub mod events;
pub mod exact;
pub mod financing;
pub mod guide;
pub mod host;
pub mod id;
pub mod learn;
mod marks;
pub mod mcp;
pub mod number;
pub mod ops;
pub mod payments;
pub mod plans;
pub mod proposals;
pub mod quiz;
pub mod record;
pub mod reference;
pub mod resource;
pub mod role;
pub mod rpc;
pub mod skills;
pub mod staff;
pub mod strategy;
pub mod studio;
pub mod text;
pub mod tool;
pub mod value;
pub mod wire;
mod words;
pub mod work;

pub use error::{ErrorCode, ToolError};
pub use host::Host;
pub use record::{List, Maybe, One, Record};
pub use role::{Role, Roles};
pub use tool::{Declaration, Effect, Tool};
