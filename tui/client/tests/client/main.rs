//! The client against hosts and servers on loopback, and its files.

mod calls;
mod deliver;
mod history;
mod journal;
mod presets;
mod provider;
mod servers;
mod sign_in;
mod support;
