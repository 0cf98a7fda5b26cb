//! The outbound webhook, from both ends: receivers that the tests hold in their hands, and a worker
//! that goes on when they say so.

mod address;
mod command;
mod delivery;
mod dispatch;
mod failure;
mod order;
mod process;
mod processes;
mod rights;
mod server;
mod stage;
mod workers;
