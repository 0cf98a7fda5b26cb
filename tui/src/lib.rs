//! The terminal app and command line of Frontdesk.
//!
//! The app is a pure machine: an event yields the next state and effects, and the state is drawn.
//! [`run()`] drives it on a real terminal; [`Driver`] drives the same machine in tests and tapes.

mod answer;
mod app;
mod call_form;
mod commands;
mod desk;
mod fields;
pub mod files;
pub mod formats;
pub mod import;
pub mod local;
mod look;
pub mod play;
mod preview;
mod record_screens;
mod records;
mod screens;
mod shell;
pub mod tabular;
#[cfg(test)]
mod testing;
mod tools;
mod ui;

#[cfg(unix)]
#[doc(hidden)]
pub use shell::fuzz_terminal;

pub use app::effects::editor::from_environment as editor;
pub use app::input::chord::ChordError;
pub use app::input::keys::KeymapError;
pub use desk::badges;
pub use local::FirstOwner;
pub use look::locale::of_environment as language;
pub use look::safe::safe_json;
pub use look::text::clean as plain;
pub use screens::staff::link::qr_rows;
pub use screens::start::Choice;
pub use shell::{
    Driver, DriverError, FirstStart, Launch, Options, RunError, SettingsError, first_start,
    key_reference, open_in_browser, run,
};
