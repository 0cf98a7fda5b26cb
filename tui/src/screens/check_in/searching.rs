//! Finding a guest: among those who are known at once, and with the host after a pause.

use frontdesk_client::CallError;
use frontdesk_protocol::events::guest::{Guest, ListEventGuests};
use frontdesk_protocol::id::GuestId;
use frontdesk_protocol::record::List;
use frontdesk_protocol::value::Line;
use jiff::SignedDuration;

use super::acting::guest_id;
use super::banner::Banner;
use super::{CheckIn, Entered, Found, guests_of};
use crate::app::cx::Cx;
use crate::app::effect::RequestId;
use crate::app::remote::Remote;
use crate::app::shared::Shared;
use crate::door::{Attempt, is_mistake};
use crate::ui::mark::Mark;
use crate::ui::problem::Problem;

/// A pause in typing that is long enough to ask the host.
const TYPING_PAUSE: SignedDuration = SignedDuration::from_millis(250);
/// Arrivals that are listed.
const RECENT: usize = 50;

impl CheckIn {
    /// The search text changed.
    pub(super) fn text_changed(&mut self, cx: &mut Cx) {
        let search = self.found.request();
        let is_kept = |entered: &Entered| Some(entered.search) == search;
        if !self.entered.iter().any(is_kept) {
            cx.abort(search);
        }
        cx.cancel(&mut self.pause);
        self.found = Remote::Idle;
        if self.banner.is_about_text() {
            self.banner = Banner::Welcome;
        }
        self.selected = None;
        self.is_entered = false;
        self.is_chosen = false;
        self.is_stopped = false;
        self.list_changed(cx.shared);
        if self.needs_search() {
            self.pause = Some(cx.after(TYPING_PAUSE));
        }
    }

    /// Whether the host is to be asked for the text in the box.
    fn needs_search(&self) -> bool {
        let text = self.search.text();
        let is_name = !text.trim().is_empty() && guest_id(&text).is_none();
        // With every guest at hand, only a name that nobody has is worth a question: somebody may
        // have been added a moment ago.
        let is_known = self.pages.is_whole() && !self.rows.is_empty();
        is_name && !is_known
    }

    /// Whether the host's answer may change what Enter means. Enter again after nobody was found
    /// asks again.
    pub(super) fn awaits_search(&self) -> bool {
        let is_answered = matches!(self.found, Remote::Ready(_) | Remote::Failed { .. });
        let is_again = self.is_entered && self.rows.is_empty();
        self.needs_search() && !self.is_chosen && (!is_answered || is_again)
    }

    pub(super) fn ask_search(&mut self, cx: &mut Cx) {
        let text = self.search.text();
        if let Ok(text) = Line::new(text.trim()) {
            let request = cx.call(ListEventGuests {
                search: Some(text),
                ..guests_of(self.event)
            });
            self.found.begin(request);
        }
    }

    pub(super) fn found_came(
        &mut self,
        cx: &mut Cx,
        request: RequestId,
        result: Result<List<Guest>, CallError>,
    ) {
        let entered = self.entered.iter().position(|one| one.search == request);
        let entered = entered.map(|at| self.entered.remove(at));
        let result = result.map(|mut page| {
            let ids = page.items.iter().map(|guest| guest.id).collect();
            // Similarity is to this text, and none of the guest's own.
            let similar = page.items.iter_mut();
            let similar = similar.filter_map(|guest| {
                let is_similar = guest.similar.take() == Some(true);
                is_similar.then_some(guest.id)
            });
            let similar = similar.collect();
            self.roll.read(page.items, request);
            Found { ids, similar }
        });
        if self.found.waits_for(request) {
            self.found.finish(request, cx.now(), result);
            if !self.is_chosen {
                self.selected = None;
            }
            self.list_changed(cx.shared);
            if entered.is_some() {
                self.take(cx);
            }
        } else if let Some(entered) = entered {
            self.list_changed(cx.shared);
            self.answer_late(cx, &entered.text, result);
        }
    }

    /// Answers an Enter while the next name is being typed, which stays as it is. What does not
    /// check anybody in is told, since its text is gone.
    fn answer_late(&mut self, cx: &mut Cx, text: &str, result: Result<Found, CallError>) {
        let why = match result {
            Ok(found) => {
                let rows = self.matches(text, &found, cx.shared);
                match rows.first() {
                    None => "nobody has that name".to_owned(),
                    Some(id) if found.similar.contains(id) => {
                        "only similar names were found".to_owned()
                    }
                    Some(id) if self.doubt(cx.shared, text, *id, &rows).is_none() => {
                        self.let_in(cx, *id);
                        return;
                    }
                    Some(_) => "more than one may be meant".to_owned(),
                }
            }
            Err(error) => Problem::of(&error).line(),
        };
        let words = format!("Nobody was checked in for “{text}”: {why}");
        cx.toast(Mark::Warn, words);
    }

    /// The guests that a text may mean, the likeliest first: those who are known to match, then
    /// those whom the host found.
    fn matches(&self, text: &str, found: &Found, shared: &Shared) -> Vec<GuestId> {
        let mut rows = self.roll.find(text, |guest| is_in(shared, guest));
        for id in &found.ids {
            if !rows.contains(id) {
                rows.push(*id);
            }
        }
        rows
    }

    /// Whether the host found this guest only by similarity to the text in the box.
    pub(super) fn is_similar(&self, id: GuestId) -> bool {
        let found = self.found.value();
        found.is_some_and(|found| found.similar.contains(&id))
    }

    /// The guests or the text changed: finds the rows anew. The selected guest stays selected.
    pub(super) fn list_changed(&mut self, shared: &Shared) {
        let of_event = shared.door().of_event(self.event);
        self.roll
            .expect(of_event.filter_map(Attempt::walk_in).collect());
        let text = self.search.text();
        let none = Found::default();
        let found = self.found.value().unwrap_or(&none);
        self.rows = self.matches(&text, found, shared);
        if let (true, Some(id)) = (self.is_stopped, self.selected) {
            // Whoever may be meant stands together at the top.
            let is_meant = |other: &GuestId| {
                let is_namesake = || self.roll.namesakes(id).any(|guest| guest.id == *other);
                self.roll.is_called(*other, &text) || is_namesake()
            };
            self.rows.sort_by_key(|other| !is_meant(other));
        }
        self.recent = self.roll.recent(RECENT);
        let is_there = self.selected.is_some_and(|id| self.rows.contains(&id));
        if !is_there {
            self.is_stopped = false;
            // In an empty box Enter must not check in whoever is first in the alphabet.
            self.selected = match text.trim().is_empty() {
                true => None,
                false => self.rows.first().copied(),
            };
        }
    }
}

/// Whether a guest is not expected any more: in, or soon so, or added by mistake.
pub(super) fn is_in(shared: &Shared, guest: &Guest) -> bool {
    guest.check_in_at.is_some()
        || is_mistake(guest)
        || shared
            .door()
            .latest(guest.id)
            .is_some_and(Attempt::is_pending)
}
