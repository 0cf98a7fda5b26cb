//! The terminal app and command line of Frontdesk.
//!
//! The app is a pure machine: what happened goes in, the next state and the effects come out, and
//! the state is drawn. [`run()`] drives it on a real terminal; [`Driver`] drives the same machine
//! in tests.

mod app;
mod browser;
mod commands;
mod door;
pub mod forms;
mod layers;
mod parts;
mod screens;
mod settings;
pub mod shape;
mod signals;
mod terminal;
#[cfg(test)]
mod testing;
mod ui;

pub use app::driver::{Driver, DriverError, Options};
pub use app::editor::from_environment as editor;
pub use app::keys::{ChordError, KeymapError};
pub use app::runtime::{Launch, RunError, run};
pub use browser::open_in_browser;
pub use parts::key_reference;
pub use settings::SettingsError;
pub use ui::text::clean as plain;
