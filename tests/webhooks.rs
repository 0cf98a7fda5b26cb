//! The outbound webhook, from both ends: receivers and workers that the tests control step by step.

mod address;
mod command;
mod delivery;
mod dispatch;
mod failure;
mod order;
mod planned;
mod process;
mod processes;
mod rights;
mod server;
mod stage;
mod undone;
mod workers;
