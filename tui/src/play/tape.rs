//! A tape: what the app is set up with, and the steps of its flow.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crossterm::event::KeyEvent;
use jiff::{SignedDuration, Timestamp, Zoned};
use regex::Regex;

use super::region::Region;
use super::screen::Format;

/// A place in a tape.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    pub(super) file: Arc<Path>,
    pub(super) line: usize,
    pub(super) column: usize,
}

impl Place {
    /// The line, beginning with 1.
    pub fn line(&self) -> usize {
        self.line
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file.display(), self.line, self.column)
    }
}

/// Why a tape cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum TapeError {
    /// What is wrong at a place, and what would be right.
    #[error("{place}: {message}")]
    Mistake {
        /// The place.
        place: Place,
        /// The text.
        message: String,
    },
    /// The file cannot be read.
    #[error("{0}: {1}")]
    Unreadable(PathBuf, #[source] std::io::Error),
}

impl TapeError {
    pub(super) fn at(place: &Place, message: impl Into<String>) -> TapeError {
        TapeError::Mistake {
            place: place.clone(),
            message: message.into(),
        }
    }
}

/// What the app is set up with before the first step.
#[derive(Debug, Clone)]
pub struct Setup {
    /// Columns and rows of the terminal.
    pub size: (u16, u16),
    /// The app's clock and time zone.
    pub clock: Option<Zoned>,
    /// A theme: its name, or the path of a TOML file.
    pub theme: Option<String>,
    /// The account of the demo.
    pub account: Option<String>,
    /// Environment variables of the app.
    pub environment: BTreeMap<String, String>,
}

impl Default for Setup {
    fn default() -> Self {
        Setup {
            size: (80, 24),
            clock: None,
            theme: None,
            account: None,
            environment: BTreeMap::new(),
        }
    }
}

/// The part of the screen that a pattern is looked for in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// The region.
    Screen,
    /// The line of the cursor.
    Line,
}

/// A new time of the app's clock.
#[derive(Debug, Clone, Copy)]
pub(super) enum Later {
    At(Timestamp),
    By(SignedDuration),
}

/// A step of a tape.
#[derive(Debug, Clone)]
pub(super) enum Action {
    Type(String),
    Press(KeyEvent, usize),
    Copy(String),
    Paste,
    /// The size of the terminal; `None` is unchanged.
    Resize(Option<u16>, Option<u16>),
    Clock(Later),
    Wait(Scope, Duration, Option<Regex>),
    Expect(Scope, Regex),
    Mask(Regex),
    Region(Region),
    /// Compares the screen with files, or writes them.
    Keep(Vec<(PathBuf, Format)>),
}

/// A step with its place and text.
#[derive(Debug, Clone)]
pub(super) struct Step {
    pub(super) place: Place,
    pub(super) text: String,
    pub(super) action: Action,
}

/// A tape that was read completely and without mistakes.
#[derive(Debug, Clone)]
pub struct Tape {
    pub(super) path: PathBuf,
    pub(super) setup: Setup,
    pub(super) steps: Vec<Step>,
}

impl Tape {
    /// Its path, as given.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the app is set up with.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }
}
