//! The choices of a plan; each change requests a new preview.

use crossterm::event::{KeyCode, KeyEvent};
use frontdesk_protocol::Host;
use frontdesk_protocol::value::Name;
use frontdesk_protocol::work::plan::Guard;
use frontdesk_protocol::work::series::{OccurrencePolicy, Series};
use jiff::SignedDuration;

use super::choice::Choice;
use super::{MeetingChange, Subject};
use crate::app::cx::{Cx, Out};
use crate::app::state::State;
use crate::records::record::Record;
use crate::records::{chooser, kind};

/// The pause in typing before a preview is requested.
const TYPING_PAUSE: SignedDuration = SignedDuration::from_millis(300);

impl MeetingChange {
    /// Moves the selection to an existing row.
    pub(super) fn settle_selection(&mut self) {
        let Some(plan) = self.machine.shown() else {
            return;
        };
        let is_there = plan.days.iter().any(|day| Some(day.date) == self.selected);
        if !is_there {
            self.selected = plan.days.first().map(|day| day.date);
        }
    }

    /// The policy for the occurrences of a removed series.
    pub(super) fn policy(&self) -> Option<OccurrencePolicy> {
        match self.machine.choice {
            Choice::Removal { policy, .. } => Some(policy),
            Choice::Promotion { .. } | Choice::Merge { .. } => None,
        }
    }

    /// Another policy.
    pub(super) fn set_policy(&mut self, cx: &mut Cx, to: OccurrencePolicy) {
        let mut choice = self.machine.choice.clone();
        if let Choice::Removal { policy, .. } = &mut choice {
            *policy = to;
        }
        self.machine.choose(cx, choice);
    }

    /// The next or previous policy.
    pub(super) fn turn_policy(&mut self, cx: &mut Cx, by: isize) {
        let all = OccurrencePolicy::ALL;
        let at = all.iter().position(|policy| Some(*policy) == self.policy());
        if let Some(at) = at {
            let next = at.wrapping_add_signed(by).wrapping_add(all.len()) % all.len();
            self.set_policy(cx, all[next]);
        }
    }

    /// Includes or excludes meetings that do not recur.
    pub(super) fn toggle_non_recurring(&mut self, cx: &mut Cx) {
        let mut choice = self.machine.choice.clone();
        if let Choice::Removal {
            allow_non_recurring,
            ..
        } = &mut choice
        {
            *allow_non_recurring = !*allow_non_recurring;
        }
        self.machine.choose(cx, choice);
    }

    /// Why that choice does not apply here.
    pub(super) fn no_non_recurring(&self) -> Option<String> {
        match &self.machine.choice {
            Choice::Removal {
                allow_non_recurring: true,
                ..
            } => None,
            Choice::Removal { .. } => {
                let is_refused = self
                    .machine
                    .preview
                    .value()
                    .is_some_and(|preview| preview.is_refused_by(Guard::NotRecurring));
                (!is_refused).then(|| "the meeting recurs, so it is not needed".to_owned())
            }
            _ => Some("only for removals".to_owned()),
        }
    }

    /// Keeps the promoted occurrence in the series, or not.
    pub(super) fn toggle_keep(&mut self, cx: &mut Cx) {
        let mut choice = self.machine.choice.clone();
        if let Choice::Promotion { keep, .. } = &mut choice {
            *keep = !*keep;
        }
        self.machine.choose(cx, choice);
    }

    /// Swaps the kept meeting and the one that is merged into it.
    pub(super) fn swap(&mut self, cx: &mut Cx) {
        let Choice::Merge {
            canonical,
            skeleton,
        } = self.machine.choice
        else {
            return;
        };
        if let Subject::Pair {
            canonical,
            skeleton,
        } = &mut self.subject
        {
            std::mem::swap(canonical, skeleton);
        }
        let swapped = Choice::Merge {
            canonical: skeleton,
            skeleton: canonical,
        };
        self.machine.choose(cx, swapped);
    }

    /// Chooses the series into which the meeting is merged instead of its removal.
    pub(super) fn choose_other(&mut self, cx: &mut Cx) {
        let Choice::Removal { series, .. } = self.machine.choice else {
            return;
        };
        let Some(kind) = kind::find(Host::Work, "meeting") else {
            return;
        };
        let title = self.about();
        let question = format!("Merge “{title}” into which series?");
        let then = move |state: &mut State, out: &mut Out, other: &Record| {
            if let Some(other) = other.decode::<Series>() {
                let mut cx = state.cx(out);
                cx.back();
                let (canonical, skeleton) = ((other.id, other.title), (series, title.clone()));
                cx.open(MeetingChange::merge(canonical, skeleton));
            }
        };
        let chooser = chooser::of_kind(kind, question, cx.shared, then);
        chooser.except(&series.to_string()).open(cx);
    }

    /// Starts editing the new title.
    pub(super) fn edit_title(&mut self) {
        self.is_typing = true;
    }

    /// Handles a key in the title field.
    pub(super) fn title_key(&mut self, cx: &mut Cx, key: KeyEvent) {
        if !self.is_typing {
            return;
        }
        if matches!(key.code, KeyCode::Enter | KeyCode::Tab) {
            self.end_title(cx);
            return;
        }
        let before = self.title.text();
        if self.title.key(key) && self.title.text() != before {
            self.title_changed(cx);
        }
    }

    /// Ends editing and keeps the text. Returns whether the title was being edited.
    pub(super) fn end_title(&mut self, cx: &mut Cx) -> bool {
        let was_typing = std::mem::take(&mut self.is_typing);
        if was_typing && self.pause.is_some() {
            cx.cancel(&mut self.pause);
            self.title_typed(cx);
        }
        was_typing
    }

    /// The shown preview does not match the edited title yet.
    pub(super) fn title_changed(&mut self, cx: &mut Cx) {
        cx.cancel(&mut self.pause);
        self.pause = Some(cx.after(TYPING_PAUSE));
    }

    /// Requests a preview with the new title.
    pub(super) fn title_typed(&mut self, cx: &mut Cx) {
        let text = self.title.text();
        let name = match text.trim() {
            "" => Ok(None),
            text => Name::new(text).map(Some),
        };
        match name {
            Ok(name) => {
                self.wrong_title = None;
                let mut choice = self.machine.choice.clone();
                if let Choice::Promotion { title, .. } = &mut choice {
                    *title = name;
                }
                self.machine.choose(cx, choice);
            }
            Err(wrong) => self.wrong_title = Some(wrong),
        }
    }
}
