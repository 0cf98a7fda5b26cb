//! The settings that the engine starts with, where its defaults are not what we want.

use crate::Storage;

/// Settings for every database.
const ALWAYS: &[(&str, &str)] = &[
    ("client_encoding", "UTF8"),
    ("DateStyle", "ISO, MDY"),
    ("TimeZone", "UTC"),
    ("max_stack_depth", "100kB"),
];

/// A directory's acknowledged commits survive the end of the process and of the machine. These
/// are PostgreSQL's defaults, said here because everything depends on them, and because a
/// configuration file in the directory must not say otherwise.
const DIRECTORY: &[(&str, &str)] = &[
    ("fsync", "on"),
    ("synchronous_commit", "on"),
    ("full_page_writes", "on"),
];

/// Memory does not outlive the process, so there is nothing to be careful for.
const MEMORY: &[(&str, &str)] = &[
    ("fsync", "off"),
    ("synchronous_commit", "off"),
    ("full_page_writes", "off"),
];

/// Name and value of each setting to start with.
pub(crate) fn at_start(storage: &Storage) -> impl Iterator<Item = (&'static str, &'static str)> {
    let durability = match storage {
        Storage::Memory => MEMORY,
        Storage::Directory(_) => DIRECTORY,
    };
    ALWAYS.iter().chain(durability).copied()
}
