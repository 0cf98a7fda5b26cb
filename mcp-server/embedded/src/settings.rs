//! The settings that the engine starts with, where its defaults are not what we want.

use crate::place::Place;

/// Settings of every database.
const ALWAYS: &[(&str, &str)] = &[
    ("client_encoding", "UTF8"),
    ("DateStyle", "ISO, MDY"),
    ("TimeZone", "UTC"),
    // The engine was made with a stack of 8 MiB, and an error costs some of it (see `upkeep`).
    // PostgreSQL's own limit of 2 MB would be reached after some 780 errors.
    ("max_stack_depth", "6MB"),
    // One session with small tables, and most of the engine's memory: its default is 128 MB.
    ("shared_buffers", "32MB"),
    // Kept small: without a background process, the log is cut only by `upkeep`.
    ("max_wal_size", "64MB"),
    ("min_wal_size", "32MB"),
];

/// What is acknowledged survives the end of the process, and of the machine. These are
/// PostgreSQL's defaults, said here because everything depends on them, and a configuration file
/// in the directory must not say otherwise.
const DURABLE: &[(&str, &str)] = &[
    ("fsync", "on"),
    ("synchronous_commit", "on"),
    ("full_page_writes", "on"),
];

/// The directory does not outlive the process, let alone a crash of the machine, so there is no
/// need to wait for the disk. What is acknowledged still has to survive the instance of the engine
/// that did it, so it is written to the log at once, like everywhere.
const TEMPORARY: &[(&str, &str)] = &[
    ("fsync", "off"),
    ("synchronous_commit", "on"),
    ("full_page_writes", "off"),
];

/// Name and value of each setting to start with.
pub(crate) fn at_start(place: &Place) -> impl Iterator<Item = (&'static str, &'static str)> {
    let durability = if place.is_durable() {
        DURABLE
    } else {
        TEMPORARY
    };
    ALWAYS.iter().chain(durability).copied()
}
