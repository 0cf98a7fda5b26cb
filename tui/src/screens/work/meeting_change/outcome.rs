//! The report of an applied plan, copied or exported.

use std::path::{Path, PathBuf};

use super::MeetingChange;
use super::report::Report;
use crate::app::cx::Cx;
use crate::app::effects::export::{Export, ExportError};
use crate::look::mark::Mark;
use crate::look::text::clean;
use crate::preview::Phase;
use crate::preview::changes::undo_then;

impl MeetingChange {
    /// Why there is no report.
    pub(super) fn no_report(&self) -> Option<String> {
        match self.machine.phase {
            Phase::Done(_) => None,
            _ => Some("nothing has been done yet".to_owned()),
        }
    }

    /// Why what was done cannot be undone from here.
    pub(super) fn no_undo(&self) -> Option<String> {
        match &self.machine.phase {
            Phase::Done(done) if done.change.is_some() => None,
            Phase::Done(_) => {
                Some("the answer was lost: undo it in the list of changes".to_owned())
            }
            _ => self.no_report(),
        }
    }

    /// Previews the undo of what was done. What was undone has no report.
    pub(super) fn undo(&mut self, cx: &mut Cx) {
        if let Phase::Done(done) = &self.machine.phase
            && let Some(change) = &done.change
        {
            undo_then(cx, change, None, |state, out| state.cx(out).back());
        }
    }

    /// Copies the report.
    pub(super) fn copy(&mut self, cx: &mut Cx) {
        let Phase::Done(done) = &self.machine.phase else {
            return;
        };
        cx.copy(Report(done).json(), "as JSON");
    }

    /// Writes the report to a file.
    pub(super) fn export(&mut self, cx: &mut Cx) {
        if let Phase::Done(done) = &self.machine.phase {
            let report = Report(done);
            cx.run(Export {
                name: report.file_name(&cx.shared.locale.zone),
                contents: report.json().into_bytes(),
            });
        }
    }

    /// Handles the outcome of writing the file.
    pub(super) fn exported(&mut self, cx: &mut Cx, result: Result<PathBuf, ExportError>) {
        let words = |path: &Path| clean(&path.display().to_string()).into_owned();
        match result {
            Ok(path) => {
                let name = words(path.file_name().map_or(path.as_path(), Path::new));
                cx.toast(Mark::Good, format!("Exported as {name}"));
                self.file = Some(words(&path));
            }
            Err(error) => cx.toast_not_exported(&error),
        }
    }
}
