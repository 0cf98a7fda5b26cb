//! Third-party servers: over HTTP, in a process, and with a sign-in.

#![allow(clippy::unwrap_used)]

mod http;
mod odd;
mod process;
mod sign_in;
mod stub;
mod tasks;
mod trace;
