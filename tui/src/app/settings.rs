//! The settings of the screen. The configuration is read into them, and the app has them while it runs.

use std::collections::BTreeMap;
use std::time::Duration;

use frontdesk_client::config::DeskConfig;
use frontdesk_client::config::commands::Argument;

use crate::app::input::chord::Chord;
use crate::app::input::keys::Keymap;
use crate::app::peer::Peer;
use crate::look::locale::Language;
use crate::look::theme::{Theme, is_light};

/// Validated keys, theme and flags.
#[derive(Debug)]
pub(crate) struct Settings {
    pub(crate) keymap: Keymap,
    pub(crate) theme: Theme,
    /// The themes that can be chosen, by name; the first is `auto`.
    pub(crate) themes: Vec<(String, Theme)>,
    /// What `auto` is on a dark and on a light background.
    pub(crate) auto: [Theme; 2],
    /// Whether the theme is `auto`, which follows the terminal's background.
    pub(crate) is_auto: bool,
    /// The titles of the chosen columns, by list.
    pub(crate) columns: BTreeMap<String, Vec<String>>,
    /// The commands of the user's own.
    pub(crate) own: Vec<OwnCommand>,
    /// Whether colours are disabled (`NO_COLOR`).
    pub(crate) is_plain: bool,
    /// Whether the terminal's bell is enabled.
    pub(crate) rings: bool,
    /// Where the check-in desk is.
    pub(crate) desk: DeskConfig,
    /// Whether each check-in prints a badge.
    pub(crate) prints_badges: bool,
    /// The time after which Esc is the key, and no sequence begins with it.
    pub(crate) esc: Duration,
    /// Whether the app takes the mouse.
    pub(crate) mouse: bool,
    /// Whether references are recognised by the names of fields and tools, if they are not
    /// declared.
    pub(crate) picks_by_name: bool,
    /// The language of dates and numbers.
    pub(crate) language: &'static Language,
    /// A problem that does not prevent the start, until it is shown.
    pub(crate) warning: Option<String>,
}

impl Settings {
    /// The terminal has this background: `auto` becomes readable on it.
    pub(crate) fn follow(&mut self, background: [u8; 3]) {
        let theme = self.auto[usize::from(is_light(background))].clone();
        if self.is_auto {
            self.theme = theme.clone();
        }
        self.themes[0].1 = theme;
    }
}

/// A command of the configuration, checked.
#[derive(Debug, Clone)]
pub(crate) struct OwnCommand {
    /// Its title.
    pub(crate) name: String,
    pub(crate) key: Option<Chord>,
    /// The kinds of its records, by peer and id; empty for all kinds.
    pub(crate) kinds: Vec<(Peer, String)>,
    /// The program and its arguments.
    pub(crate) run: Vec<Argument>,
}

impl OwnCommand {
    /// Whether it is for records of this kind.
    pub(crate) fn is_for(&self, peer: &Peer, kind: &str) -> bool {
        let mut kinds = self.kinds.iter();
        self.kinds.is_empty() || kinds.any(|(at, id)| at == peer && id == kind)
    }
}
