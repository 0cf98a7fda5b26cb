//! What the app says of what was done: messages, the last change and its undo, copies and exports.

use std::fmt::Display;
use std::path::PathBuf;

use jiff::SignedDuration;

use super::cx::Cx;
use super::peer::Reply;
use super::shared::Shared;
use super::toast::{LastChange, Toast, UNDO};
use crate::app::effects::effect::Effect;
use crate::app::effects::export::{ExportError, slug};
use crate::look::mark::Mark;
use crate::look::text::{clean, fit};

/// Maximum width of a message in cells.
const LONGEST: usize = 300;

/// Maximum size of a copy in bytes: terminals ignore longer ones.
const LONGEST_COPY: usize = 70_000;
/// How long the last change is offered for undo, in seconds.
const OFFERED: i64 = 15;

impl Shared {
    /// The last change, if it was just made.
    pub(crate) fn undoable(&self) -> Option<&str> {
        let last = self.last_change.as_ref()?;
        (self.now < last.until).then_some(last.change.as_str())
    }
}

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
                self.shared.toasts.show(Toast {
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
        self.shared.toasts.show(Toast {
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
}

/// The name of a file with what a tool returned: `frontdesk-list-events-2026-03-12.csv`.
pub(crate) fn file_name(tool: &str, ending: &str, shared: &Shared) -> String {
    let date = shared.now.to_zoned(shared.locale.zone.clone()).date();
    format!("frontdesk-{}-{date}.{ending}", slug(tool))
}
