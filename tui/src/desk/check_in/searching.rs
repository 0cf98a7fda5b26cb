//! The search for a guest: at once among the known ones, and at the host after a pause.

use std::collections::HashMap;

use frontdesk_client::CallError;
use frontdesk_protocol::door::{Arrived, Kind, Pace, read};
use frontdesk_protocol::events::guest::{Guest, ListEventGuests, Matched};
use frontdesk_protocol::id::GuestId;
use frontdesk_protocol::record::List;
use frontdesk_protocol::value::Line;
use jiff::SignedDuration;

use super::banner::Banner;
use super::{CheckIn, Entered, Found, guests_of};
use crate::app::cx::Cx;
use crate::app::input::scan::{FRAME, SHORTEST};
use crate::app::owner::RequestId;
use crate::app::remote::Remote;
use crate::app::screen::ReadsCodes;
use crate::app::shared::Shared;
use crate::desk::door::{Attempt, is_in};

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
        if !self.search.is_empty() {
            // The first character belongs to the next guest.
            self.banner = Banner::Welcome;
            self.question = None;
        }
        self.selected = None;
        self.is_chosen = false;
        self.list_changed(cx.shared);
        if self.needs_search(cx.shared) || self.burst(cx.shared).is_some() {
            self.pause = Some(cx.after(TYPING_PAUSE));
        }
    }

    /// After a pause: decides a code of a scanner that sends nothing behind it, or searches the host.
    pub(super) fn paused(&mut self, cx: &mut Cx) {
        let burst = self.burst(cx.shared).map(str::to_owned);
        let burst = burst.filter(|burst| self.are_codes(&read(burst, Pace::Typed)));
        match burst {
            Some(burst) => self.continued(cx, &burst),
            None if self.needs_search(cx.shared) => self.ask_search(cx),
            None => {}
        }
    }

    /// The end of the text, if it came as a scanner types.
    fn burst<'a>(&self, shared: &'a Shared) -> Option<&'a str> {
        let burst = shared.burst.as_str();
        let is_long = burst.chars().count() >= SHORTEST;
        let is_there = self.search.text().ends_with(&burst.replace(FRAME, ""));
        (is_long && is_there).then_some(burst)
    }

    /// Whether all of this are codes by their form, or the tickets of known guests.
    pub(super) fn are_codes(&self, arrived: &[Arrived]) -> bool {
        let is_code = |one: &Arrived| one.is_code() || self.roll.has_ticket(&one.text);
        !arrived.is_empty() && arrived.iter().all(is_code)
    }

    /// Whether the text in the box needs a search at the host.
    fn needs_search(&self, shared: &Shared) -> bool {
        if shared.hides_names(&self.search.text()) {
            return false;
        }
        let arrived = read(&self.search.text(), Pace::Typed);
        let is_id = |one: &Arrived| matches!(one.kind, Kind::Id(_));
        // If all guests are known, only a text that matches no name is searched at the host: the
        // guest may just have been added.
        let first = self.rows().first().and_then(|id| self.matched.get(id));
        let is_known = self.is_whole() && first.is_some_and(|first| is_likely(*first));
        !arrived.is_empty() && !arrived.iter().all(is_id) && !is_known
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
        let entered = self.was_entered(request);
        self.is_away |= matches!(result, Err(CallError::Unreachable { .. }));
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
            self.found.finish(request, cx.now(), result.clone());
            if !self.is_chosen {
                self.selected = None;
            }
        }
        self.list_changed(cx.shared);
        for arrived in entered {
            self.asked(cx, arrived, result.as_ref().ok());
        }
        self.list_changed(cx.shared);
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
        let mut matched = self.roll.find(text);
        for (id, by_host) in &found.guests {
            let best = matched.entry(*id).or_insert(*by_host);
            *best = (*best).min(*by_host);
        }
        let known = matched.iter().filter_map(|(id, matched)| {
            let is_in = is_in(shared, self.roll.get(*id)?);
            let group = match is_likely(*matched) {
                true => Matched::Prefix,
                false => *matched,
            };
            Some(((group, is_in, *matched), *id))
        });
        let mut rows: Vec<_> = known.collect();
        rows.sort_unstable_by(|(a, one), (b, other)| {
            a.cmp(b).then_with(|| self.roll.by_name(*one, *other))
        });
        (rows.into_iter().map(|(_, id)| id).collect(), matched)
    }

    /// The listed guests: all by name, unless a text is searched or a question is open.
    pub(super) fn rows(&self) -> &[GuestId] {
        self.rows.as_deref().unwrap_or(self.roll.order())
    }

    /// The place of a guest among the listed ones.
    pub(super) fn place(&self, id: GuestId) -> Option<usize> {
        match &self.rows {
            Some(rows) => rows.iter().position(|row| *row == id),
            None => self.roll.place(id),
        }
    }

    /// Updates the rows after a change of guests or text. The selected guest stays selected.
    pub(super) fn list_changed(&mut self, shared: &Shared) {
        self.roll.is_locked = shared.is_locked;
        let of_event = shared.door().of_event(self.event);
        self.roll
            .expect(of_event.filter_map(Attempt::walk_in).collect());
        let text = self.search.text();
        let is_empty = text.trim().is_empty();
        let none = Found::default();
        let found = self.found.value().unwrap_or(&none);
        let (rows, matched) = match &self.question {
            Some(question) => (Some(question.rows.clone()), question.matched.clone()),
            None if shared.hides_names(&text) => (Some(Vec::new()), HashMap::new()),
            None if is_empty => (None, HashMap::new()),
            None => {
                let (rows, matched) = self.matches(&text, found, shared);
                (Some(rows), matched)
            }
        };
        (self.rows, self.matched) = (rows, matched);
        if self.listed != self.roll.changes() {
            self.listed = self.roll.changes();
            self.recent = self.roll.recent(&self.arrivals, RECENT);
        }
        let is_there = self.selected.is_some_and(|id| self.place(id).is_some());
        if !is_there {
            // With an empty box, Enter must not check in the first guest of the alphabet; a code is never a name.
            let takes_first = match &self.question {
                Some(_) => true,
                None => !is_empty && !self.is_unknown_code(&text),
            };
            self.selected = self.rows().first().copied().filter(|_| takes_first);
        }
    }

    /// Whether the text is a code that no known guest has.
    fn is_unknown_code(&self, text: &str) -> bool {
        let first = self.rows().first().and_then(|id| self.matched.get(id));
        let is_ticket = first.is_some_and(|first| *first == Matched::Ticket);
        !is_ticket && read(text, Pace::Typed).iter().any(Arrived::is_code)
    }
}

/// Whether the text equals the name or begins its words.
pub(super) fn is_likely(matched: Matched) -> bool {
    matched <= Matched::Prefix
}
