//! Third-party servers: over HTTP, in a process, and with a sign-in.

#![allow(clippy::unwrap_used)]

#[path = "../support/browser.rs"]
mod browser;
#[path = "../support/files.rs"]
mod files;
mod http;
mod process;
mod sign_in;
mod stub;
#[path = "../support/wire.rs"]
mod wire;
