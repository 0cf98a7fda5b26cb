//! Check-in by name or code, and undo.

use frontdesk_client::Action;
use frontdesk_protocol::door::{Alert, Pace, alert, blocked, guest_of, read, tickets};
use frontdesk_protocol::events::guest::Guest;
use frontdesk_protocol::events::passage::{Source, Verdict};
use frontdesk_protocol::id::GuestId;
use jiff::Timestamp;

use super::CheckIn;
use super::banner::Banner;
use super::deciding::Question;
use crate::app::cx::Cx;
use crate::app::shared::Shared;
use crate::desk::door::{self, Arrival, Attempt, Concern, Status, is_in};
use crate::desk::guest::{self, Known, add_form};

impl CheckIn {
    /// Enter: checks in the guest whom a person has chosen, or the one that the text means.
    pub(super) fn check_in(&mut self, cx: &mut Cx) {
        let text = self.search.text();
        let is_choice = self.is_chosen || self.question.is_some() && text.trim().is_empty();
        match self.selected.filter(|_| is_choice) {
            Some(id) => {
                self.answer_early(cx.shared, id);
                self.question = None;
                cx.shared.found_by(Source::Name);
                self.let_in(cx, id);
            }
            None => {
                for one in read(&text, Pace::Typed) {
                    self.arrived(cx, one);
                }
            }
        }
        self.decided(cx);
    }

    /// Checks a guest in without touching the box. A blocked guest needs a second key and a reason, and the first guest
    /// of an event of a later day a second key.
    pub(super) fn let_in(&mut self, cx: &mut Cx, id: GuestId) {
        if self.is_blocked(cx.shared, id) {
            if cx.shared.has_entrance(self.event)
                && let Some(arrival) = self.arrival(id)
            {
                door::pass(cx, arrival, Action::Enter, Some(Verdict::Blocked));
            }
            self.banner = Banner::Blocked(id);
            self.ring(cx);
        } else if self.is_early(cx.shared, id) {
            self.banner = Banner::Early(id);
            self.question = Some(Question::of(id));
            self.ring(cx);
        } else if let Some(arrival) = self.arrival(id) {
            let guest = self.roll.get(id);
            let at = cx.host_now();
            let verdict = guest.and_then(|guest| self.verdict(cx.shared, guest, at));
            let has_come = guest.is_some_and(|guest| guest.check_in_at.is_some());
            let is_back = has_come && verdict.is_some() && !self.is_inside(cx.shared, id);
            let is_at_place = self.place_name(cx.shared).is_some();
            self.banner = Banner::Attempt(match is_back || is_at_place {
                true => door::pass(cx, arrival, Action::Enter, verdict),
                false => door::check_in(cx, arrival, verdict),
            });
        }
    }

    /// Whether a known guest is inside.
    fn is_inside(&self, shared: &Shared, id: GuestId) -> bool {
        self.roll.get(id).is_some_and(|guest| is_in(shared, guest))
    }

    /// Records that the selected guest, or the one in the banner, leaves and may come in again.
    pub(super) fn let_out(&mut self, cx: &mut Cx) {
        let Some(guest) = self.meant(cx.shared).map(|guest| guest.id) else {
            return;
        };
        if let Some(arrival) = self.arrival(guest) {
            self.banner = Banner::Attempt(door::pass(cx, arrival, Action::Leave, None));
            self.decided(cx);
            self.list_changed(cx.shared);
        }
    }

    /// Why nobody can be let out.
    pub(super) fn why_none_leaves(&self, shared: &Shared) -> Option<&'static str> {
        match self.meant(shared) {
            _ if !shared.has_entrance(self.event) => {
                Some("this desk has no gate: start the app with --gate NAME")
            }
            None => Some("no guest is selected, and none was checked in"),
            Some(guest) if !self.is_inside(shared, guest.id) => Some("the guest is not inside"),
            Some(_) => None,
        }
    }

    /// Whether a guest must not come in. One who is in has come before the block, or for a reason.
    pub(super) fn is_blocked(&self, shared: &Shared, id: GuestId) -> bool {
        let is_admitted = shared.door().latest(id).is_some_and(Attempt::is_admitted);
        self.roll
            .get(id)
            .is_some_and(|guest| match is_in(shared, guest) {
                true => blocked(&guest.tags).is_some() && !is_admitted,
                false => matches!(alert(&guest.tags), Some(Alert::Blocked(_))),
            })
    }

    /// Whether a guest who is not in comes before the day of the event, and no person has let one in before that day.
    pub(super) fn is_early(&self, shared: &Shared, id: GuestId) -> bool {
        let start = self.early_start(shared);
        let guest = self.roll.get(id);
        start.is_some() && start != self.early && guest.is_some_and(|guest| !is_in(shared, guest))
    }

    /// Notes that a person lets in the guest about whom the desk has asked.
    fn answer_early(&mut self, shared: &Shared, id: GuestId) -> bool {
        let is_asked = self.banner == Banner::Early(id);
        if is_asked {
            self.early = self.early_start(shared);
        }
        is_asked
    }

    /// The start of the event, if it is on a later day.
    pub(super) fn early_start(&self, shared: &Shared) -> Option<Timestamp> {
        let start = self.record.value()?.start_at?;
        let day = |at: Timestamp| at.to_zoned(shared.locale.zone.clone()).date();
        (day(start) > day(shared.now)).then_some(start)
    }

    /// Asks for the reason to let in the guest in the banner, also if others arrive meanwhile. Returns their name.
    pub(super) fn ask_to_admit(&mut self, shared: &Shared) -> Option<String> {
        self.admits = self.turned_away(shared);
        Some(self.roll.get(self.admits?)?.name.clone())
    }

    /// Lets in, with this reason, the guest of the question.
    pub(super) fn admit(&mut self, cx: &mut Cx, reason: &str) {
        let Some(id) = self.admits.take() else { return };
        if let Some(attempt) = door::admit_walk_in(cx, id, reason) {
            self.banner = Banner::Attempt(attempt);
            self.list_changed(cx.shared);
        } else if let Some(arrival) = self.arrival(id) {
            let wish = match self.place_name(cx.shared) {
                Some(_) => Action::Enter,
                None => Action::CheckIn,
            };
            self.banner = Banner::Attempt(door::admit(cx, arrival, wish, reason));
            self.list_changed(cx.shared);
        }
    }

    /// Checks in the selected guest and selects the next one who is expected: for a party of one name.
    pub(super) fn check_in_next(&mut self, cx: &mut Cx) {
        let Some(id) = self.selected else { return };
        if self.answer_early(cx.shared, id) {
            self.question = None;
        }
        self.let_in(cx, id);
        self.list_changed(cx.shared);
        let is_expected = |id: &&GuestId| {
            let guest = self.roll.get(**id);
            guest.is_some_and(|guest| !is_in(cx.shared, guest))
        };
        let next = self.rows().iter().find(is_expected).copied();
        if matches!(self.banner, Banner::Attempt(_)) && next.is_some() {
            self.selected = next;
            self.is_chosen = true;
        }
    }

    /// The arrival of a known guest.
    fn arrival(&self, id: GuestId) -> Option<Arrival> {
        let guest = self.roll.get(id)?;
        Some(Arrival {
            ticket: tickets(&guest.tags, self.roll.ticket_tags()).next(),
            ..Arrival::listed(self.event, id, &guest.name)
        })
    }

    /// Empties the box for the next guest. The answer stays until a character is typed.
    pub(super) fn clear(&mut self, cx: &mut Cx) {
        self.pursued = None;
        self.search.set("");
        self.text_changed(cx);
    }

    /// After a decision: the check-in whose text was searched again no longer needs attention.
    pub(super) fn decided(&mut self, cx: &mut Cx) {
        if let Some(concern) = self.pursued {
            door::dismiss(cx.shared, concern);
        }
        self.clear(cx);
    }

    /// Opens the form for a walk-in: the plus-one of the guest whom a person has selected, or somebody with the typed
    /// text as the name.
    pub(super) fn add(&mut self, cx: &mut Cx) {
        let text = self.search.text();
        let selected = self.selected.filter(|_| self.is_chosen);
        let host = selected.and_then(|id| self.roll.get(id));
        let text = match text.trim() {
            _ if host.is_some() => "",
            "" => self.answered_text().unwrap_or_default(),
            text => text,
        };
        let doubt = match &self.banner {
            Banner::NotAsked { why, .. } => Some(why.clone()),
            _ if self.record.error().is_some() && !self.knows_all() => {
                Some(self.not_asked(cx.shared))
            }
            _ => None,
        };
        let known = Known {
            guests: self.roll.of_all().cloned().collect(),
            ticket_tags: self.roll.ticket_tags().to_vec(),
            waiting: self.roll.walk_ins().clone(),
            doubt,
            place: self.place_now(cx.shared),
            is_away: self.is_away || self.record.error().is_some(),
        };
        let form = add_form(self.event, text, host, known, cx.now());
        cx.open(form);
    }

    /// Opens the screen of the selected guest.
    pub(super) fn open_guest(&mut self, cx: &mut Cx) {
        let meant = self.meant(cx.shared).cloned();
        let host = meant.as_ref().and_then(|guest| guest_of(&guest.tags));
        if let Some(host) = host.and_then(|id| self.roll.get(id)) {
            cx.shared.names.note(&host.id.to_string(), &host.name);
        }
        if let Some(screen) = meant
            .as_ref()
            .and_then(|guest| guest::screen(guest, cx.now(), cx.shared))
        {
            cx.open(screen);
        }
    }

    /// The selected guest, or the one in the banner.
    pub(super) fn meant(&self, shared: &Shared) -> Option<&Guest> {
        let told = || match self.banner {
            Banner::Attempt(id) | Banner::Again(id) => shared.door().attempt(id)?.guest,
            Banner::Blocked(id) | Banner::Early(id) => Some(id),
            _ => None,
        };
        self.roll.get(self.selected.or_else(told)?)
    }

    /// Clears text, selection and an answer that asks for a choice.
    pub(super) fn clear_text(&mut self, cx: &mut Cx) {
        self.question = None;
        if self.banner.ends_with_text(cx.shared) {
            self.banner = Banner::Welcome;
        }
        self.clear(cx);
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
            self.decided(cx);
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
        self.pursued = Some(concern.id);
        self.search.set(&text);
        self.text_changed(cx);
        if let Some(id) = concern.guest.filter(|id| self.place(*id).is_some()) {
            self.selected = Some(id);
            self.is_chosen = true;
        }
    }

    /// The guest who, according to the banner, was in before.
    fn told_before(&self, shared: &Shared) -> Option<GuestId> {
        let id = match self.banner {
            Banner::Attempt(id) | Banner::Again(id) => id,
            Banner::Blocked(id) => {
                let guest = self.roll.get(id)?;
                return guest.check_in_at.map(|_| id);
            }
            _ => return None,
        };
        let attempt = shared.door().attempt(id)?;
        matches!(
            attempt.status,
            Status::In {
                was_before: true,
                ..
            }
        )
        .then_some(attempt.guest?)
    }
}
