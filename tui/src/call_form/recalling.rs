//! Loading an earlier call into the form.

use frontdesk_client::history::RecordedCall;
use frontdesk_form::{Entry, Path};
use serde_json::Value;

use super::CallScreen;
use crate::app::cx::Cx;
use crate::app::state::State;
use crate::call_form::layers::earlier::Earlier;
use crate::look::text::clean;
use crate::preview::DRY_RUN;
use crate::ui::confirm::Confirm;

/// Values of an earlier call that must be entered again.
#[derive(Debug, Default)]
pub(super) struct Recalled {
    /// The fields that were not recorded and are still empty.
    missing: Vec<Path>,
    /// The user agreed to call without them.
    is_agreed: bool,
    /// The tool is called as soon as the form is shown.
    is_called: bool,
}

impl CallScreen {
    /// Opens the list of earlier inputs.
    pub(super) fn look_back(&mut self, cx: &mut Cx) {
        let kept = self.kept_inputs();
        let earlier = Earlier::new(cx, self.peer.name(), &self.tool.name, kept);
        cx.raise(earlier);
    }

    /// Loads an earlier call. Values that were not recorded are left out and listed.
    pub(crate) fn recall(&mut self, entry: &RecordedCall) {
        let mut arguments = entry.rest();
        arguments.shift_remove(DRY_RUN);
        self.form.fill(&Value::Object(arguments));
        self.keep_record();
        let names = entry.not_kept();
        let paths = names.iter().map(|name| self.form.locate(name).0);
        let mut missing: Vec<Path> = paths.collect();
        missing.dedup();
        self.recalled = Recalled {
            missing,
            ..Recalled::default()
        };
        self.initial = self.form.value();
        self.is_tried = false;
        self.complaint = None;
        self.errors = self.form.errors();
        let first = self.missing().first().map(|path| (*path).clone());
        match first {
            Some(path) => self.focus_on(path),
            None => self.settle_focus(),
        }
    }

    /// Calls the tool once the form is shown, unless values are missing or it would write without a
    /// preview.
    pub(crate) fn call_once_shown(&mut self) {
        let is_safe = self.call().changes_nothing;
        self.recalled.is_called = is_safe && self.missing().is_empty();
    }

    /// The form is shown: calls the tool if requested.
    pub(super) fn call_if_asked(&mut self, cx: &mut Cx) {
        if std::mem::take(&mut self.recalled.is_called) {
            self.go(cx);
        }
    }

    /// The fields that were not recorded and are still empty.
    fn missing(&self) -> Vec<&Path> {
        let is_empty = |path: &Path| {
            let field = self.form.field(path);
            path.is_root() || field.is_none_or(|field| *field.entry() == Entry::Absent)
        };
        let paths = self.recalled.missing.iter();
        paths.filter(|path| is_empty(path)).collect()
    }

    /// The message about missing values.
    pub(super) fn missing_in_words(&self) -> Option<String> {
        let missing = self.missing();
        let names: Vec<String> = missing.iter().map(|path| path.to_string()).collect();
        let names: Vec<String> = names.iter().map(|name| clean(name).into_owned()).collect();
        (!names.is_empty()).then(|| format!("Not kept in the history: {}", names.join(", ")))
    }

    /// Asks before calling without the missing values. Returns whether it asks.
    pub(super) fn asks_about_missing(&mut self, cx: &mut Cx) -> bool {
        let Some(words) = self.missing_in_words() else {
            return false;
        };
        if self.recalled.is_agreed {
            return false;
        }
        cx.raise(Confirm {
            title: "Call without the missing values?".to_owned(),
            body: format!("{words}. The earlier call had these values."),
            then: |state: &mut State, out| {
                state.act::<CallScreen>(out, |screen, cx| {
                    screen.recalled.is_agreed = true;
                    screen.go(cx);
                });
            },
        });
        true
    }
}
