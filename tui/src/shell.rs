//! Runs the machine on a real terminal or, in tests, without one, and assembles its parts.

mod browser;
pub(crate) mod driver;
mod first;
mod keyboard;
pub(crate) mod linear;
mod own;
pub(crate) mod parts;
pub(crate) mod runtime;
mod settings;
mod signals;
mod terminal;
mod view;
mod waiting;

pub use browser::open_in_browser;
pub use driver::{Driver, DriverError, Options};
pub use first::FirstStart;
#[cfg(unix)]
pub use keyboard::fuzz as fuzz_terminal;
pub use parts::key_reference;
pub use runtime::{Launch, RunError, first_start, run};
pub use settings::SettingsError;
