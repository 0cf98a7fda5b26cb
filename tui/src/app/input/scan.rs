//! The last keys as a scanner would have typed them.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::app::owner::RequestId;

/// The number of last characters in which a code is searched.
pub(super) const LONGEST: usize = 2_000;
/// So many characters in a scanner's rhythm are no coincidence.
pub(crate) const SHORTEST: usize = 3;

/// Stands in a burst for any control character around a code.
pub(crate) const FRAME: char = '\u{3}';

/// Whether other characters came shortly before and after a key: people do not type so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Rhythm {
    pub(crate) follows: bool,
    pub(crate) is_followed: bool,
}

impl Rhythm {
    pub(super) fn is_rapid(self) -> bool {
        self.follows || self.is_followed
    }
}

/// The last keys, some of which may belong to a code.
#[derive(Debug, Default)]
pub(crate) struct Scan {
    /// Keys in a scanner's rhythm, until it is known whether they are a code.
    pub(super) held: Vec<KeyEvent>,
    /// The timer after which they are complete.
    pub(super) timer: Option<RequestId>,
    /// The last character.
    pub(super) before: Option<char>,
    /// A person holds the key of the last character down.
    pub(super) is_repeated: bool,
    /// What the last key has ended.
    pub(super) ended: Ended,
    /// The last characters typed at a person's pace over a desk.
    pub(super) typed: String,
    /// The burst goes on where a person has begun to type.
    pub(super) continues: bool,
}

/// What the last key has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Ended {
    #[default]
    Nothing,
    /// It was Enter.
    Line,
    /// It was the end of a code.
    Code,
}

/// What a key is to a scanner.
#[derive(Clone, Copy)]
pub(super) enum Part {
    Character(char),
    /// Enter, Tab or LF.
    End,
    /// STX, ETX, GS and others around a code.
    Frame,
    Other,
}

impl Part {
    pub(super) fn of(key: KeyEvent) -> Part {
        let modifiers = key.modifiers - KeyModifiers::SHIFT;
        match key.code {
            // Some terminals report AltGr as ctrl-alt.
            KeyCode::Char(char)
                if modifiers.is_empty()
                    || modifiers == KeyModifiers::CONTROL | KeyModifiers::ALT =>
            {
                Part::Character(char)
            }
            KeyCode::Char('j' | 'm') if modifiers == KeyModifiers::CONTROL => Part::End,
            KeyCode::Enter | KeyCode::Tab if modifiers.is_empty() => Part::End,
            KeyCode::Char(_) if modifiers == KeyModifiers::CONTROL => Part::Frame,
            _ => Part::Other,
        }
    }
}

impl Scan {
    /// Whether the character comes from a key that a person holds down: it came alone first.
    pub(super) fn repeats(&mut self, char: char, rhythm: Rhythm) -> bool {
        let is_same = self.before == Some(char);
        self.is_repeated = is_same && (!rhythm.follows || self.is_repeated);
        self.is_repeated && rhythm.is_rapid()
    }

    /// Whether a control character can stand before or in a code.
    pub(super) fn may_frame(&self, rhythm: Rhythm) -> bool {
        rhythm.is_followed && !rhythm.follows || rhythm.follows && !self.held.is_empty()
    }
}
