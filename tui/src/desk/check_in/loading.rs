//! The desk's own requests: the event, and pages of guests, at first and if the event's counts show that the list is out of
//! date. Check-ins take precedence: after a 429 the desk delays its requests.

use std::sync::Arc;

use frontdesk_client::{CallError, GuestList, Settled};
use frontdesk_protocol::events::event::{EventWithArrivals, GetEvent};
use frontdesk_protocol::events::guest::{Guest, ListEventGuests};
use frontdesk_protocol::id::GuestId;
use frontdesk_protocol::record::List;
use frontdesk_protocol::value::{Limit, Offset};
use frontdesk_protocol::{Host, Maybe, ToolError};
use jiff::SignedDuration;

use super::pages::{Counts, Next, PAGE};
use super::{CheckIn, guests_of, place_of};
use crate::app::cx::Cx;
use crate::app::effects::call::ToolCall;
use crate::app::owner::RequestId;
use crate::app::remote::Remote;
use crate::app::shared::{Session, Shared};
use crate::desk::door::lists::KeepList;

/// The interval between requests for the event.
pub(super) const POLL: SignedDuration = SignedDuration::from_secs(10);
/// The interval while the desk follows the list: only removed guests are not among the changes.
pub(super) const POLL_COUNTS: SignedDuration = SignedDuration::from_secs(30);
/// The interval while the host reports changes.
pub(super) const TOLD: SignedDuration = SignedDuration::from_mins(1);
/// The longest interval, used while the host does not answer.
const POLL_LONGEST: SignedDuration = SignedDuration::from_secs(40);

/// The interval while the host cannot be reached: tries cost it nothing.
const POLL_AWAY: SignedDuration = SignedDuration::from_secs(5);

/// For this long after a 429, waiting check-ins go before the desk's own requests.
const MEMORY: SignedDuration = SignedDuration::from_mins(1);

/// The interval between writes of the guest list to disk, for each started ten thousand guests.
const KEEP: SignedDuration = SignedDuration::from_mins(1);
const MANY: usize = 10_000;

impl CheckIn {
    /// Writes the guest list to disk, at intervals, or at once if it has changed.
    pub(super) fn keep(&mut self, cx: &mut Cx, at_once: bool) {
        let (Some(heard), Some(event)) = (self.heard, self.record.value()) else {
            return;
        };
        let changes = self.roll.changes();
        let is_due = self.kept.is_none_or(|(kept, before)| {
            let since = heard.duration_since(kept);
            let shares = i32::try_from(1 + self.roll.len() / MANY).unwrap_or(i32::MAX);
            since >= KEEP * shares || at_once && changes != before
        });
        if is_due && matches!(cx.shared.session, Session::In(_)) {
            cx.run(KeepList(Box::new(GuestList {
                // Filled in by the worker.
                host_url: String::new(),
                at: heard,
                event: event.clone(),
                ticket_tags: self.roll.ticket_tags().to_vec(),
                place: cx.shared.place(self.event).cloned(),
                since: self.following.since.clone().filter(|_| self.follows()),
                seen: self
                    .seen
                    .iter()
                    .copied()
                    .chain(cx.shared.door().settled(self.event))
                    .collect(),
                guests: self.roll.of_host().cloned().collect(),
                later: Vec::new(),
                own: Vec::new(),
            })));
            self.kept = Some((heard, changes));
        }
    }

    /// Takes the guest list from disk, and asks the host for what changed since.
    pub(super) fn recall(&mut self, cx: &mut Cx, list: Option<Box<GuestList>>) {
        if let Some(mut list) = list {
            let place = list.place.take();
            if !self.recall_place(cx, place) {
                list.since = None;
                list.guests
                    .iter_mut()
                    .for_each(|guest| Arc::make_mut(guest).passage = None);
            }
            self.own.extend(list.own);
            let later = list.later.iter().map(|settled| settled.entry);
            self.seen.extend(list.seen.iter().copied().chain(later));
            if self.heard.is_none() {
                self.roll.name_tickets(&list.ticket_tags);
                self.roll.recall(list.guests);
                self.old = Some(list.at);
                if list.since.is_some() {
                    self.following.since = list.since;
                    self.pages.resume();
                }
                self.catch_up(list.later);
                self.list_changed(cx.shared);
            }
        }
        self.ask(cx);
    }

    /// Takes what was settled here after the list was stored.
    fn catch_up(&mut self, later: Vec<Settled>) {
        for settled in later {
            match settled.guest {
                Some(guest) => {
                    self.count(&guest);
                    self.roll.read(vec![guest], RequestId(0));
                }
                None => drop(self.roll.forget(settled.guest_id)),
            }
        }
    }

    /// Asks for the event, and for guests: those that changed, or those that are not known.
    pub(super) fn ask(&mut self, cx: &mut Cx) {
        self.ask_event(cx);
        self.ask_place(cx);
        match self.follows() {
            true => self.follow(cx),
            false => self.ask_guests(cx),
        }
    }

    pub(super) fn known(&self) -> Counts {
        if self.old.is_some() {
            // The host has not answered yet.
            return Counts { guests: 0, here: 0 };
        }
        // Check-ins are among the changes, and may be newer than the host's last counts.
        let polled = self.polled().filter(|_| self.follows());
        Counts {
            guests: self.roll.len(),
            here: polled.map_or_else(|| self.roll.here(), |polled| polled.here),
        }
    }

    /// The host's last counts, if requested after the last change here.
    pub(super) fn polled(&self) -> Option<Counts> {
        let seen = match &self.record {
            Remote::Ready(seen) => seen,
            _ => return None,
        };
        (self.counted_at <= self.polled_at && self.polled_at > RequestId(0)).then_some(Counts {
            guests: seen.value.guest_count as usize,
            here: seen.value.checked_in_count as usize,
        })
    }

    /// The numbers of guests and of arrivals: the host's last counts and this desk's changes since.
    pub(super) fn counts(&self) -> Counts {
        match self.record.value() {
            Some(_) if self.follows() && self.is_whole() => Counts {
                guests: self.roll.len(),
                here: self.roll.here(),
            },
            Some(event) => Counts {
                guests: event.guest_count as usize,
                here: event.checked_in_count as usize,
            },
            None => self.known(),
        }
    }

    /// Counts a guest returned by a write.
    pub(super) fn count(&mut self, guest: &Guest) {
        let before = self.roll.get(guest.id);
        let was_in = before.map(|before| before.check_in_at.is_some());
        let is_in = guest.check_in_at.is_some();
        let is_new = before.is_none() && self.pages.is_whole();
        let Some(event) = self.record.value_mut() else {
            return;
        };
        event.guest_count += u32::from(is_new);
        match (was_in.unwrap_or(!is_in), is_in) {
            (false, true) => event.checked_in_count += 1,
            (true, false) => event.checked_in_count = event.checked_in_count.saturating_sub(1),
            _ => {}
        }
    }

    /// A guest is no longer on the list.
    pub(super) fn forget(&mut self, cx: &Cx, id: &str) {
        let guest = id.parse().ok().and_then(|id| self.roll.forget(id));
        if let (Some(guest), Some(event)) = (guest, self.record.value_mut()) {
            self.counted_at = cx.shared.coming_id();
            event.guest_count = event.guest_count.saturating_sub(1);
            if guest.check_in_at.is_some() {
                event.checked_in_count = event.checked_in_count.saturating_sub(1);
            }
        }
    }

    /// How long the desk delays its requests: after a 429, or while check-ins wait because of one.
    /// The desks of an account use different delays.
    pub(super) fn yields(&self, cx: &Cx) -> Option<SignedDuration> {
        self.heard?;
        let until = cx.shared.limited_until(Host::Events)?;
        let left = until.duration_since(cx.now());
        let is_yielding = left.is_positive() || left > -MEMORY && cx.shared.waiting() > 0;
        let share = cx.shared.spread(POLL * 2);
        is_yielding.then(|| left.max(SignedDuration::ZERO) + POLL + share)
    }

    pub(super) fn ask_event(&mut self, cx: &mut Cx) {
        if let Some(wait) = self.yields(cx) {
            cx.cancel(&mut self.poll);
            self.poll = Some(cx.after(wait));
            return;
        }
        if !self.record.is_loading() && matches!(cx.shared.session, Session::In(_)) {
            self.polled_at = cx.shared.coming_id();
            self.following.is_event_old = false;
            let request = cx.send(self.asked_of_event());
            self.record.begin(request);
        }
    }

    pub(super) fn asked_of_event(&self) -> ToolCall {
        ToolCall::of(&GetEvent { id: self.event })
    }

    /// Whether the host reports changes of the event.
    fn hears_of_event(&self, shared: &Shared) -> bool {
        let listening = &shared.listening;
        listening.hears(Host::Events, &self.asked_of_event())
    }

    pub(super) fn ask_guests(&mut self, cx: &mut Cx) {
        let now = cx.now();
        // First the host says what has changed since the list was stored.
        let waits = self.follows() && (self.old.is_some() || self.following.is_behind);
        if !waits
            && !self.awaits_place(cx.shared)
            && self.yields(cx).is_none()
            && let Some(offset) = self.pages.begin(self.polled(), self.known(), now)
        {
            self.ask_page(cx, offset);
        }
    }

    /// After a rest: the next page, unless check-ins take precedence. Then the next answer about the event goes on.
    pub(super) fn ask_rested(&mut self, cx: &mut Cx) {
        if self.yields(cx).is_none()
            && let Some(offset) = self.pages.rested()
        {
            self.ask_page(cx, offset);
        }
    }

    pub(super) fn ask_page(&mut self, cx: &mut Cx, offset: u32) {
        let mut call = ToolCall::of(&ListEventGuests {
            limit: Limit::new(PAGE).unwrap_or_default(),
            offset: Offset::new(offset),
            ..guests_of(self.event)
        });
        call.options.place = place_of(self.event, cx.shared);
        // The first page says from where to follow.
        call.options.guests_since = (offset == 0 && !self.follows()).then(Box::default);
        let request = cx.send(call);
        let guests = self.record.value().map_or(0, |event| event.guest_count);
        self.pages.asked(request, offset, guests as usize, cx.now());
    }

    pub(super) fn event_came(
        &mut self,
        cx: &mut Cx,
        request: RequestId,
        result: Result<Maybe<EventWithArrivals>, CallError>,
    ) {
        let result = result.and_then(|Maybe(event)| {
            event.ok_or_else(|| CallError::Tool(ToolError::not_found("event")))
        });
        let mut result = result.map(|known| {
            self.roll.name_tickets(&known.ticket_tags);
            self.roll.arrived(&known.recent_arrivals, request);
            self.arrivals = known.recent_arrivals;
            known.event
        });
        let wait = match &result {
            Ok(_) => {
                self.failures = 0;
                match self.follows() {
                    true if self.hears_of_event(cx.shared) => TOLD,
                    true => POLL_COUNTS,
                    false => POLL,
                }
            }
            Err(error) => match (error.wait(), error) {
                (Some(told), _) if self.heard.is_some() => told + POLL + cx.shared.spread(POLL * 2),
                // Nothing is on screen yet.
                (Some(told), _) => told,
                (None, CallError::Unreachable { .. }) => POLL_AWAY,
                (None, _) => {
                    self.failures += 1;
                    (POLL * (1 << self.failures.min(3))).min(POLL_LONGEST)
                }
            },
        };
        if let (Ok(event), Some(known), true) = (
            &mut result,
            self.record.value(),
            self.counted_at > self.polled_at,
        ) {
            // The host may have counted before the last change here.
            event.guest_count = known.guest_count;
            event.checked_in_count = known.checked_in_count;
        }
        if self.record.finish(request, cx.now(), result) {
            cx.cancel(&mut self.poll);
            self.poll = Some(cx.after(wait));
            if self.record.error().is_none() {
                if self.heard.is_some() {
                    self.heard = Some(cx.now());
                    self.keep(cx, false);
                }
                self.ask_place(cx);
                self.follow(cx);
            }
            self.list_changed(cx.shared);
            self.ask_guests(cx);
        }
    }

    pub(super) fn page_came(
        &mut self,
        cx: &mut Cx,
        request: RequestId,
        result: Result<List<Guest>, CallError>,
        next: Option<Box<str>>,
    ) {
        match result {
            Ok(page) => {
                if page.offset == 0 && !self.follows() {
                    self.following.go_on(next);
                    self.following.is_behind = false;
                }
                self.list_error = None;
                self.old = None;
                self.heard = Some(cx.now());
                let ids: Vec<GuestId> = page.items.iter().map(|guest| guest.id).collect();
                self.roll.read(page.items, request);
                let (polled, known, now) = (self.polled(), self.known(), cx.now());
                let was_whole = self.pages.is_whole();
                let next = self.pages.came(&ids, page.has_more, polled, known, now);
                match next {
                    Next::Ask(offset, rest) if rest.is_zero() => self.ask_page(cx, offset),
                    Next::Ask(_, rest) => {
                        cx.cancel(&mut self.page_rest);
                        self.page_rest = Some(cx.after(rest));
                    }
                    Next::Keep { ids, since } => self.roll.keep(&ids, since),
                    Next::Rest => {}
                }
                if !self.pages.is_loading() {
                    self.keep(cx, self.pages.is_whole() != was_whole);
                }
                self.follow(cx);
                self.list_changed(cx.shared);
            }
            Err(error) => {
                self.pages.failed();
                self.list_error = Some(error);
            }
        }
    }
}
