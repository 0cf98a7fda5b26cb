//! Changes that a hidden screen has not loaded.

use crate::app::cx::Cx;

/// The kinds that were written while the screen was hidden.
#[derive(Debug, Default)]
pub(super) struct MissedChanges {
    is_shown: bool,
    kinds: Vec<String>,
}

impl MissedChanges {
    /// The screen became visible. Returns the kinds to reload.
    pub(super) fn shown(&mut self) -> Vec<String> {
        self.is_shown = true;
        std::mem::take(&mut self.kinds)
    }

    pub(super) fn hidden(&mut self) {
        self.is_shown = false;
    }

    /// Closes the screen if it is visible.
    pub(super) fn leave(&self, cx: &mut Cx) {
        if self.is_shown {
            cx.back();
        }
    }

    /// Whether a written kind is reloaded now; otherwise when the screen is shown.
    pub(super) fn is_due(&mut self, kind: &str) -> bool {
        if !self.is_shown {
            self.kinds.push(kind.to_owned());
        }
        self.is_shown
    }
}
