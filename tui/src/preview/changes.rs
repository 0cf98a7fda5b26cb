//! The rows that a call changes: as a plan before it is made, and as a list for the history.

mod commands;
mod preview;
pub(crate) mod rows;
mod screen;
mod undo;
mod words;

pub(crate) use commands::COMMANDS;
pub(crate) use preview::Preview;
pub(crate) use rows::{brief, want_names};
pub(crate) use screen::{PreviewScreen, Subject};
pub(crate) use undo::{undo, undo_then};
pub(crate) use words::{Tense, kinds, sentences};
