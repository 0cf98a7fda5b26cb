//! What other servers have beside their tools.

mod contexts;
mod finding;
pub(crate) mod message_commands;
mod messages;
pub(crate) mod offers;
pub(crate) mod page;
pub(crate) mod question;
pub(crate) mod sign_in;
