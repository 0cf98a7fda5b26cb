//! Check-in by name or code, and undo.

use std::path::PathBuf;

use frontdesk_protocol::events::guest::Guest;
use frontdesk_protocol::id::GuestId;

use super::banner::Banner;
use super::choice::Choice;
use super::code::{self, Code};
use super::{CheckIn, Entered};
use crate::app::cx::Cx;
use crate::app::effects::effect::{ExportError, Work};
use crate::app::shared::Shared;
use crate::door::{self, Arrival, Concern, Status};
use crate::screens::events::guest::{self, add_form};
use crate::ui::mark::Mark;
use crate::ui::text::clean;

/// Reports the path of a badge, or the error.
pub(super) fn printed(cx: &mut Cx, result: Result<PathBuf, ExportError>) {
    match result {
        Ok(path) => {
            let path = path.display().to_string();
            cx.toast(Mark::Good, format!("Badge written to {}", clean(&path)));
        }
        Err(error) => {
            let error = error.to_string();
            cx.toast(Mark::Bad, format!("No badge: {}", clean(&error)));
        }
    }
}

impl CheckIn {
    /// Enter: checks in by the typed code, or the guest that the text means.
    pub(super) fn check_in(&mut self, cx: &mut Cx) {
        if let Some(code) = code::find(&self.search.text()) {
            self.scan(cx, &code);
        } else if let Some(id) = self.ticket() {
            self.arrive(cx, id);
        } else if self.awaits_search() {
            self.keep_enter(cx);
        } else {
            self.take(cx);
        }
    }

    /// The guest whose ticket has the code in the box.
    fn ticket(&self) -> Option<GuestId> {
        let text = self.search.text();
        let is_typed = !self.is_chosen && !text.trim().is_empty();
        is_typed.then(|| self.roll.with_ticket(text.trim()))?
    }

    /// Keeps an Enter until the host has answered the search, which starts now.
    fn keep_enter(&mut self, cx: &mut Cx) {
        let text = self.search.text().trim().to_owned();
        if !self.found.is_loading() {
            cx.cancel(&mut self.pause);
            self.ask_search(cx);
        }
        let Some(search) = self.found.request() else {
            self.take(cx);
            return;
        };
        self.is_entered = true;
        self.banner = Banner::Searching(text.clone());
        if !self.entered.iter().any(|entered| entered.search == search) {
            self.entered.push(Entered { search, text });
        }
    }

    /// Cancels a kept Enter after the text was edited or cleared.
    pub(super) fn forget_enter(&mut self) {
        let search = self.found.request();
        self.entered
            .retain(|entered| Some(entered.search) != search);
    }

    /// Checks in the guest that the text or the selection means, or stops once for a choice.
    pub(super) fn take(&mut self, cx: &mut Cx) {
        let text = self.search.text();
        let text = text.trim();
        let choice = match self.selected {
            Some(id) if self.is_chosen || self.is_stopped => Choice::Take(id),
            None if text.is_empty() => return,
            _ => self.choose(cx.shared, &self.rows, &self.matched, self.has_more()),
        };
        match choice {
            Choice::Take(id) => self.arrive(cx, id),
            Choice::Ask(doubt) => {
                self.is_stopped = true;
                self.is_entered = false;
                self.banner = Banner::Which(doubt);
                self.selected = self.rows.first().copied();
                cx.ring();
            }
            Choice::Nobody => {
                self.is_entered = true;
                self.banner = Banner::Nobody {
                    text: text.to_owned(),
                    is_asked: self.found.error().is_none(),
                };
                cx.ring();
            }
        }
    }

    /// Whether the host found more guests than it listed.
    fn has_more(&self) -> bool {
        self.found.value().is_some_and(|found| found.has_more)
    }

    /// Checks a guest in and clears the box for the next one.
    pub(super) fn arrive(&mut self, cx: &mut Cx, id: GuestId) {
        self.let_in(cx, id);
        self.clear(cx);
    }

    /// Checks a guest in without touching the box.
    pub(super) fn let_in(&mut self, cx: &mut Cx, id: GuestId) {
        if let Some(arrival) = self.arrival(id) {
            self.banner = Banner::Attempt(door::check_in(cx, arrival));
        }
    }

    /// The arrival of a known guest.
    fn arrival(&self, id: GuestId) -> Option<Arrival> {
        let name = self.roll.get(id)?.name.clone();
        Some(Arrival {
            event: self.event,
            guest: id,
            name,
            is_scanned: false,
        })
    }

    pub(super) fn clear(&mut self, cx: &mut Cx) {
        self.search.set("");
        let banner = self.banner.clone();
        self.text_changed(cx);
        self.banner = banner;
    }

    /// Checks in the guest with this code. An unknown code is written to the journal as well; the
    /// host decides whether it belongs to this event.
    pub(super) fn scan(&mut self, cx: &mut Cx, code: &Code) {
        if cx.shared.mode.is_read_only() {
            cx.toast(Mark::Warn, "Read-only: nobody was checked in");
            return;
        }
        let known = code.ids.iter().find_map(|id| self.arrival(*id));
        let unknown = || {
            let id = *code.ids.first()?;
            let name = format!("code …{}", &id.to_string()[28..]);
            Some(Arrival {
                event: self.event,
                guest: id,
                name,
                is_scanned: true,
            })
        };
        if let Some(arrival) = known.or_else(unknown) {
            self.banner = Banner::Attempt(door::check_in(cx, arrival));
            self.clear(cx);
        }
    }

    /// Opens the form for a walk-in, with the typed text as the name.
    pub(super) fn add(&mut self, cx: &mut Cx) {
        let text = self.search.text();
        let form = add_form(self.event, text.trim(), self.roll.guests(), cx.now());
        cx.open(form);
    }

    /// Opens the screen of the selected guest.
    pub(super) fn open_guest(&mut self, cx: &mut Cx) {
        let selected = self.selected.and_then(|id| self.roll.get(id));
        if let Some(screen) = selected.and_then(|guest| guest::screen(guest, cx.now(), cx.shared)) {
            cx.open(screen);
        }
    }

    /// The guest for a badge: the selected one, or the one in the banner.
    pub(super) fn badge(&self, shared: &Shared) -> Option<&Guest> {
        let told = || match self.banner {
            Banner::Attempt(id) => Some(shared.door().attempt(id)?.guest),
            _ => None,
        };
        self.roll.get(self.selected.or_else(told)?)
    }

    /// Writes the badge of a guest to a file.
    pub(super) fn print_badge(&mut self, cx: &mut Cx) {
        if let Some(guest) = self.badge(cx.shared).cloned() {
            let event = self
                .record
                .value()
                .map_or(String::new(), |event| event.name.clone());
            let guest = Box::new(guest);
            cx.run(Work::Badge { event, guest });
        }
    }

    /// Clears text and selection.
    pub(super) fn clear_text(&mut self, cx: &mut Cx) {
        self.forget_enter();
        self.search.set("");
        self.text_changed(cx);
    }

    /// Undoes the check-in of the selected guest, or the last one of this desk. Text in the box is
    /// cleared first. Undoing a check-in that this desk did not make needs a confirmation.
    pub(super) fn undo(&mut self, cx: &mut Cx) {
        let known = |id| self.roll.get(id).cloned();
        if let Some(guest) = self.selected_inside().cloned() {
            self.undo_of(cx, &guest);
        } else if !self.search.is_empty() {
            self.clear_text(cx);
        } else if let Some(guest) = self.told_before(cx.shared).and_then(known) {
            self.undo_of(cx, &guest);
        } else if let Some(attempt) = door::undo_last(cx, self.event) {
            self.banner = Banner::Attempt(attempt);
        }
    }

    /// Whether the selected guest is in, or the banner shows a guest who was in before.
    pub(super) fn can_undo_of_another(&self, shared: &Shared) -> bool {
        self.selected_inside().is_some() || self.told_before(shared).is_some()
    }

    /// The guest selected by hand, if they are in.
    fn selected_inside(&self) -> Option<&Guest> {
        let selected = self.selected.filter(|_| self.is_chosen)?;
        let guest = self.roll.get(selected)?;
        guest.check_in_at.is_some().then_some(guest)
    }

    fn undo_of(&mut self, cx: &mut Cx, guest: &Guest) {
        if let Some(attempt) = door::undo_of(cx, guest) {
            self.banner = Banner::Attempt(attempt);
            self.clear(cx);
        }
    }

    /// Puts the text of a check-in that needs attention into the search box, or selects its guest.
    pub(super) fn search_for(&mut self, cx: &mut Cx, concern: &Concern) {
        let guest = concern.guest.and_then(|id| self.roll.get(id));
        let text = match (guest, concern.guest) {
            (Some(guest), _) => guest.name.clone(),
            (None, Some(_)) => String::new(),
            (None, None) => concern.what.clone(),
        };
        self.search.set(&text);
        self.text_changed(cx);
        if let Some(id) = concern.guest.filter(|id| self.rows.contains(id)) {
            self.selected = Some(id);
            self.is_chosen = true;
        }
    }

    /// The guest who, according to the banner, was in before.
    fn told_before(&self, shared: &Shared) -> Option<GuestId> {
        let Banner::Attempt(id) = self.banner else {
            return None;
        };
        let attempt = shared.door().attempt(id)?;
        matches!(
            attempt.status,
            Status::In {
                was_before: true,
                ..
            }
        )
        .then_some(attempt.guest)
    }
}
