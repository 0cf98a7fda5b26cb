//! Short messages that disappear automatically.

use std::fmt::Display;
use std::path::PathBuf;

use jiff::{SignedDuration, Timestamp};

use super::cx::Cx;
use super::peer::Reply;
use super::shared::Shared;
use crate::app::effects::effect::{Effect, ExportError, Owner, RequestId};
use crate::look::mark::Mark;
use crate::look::text::{clean, fit};

/// Maximum width of a message in cells.
const LONGEST: usize = 300;

/// A short message over the screen.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Toast {
    pub(crate) mark: Mark,
    pub(crate) text: String,
    until: Timestamp,
    /// It offers to undo the last change.
    offers_undo: bool,
    /// It disappears with the screen.
    is_of_screen: bool,
}

/// The visible messages, the oldest first.
#[derive(Debug, Default)]
pub(crate) struct Toasts {
    list: Vec<Toast>,
    timer: Option<(RequestId, Timestamp)>,
    shown: usize,
    /// Whether new messages belong to the screen.
    of_screen: bool,
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
    until: Timestamp,
}

impl Shared {
    /// The last change, if it was just made.
    pub(crate) fn undoable(&self) -> Option<&str> {
        let last = self.last_change.as_ref()?;
        (self.now < last.until).then_some(last.change.as_str())
    }
}

/// Maximum number of messages; then the oldest is removed.
const MOST: usize = 4;

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
}

/// Maximum size of a copy in bytes: terminals ignore longer ones.
const LONGEST_COPY: usize = 70_000;
/// How long the last change is offered for undo, in seconds.
const OFFERED: i64 = 15;

impl Cx<'_> {
    /// Remembers the change that a call, or several as one action, has made.
    pub(crate) fn changed(&mut self, change: &str) {
        self.shared.last_change = Some(LastChange {
            change: change.to_owned(),
            until: self.shared.now + SignedDuration::from_secs(OFFERED),
        });
        self.tell_outdated("change");
    }

    /// A call has made a change that cannot be undone: none before it is offered.
    pub(super) fn changed_for_good(&mut self) {
        self.shared.last_change = None;
        self.shared.toasts.list.retain(|toast| !toast.offers_undo);
        self.tell_outdated("change");
    }

    /// Says what a call has done, and offers to undo it if it was recorded.
    pub(crate) fn toast_done(&mut self, text: &str, reply: &Reply) {
        self.toast_change(text, reply.change.as_deref());
    }

    /// Says what has changed, and offers to undo it if this is the last change.
    pub(crate) fn toast_change(&mut self, text: &str, change: Option<&str>) {
        let last = self.shared.last_change.as_ref();
        match last.filter(|last| change == Some(last.change.as_str())) {
            Some(last) => {
                let (key, until) = (self.shared.settings.keymap.key(UNDO), last.until);
                let text = format!("{text} · {key} undoes");
                // Only the last change is offered.
                let list = &mut self.shared.toasts.list;
                list.retain(|toast| !toast.offers_undo);
                self.show(Toast {
                    mark: Mark::Good,
                    text,
                    until,
                    offers_undo: true,
                    is_of_screen: self.shared.toasts.of_screen,
                });
            }
            None => self.toast(Mark::Good, text),
        }
    }

    /// Copies a text through the terminal. `what` follows “Copied”.
    pub(crate) fn copy(&mut self, text: String, what: &str) {
        if text.len() > LONGEST_COPY {
            let words = "Too long for the clipboard of a terminal; write a file instead";
            return self.toast(Mark::Warn, words);
        }
        self.out.effects.push(Effect::Copy(text));
        let words = format!("Copied {what}, if your terminal lets programs copy");
        self.toast(Mark::Good, words);
    }

    /// Says where `what` was exported to, or why it was not.
    pub(crate) fn toast_exported(&mut self, what: &str, result: &Result<PathBuf, ExportError>) {
        match result {
            Ok(path) => {
                let path = path.display().to_string();
                self.toast(Mark::Good, format!("Exported{what} to {}", clean(&path)));
            }
            Err(error) => self.toast_not_exported(error),
        }
    }

    /// Says why nothing was exported.
    pub(crate) fn toast_not_exported(&mut self, why: &dyn Display) {
        let words = format!("Not exported: {}", clean(&why.to_string()));
        self.toast(Mark::Bad, words);
    }

    /// Shows a short message. Failures stay longer.
    pub(crate) fn toast(&mut self, mark: Mark, text: impl Into<String>) {
        // A server's error can be longer than the screen.
        let text = fit(&text.into(), LONGEST);
        let seconds = match mark {
            Mark::Good | Mark::Busy | Mark::Info => 6,
            Mark::Warn | Mark::Bad | Mark::Waiting | Mark::Again => 15,
        };
        self.show(Toast {
            mark,
            text,
            until: self.shared.now + SignedDuration::from_secs(seconds),
            offers_undo: false,
            is_of_screen: self.shared.toasts.of_screen,
        });
    }

    /// Removes this message, which no longer holds.
    pub(crate) fn withdraw(&mut self, mark: Mark, text: &str) {
        let list = &mut self.shared.toasts.list;
        list.retain(|toast| toast.mark != mark || toast.text != text);
    }

    fn show(&mut self, toast: Toast) {
        let toasts = &mut self.shared.toasts;
        // A repeated message only stays longer.
        toasts
            .list
            .retain(|one| one.mark != toast.mark || one.text != toast.text);
        toasts.list.push(toast);
        toasts.shown += 1;
        toasts.new += 1;
        if toasts.list.len() > MOST {
            toasts.list.remove(0);
        }
    }
}
