//! The search for a guest: at once among the known ones, and at the host after a pause.

use std::collections::HashMap;

use frontdesk_client::CallError;
use frontdesk_protocol::events::guest::{Guest, ListEventGuests, Matched};
use frontdesk_protocol::id::GuestId;
use frontdesk_protocol::record::List;
use frontdesk_protocol::value::Line;
use jiff::SignedDuration;

use super::banner::Banner;
use super::choice::Choice;
use super::code;
use super::{CheckIn, Entered, Found, guests_of};
use crate::app::cx::Cx;
use crate::app::effects::effect::RequestId;
use crate::app::remote::Remote;
use crate::app::shared::Shared;
use crate::door::{self, Attempt, is_mistake};
use crate::ui::problem::Problem;

/// The pause in typing before the host is searched.
const TYPING_PAUSE: SignedDuration = SignedDuration::from_millis(250);
/// Maximum number of listed arrivals.
const RECENT: usize = 50;

impl CheckIn {
    pub(super) fn text_changed(&mut self, cx: &mut Cx) {
        let search = self.found.request();
        let is_kept = |entered: &Entered| Some(entered.search) == search;
        if !self.entered.iter().any(is_kept) {
            cx.abort(search);
        }
        cx.cancel(&mut self.pause);
        self.found = Remote::Idle;
        if self.banner.ends_with_text(cx.shared) {
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

    /// Whether the text in the box needs a search at the host.
    fn needs_search(&self) -> bool {
        let text = self.search.text();
        let is_name = !text.trim().is_empty() && code::find(&text).is_none();
        // If all guests are known, only a text that matches no name is searched at the host: the
        // guest may just have been added.
        let first = self.rows.first().and_then(|id| self.matched.get(id));
        let is_known = self.pages.is_whole() && first.is_some_and(|first| is_likely(*first));
        is_name && !is_known
    }

    /// Whether the host's answer can change what Enter does. A second Enter after "nobody found"
    /// searches again.
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
            // The match belongs to this text and is not stored with the guest.
            let found = page.items.iter_mut();
            let found =
                found.map(|guest| (guest.id, guest.matched.take().unwrap_or(Matched::Part)));
            let found = Found {
                guests: found.collect(),
                has_more: page.has_more,
            };
            self.roll.read(page.items, request);
            found
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

    /// Completes an Enter while the next name is being typed. If it checked nobody in, it is added
    /// to the attention list, since its text is no longer on screen.
    fn answer_late(&mut self, cx: &mut Cx, text: &str, result: Result<Found, CallError>) {
        let why = match result {
            Ok(found) => {
                let (rows, matched) = self.matches(text, &found, cx.shared);
                match self.choose(cx.shared, &rows, &matched, found.has_more) {
                    Choice::Take(id) => {
                        self.let_in(cx, id);
                        return;
                    }
                    Choice::Nobody => "no guest has this name".to_owned(),
                    Choice::Ask(doubt) => doubt.words(text),
                }
            }
            Err(error) => Problem::of(&error).line(),
        };
        door::raise(cx, self.event, text.to_owned(), why, None);
        cx.ring();
    }

    /// The guests that match a text, best match first, each with its kind of match. Guests whose
    /// words begin with the text come first; in each group, expected guests come before those who
    /// are in.
    pub(super) fn matches(
        &self,
        text: &str,
        found: &Found,
        shared: &Shared,
    ) -> (Vec<GuestId>, HashMap<GuestId, Matched>) {
        if text.trim().is_empty() {
            return (self.roll.order().to_vec(), HashMap::new());
        }
        let mut matched = self.roll.find(text);
        for (id, by_host) in &found.guests {
            let best = matched.entry(*id).or_insert(*by_host);
            *best = (*best).min(*by_host);
        }
        let known = self.roll.order().iter().filter_map(|id| {
            let is_in = self.roll.get(*id).is_some_and(|guest| is_in(shared, guest));
            let matched = *matched.get(id)?;
            let group = if is_likely(matched) {
                Matched::Prefix
            } else {
                matched
            };
            Some(((group, is_in, matched), *id))
        });
        let mut rows: Vec<_> = known.collect();
        rows.sort_by_key(|(rank, _)| *rank);
        (rows.into_iter().map(|(_, id)| id).collect(), matched)
    }

    /// Updates the rows after a change of guests or text. The selected guest stays selected.
    pub(super) fn list_changed(&mut self, shared: &Shared) {
        let of_event = shared.door().of_event(self.event);
        self.roll
            .expect(of_event.filter_map(Attempt::walk_in).collect());
        let text = self.search.text();
        let none = Found::default();
        let found = self.found.value().unwrap_or(&none);
        (self.rows, self.matched) = self.matches(&text, found, shared);
        self.recent = self.roll.recent(&self.arrivals, RECENT);
        let is_there = self.selected.is_some_and(|id| self.rows.contains(&id));
        if !is_there {
            self.is_stopped = false;
            // With an empty box, Enter must not check in the first guest of the alphabet.
            self.selected = match text.trim().is_empty() {
                true => None,
                false => self.rows.first().copied(),
            };
        }
    }
}

/// Whether the text equals the name or begins its words.
pub(super) fn is_likely(matched: Matched) -> bool {
    matched <= Matched::Prefix
}

/// Whether a guest is no longer expected: in, being checked in, or added by mistake.
pub(super) fn is_in(shared: &Shared, guest: &Guest) -> bool {
    guest.check_in_at.is_some()
        || is_mistake(guest)
        || shared
            .door()
            .latest(guest.id)
            .is_some_and(Attempt::is_pending)
}
