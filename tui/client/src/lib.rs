//! Client library of Frontdesk: calls tools of the hosts and of any other MCP server, stores
//! credentials, reads the configuration, and keeps the journal of undelivered check-ins.
//!
//! This crate never logs personal data or tokens. The MCP library `rmcp` logs session ids and whole
//! messages: exclude its target from stored logs.

pub mod account;
pub mod addresses;
mod allowance;
mod answers;
mod auth;
pub mod call_result;
mod callee;
mod catalogue;
pub mod client;
mod clock;
pub mod config;
pub mod credentials;
pub mod deliver;
pub mod error;
mod failure;
pub mod guest_lists;
pub mod health;
pub mod history;
mod http;
pub mod imports;
pub mod journal;
mod lenient;
pub mod listener;
mod lock;
mod loopback;
pub mod pages;
pub mod paths;
pub mod patience;
pub mod presets;
pub mod provider;
pub mod question;
mod result;
pub mod running;
pub mod secret;
pub mod seen;
pub mod server;
mod session;
mod setup;
mod stream;
mod subscribe;
pub mod tasks;
pub mod template;
pub mod tool_info;
mod transport;

pub use account::Account;
pub use addresses::Addresses;
pub use call_result::{CallResult, Content};
pub use callee::Callee;
pub use client::Client;
pub use clock::{clock_error, clock_warning};
pub use config::Config;
pub use credentials::{CredentialStore, Credentials};
pub use deliver::{ADDED_BY_MISTAKE, Delivery, deliver, listed};
pub use error::CallError;
pub use guest_lists::{GuestList, GuestLists, OwnCheckIn};
pub use health::Health;
pub use history::History;
pub use http::Timeouts;
pub use imports::Imports;
pub use journal::{Action, DeliveryOutcome, Entry, Journal, WalkIn};
pub use listener::{Notice, Progress};
pub use loopback::SIGN_IN_WITHIN;
pub use pages::Pages;
pub use patience::Patience;
pub use presets::{Preset, Presets};
pub use provider::{ProviderSignIn, SignInWays};
pub use secret::Secret;
pub use seen::SeenTools;
pub use server::Server;
pub use subscribe::Subscription;
pub use tasks::Tasks;
pub use tool_info::ToolInfo;
