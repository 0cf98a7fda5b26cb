//! Tapes: flows of the app, played without a terminal, whose screens are compared with stored ones.
//!
//! [`Tape::read`] reads a file in the syntax of VHS tapes, [`play()`] plays it, and [`report`] says what happened.

mod compare;
mod keys;
mod parse;
mod player;
mod region;
pub mod report;
mod scan;
mod screen;
mod svg;
mod tape;

pub use player::{Check, Outcome, PlayError, Played, Stage, play};
pub use svg::picture;
pub use tape::{Place, Setup, Tape, TapeError};
