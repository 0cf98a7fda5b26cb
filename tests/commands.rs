//! The command line of `frontdesk` in scripts: exit codes, and the exact contents of stdout.

mod alike;
mod badges;
mod call;
mod changes;
mod codes;
mod completions;
mod exports;
mod history;
mod import;
mod linear;
mod output;
mod pages;
mod play;
mod provider;
pub(crate) mod servers;
mod setup;
mod stage;
mod tools;
