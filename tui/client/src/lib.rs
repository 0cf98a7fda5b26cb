//! The client side of Frontdesk: calls tools over Streamable HTTP, keeps credentials, reads the
//! configuration, and keeps the journal of check-ins that could not be delivered.

pub mod account;
pub mod error;

pub use account::Account;
pub use error::CallError;
