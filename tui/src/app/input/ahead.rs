//! Keys typed ahead.

use std::collections::VecDeque;

use crossterm::event::KeyEvent;

/// The keys that wait, and what the user has not seen.
#[derive(Debug, Default)]
pub(crate) struct Ahead {
    pub(super) keys: VecDeque<KeyEvent>,
    /// A screen or layer was opened since the last frame.
    pub(crate) has_unseen: bool,
    /// The keys that waited are being handled.
    pub(super) is_replaying: bool,
}

impl Ahead {
    /// The number of keys that wait.
    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }

    /// Removes the last key. Returns whether there was one.
    pub(super) fn take_back(&mut self) -> bool {
        self.keys.pop_back().is_some()
    }

    /// Removes all keys.
    pub(crate) fn clear(&mut self) {
        self.keys.clear();
    }
}
