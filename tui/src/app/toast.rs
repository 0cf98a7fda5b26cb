//! Short messages that disappear automatically.

use jiff::Timestamp;

use crate::app::effects::effect::Effect;
use crate::app::owner::{Owner, RequestId};
use crate::look::mark::Mark;

/// Maximum number of messages; then the oldest is removed.
const MOST: usize = 4;

/// A short message over the screen.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Toast {
    pub(crate) mark: Mark,
    pub(crate) text: String,
    pub(super) until: Timestamp,
    /// It offers to undo the last change.
    pub(super) offers_undo: bool,
    /// It disappears with the screen.
    pub(super) is_of_screen: bool,
}

/// The visible messages, the oldest first.
#[derive(Debug, Default)]
pub(crate) struct Toasts {
    pub(super) list: Vec<Toast>,
    timer: Option<(RequestId, Timestamp)>,
    shown: usize,
    /// Whether new messages belong to the screen.
    pub(super) of_screen: bool,
    /// The number of visible messages that are new: they belong to the screen that opens next.
    new: usize,
}

/// The command that undoes the last change.
pub(crate) const UNDO: &str = "change.undo";

/// The last change, which can be undone for some seconds wherever it was made.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LastChange {
    /// Its id.
    pub(crate) change: String,
    pub(super) until: Timestamp,
}

impl Toasts {
    /// The visible messages.
    pub(crate) fn list(&self) -> &[Toast] {
        &self.list
    }

    /// The number of messages since the start.
    pub(crate) fn shown(&self) -> usize {
        self.shown
    }

    /// Called before an event is handled. The messages about it belong to the screen if the user or
    /// the screen caused it.
    pub(super) fn begin(&mut self, of_screen: bool) {
        self.of_screen = of_screen;
        self.new = 0;
    }

    /// Removes the messages of the screen that is left.
    pub(super) fn leave(&mut self) {
        let old = self.list.len().saturating_sub(self.new);
        let mut at = 0;
        self.list.retain(|toast| {
            at += 1;
            at > old || !toast.is_of_screen
        });
    }

    /// Removes the newest message. Returns whether there was one.
    pub(crate) fn dismiss(&mut self) -> bool {
        self.list.pop().is_some()
    }

    /// Handles the timer: removes expired messages.
    pub(crate) fn fired(&mut self, request: RequestId, now: Timestamp) {
        if self.timer.is_some_and(|(timer, _)| timer == request) {
            self.timer = None;
            self.list.retain(|toast| toast.until > now);
        }
    }

    /// Sets the timer for the next message to expire; `request` is its id, if a timer is needed.
    pub(crate) fn keep_time(&mut self, request: RequestId) -> Vec<Effect> {
        let due = self.list.iter().map(|toast| toast.until).min();
        if due == self.timer.map(|(_, at)| at) {
            return Vec::new();
        }
        let mut effects = Vec::new();
        effects.extend(
            self.timer
                .take()
                .map(|(timer, _)| Effect::CancelTimer(timer)),
        );
        if let Some(at) = due {
            self.timer = Some((request, at));
            effects.push(Effect::Timer {
                request,
                owner: Owner::App,
                at,
            });
        }
        effects
    }

    /// Shows a message. A repeated one only stays longer.
    pub(super) fn show(&mut self, toast: Toast) {
        self.list
            .retain(|one| one.mark != toast.mark || one.text != toast.text);
        self.list.push(toast);
        self.shown += 1;
        self.new += 1;
        if self.list.len() > MOST {
            self.list.remove(0);
        }
    }
}
