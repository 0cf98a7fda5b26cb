//! Imports into a host that is a table.

mod cells;
mod files;
mod host;
mod names;
mod runs;
mod statements;
