//! The tests that share one process, with its server and its database: a module for each subject. Tests that stop, kill
//! or restart servers are in `processes.rs`.

mod access;
mod commands;
mod contract;
mod corpus;
mod database;
mod fixtures;
mod floors;
mod flows;
mod identity;
mod interop;
mod meetings;
mod terminal;
mod webhooks;
mod wire;
