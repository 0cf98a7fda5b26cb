//! The settings the engine starts with that differ from its defaults.

use crate::directory::EngineDirectory;

/// Settings for every database.
const ALWAYS: &[(&str, &str)] = &[
    ("client_encoding", "UTF8"),
    ("DateStyle", "ISO, MDY"),
    ("TimeZone", "UTC"),
    // The engine is compiled with a stack of 8 MiB, and each error uses up some of it (see `upkeep`).
    // PostgreSQL's default limit of 2 MB would be reached after about 780 errors.
    ("max_stack_depth", "6MB"),
    // Enough for one session with small tables. The default of 128 MB would be most of the engine's memory.
    ("shared_buffers", "32MB"),
    // Small, because without a background process only `upkeep` truncates the log.
    ("max_wal_size", "64MB"),
    ("min_wal_size", "32MB"),
];

/// Acknowledged commits survive the end of the process and a crash of the machine. These are
/// PostgreSQL's defaults; they are set explicitly because a configuration file in the directory must
/// not override them.
const DURABLE: &[(&str, &str)] = &[
    ("fsync", "on"),
    ("synchronous_commit", "on"),
    ("full_page_writes", "on"),
];

/// The directory does not outlive the process, so waiting for the disk is unnecessary. Acknowledged
/// commits still have to survive the replacement of the engine, so they are written to the log at once.
const TEMPORARY: &[(&str, &str)] = &[
    ("fsync", "off"),
    ("synchronous_commit", "on"),
    ("full_page_writes", "off"),
];

/// Name and value of each setting to start with.
pub(crate) fn at_start(
    directory: &EngineDirectory,
) -> impl Iterator<Item = (&'static str, &'static str)> {
    let durability = if directory.is_durable() {
        DURABLE
    } else {
        TEMPORARY
    };
    ALWAYS.iter().chain(durability).copied()
}
