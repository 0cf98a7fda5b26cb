//! The rows that the plan changes, in place of its occurrences.

use frontdesk_client::CallError;
use frontdesk_protocol::changes::Changes;
use ratatui::Frame;
use ratatui::layout::Rect;

use super::MeetingChange;
use super::choice::Choice;
use super::view::draw_waiting;
use crate::app::cx::Cx;
use crate::app::effects::call::Answer;
use crate::app::owner::RequestId;
use crate::app::remote::Remote;
use crate::app::shared::Shared;
use crate::look::text::count;
use crate::preview::changes::Tense;
use crate::preview::changes::rows::{Rows, want_names};
use crate::preview::real;
use crate::ui::panel::framed;

/// The rows of a choice.
#[derive(Debug, Default)]
pub(super) struct Changed {
    pub(super) is_shown: bool,
    of: Option<Choice>,
    rows: Rows,
    changes: Remote<Changes>,
}

impl Changed {
    /// Handles the answer to the preview of the call.
    pub(super) fn answered(&mut self, cx: &mut Cx, request: RequestId, answer: &Answer) -> bool {
        if !self.changes.waits_for(request) {
            return false;
        }
        let missing = || CallError::Protocol("the preview lists no changes".to_owned());
        let changes = answer.result.clone().and_then(|reply| {
            let changes = reply.changes.ok_or_else(missing)?;
            Ok(*changes)
        });
        self.changes.finish(request, cx.now(), changes);
        if let Some(changes) = self.changes.value() {
            want_names(cx, changes);
        }
        true
    }

    /// Whether the rows are being loaded.
    pub(super) fn is_busy(&self) -> bool {
        self.changes.is_loading()
    }

    /// Moves the selection.
    pub(super) fn step(&mut self, by: isize) {
        if let Some(changes) = self.changes.value() {
            self.rows.step(changes, by);
        }
    }

    /// Shows or hides the fields of the selected row.
    pub(super) fn toggle(&mut self) {
        if let Some(changes) = self.changes.value() {
            self.rows.toggle(changes);
        }
    }

    pub(super) fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        let Some(changes) = self.changes.value() else {
            return draw_waiting(self.changes.error(), self.is_busy(), shared, frame, area);
        };
        let rows = count(changes.rows.len(), "row", "rows");
        let title = format!(" {rows} ");
        let inside = framed(frame, area, title, shared.settings.theme.border);
        self.rows
            .draw(changes, Tense::Preview, shared, frame, inside);
    }
}

impl MeetingChange {
    /// Switches between the occurrences and the rows.
    pub(super) fn turn_rows(&mut self, cx: &mut Cx) {
        self.changed.is_shown = !self.changed.is_shown;
        self.want_rows(cx);
    }

    /// Requests the rows of the current choice, if they are shown.
    pub(super) fn want_rows(&mut self, cx: &mut Cx) {
        let changed = &mut self.changed;
        if !changed.is_shown || changed.of.as_ref() == Some(&self.machine.choice) {
            return;
        }
        cx.abort(changed.changes.request());
        let mut call = real(self.machine.choice.dry_run(), None);
        call.options.preview = true;
        call.changes_nothing = true;
        changed.rows = Rows::default();
        changed.changes = Remote::Idle;
        changed.changes.begin(cx.send(call));
        changed.of = Some(self.machine.choice.clone());
    }
}
