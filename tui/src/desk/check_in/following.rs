//! The guests that others add or change. The desk asks for those since the last answer, which costs the same at every
//! size of the event.

use frontdesk_client::CallError;
use frontdesk_protocol::Host;
use frontdesk_protocol::events::guest::Guest;
use frontdesk_protocol::record::List;
use jiff::{SignedDuration, Timestamp};

use super::loading::{POLL, POLL_COUNTS, TOLD};
use super::{CheckIn, guests_of, place_of};
use crate::app::cx::Cx;
use crate::app::effects::call::ToolCall;
use crate::app::owner::RequestId;
use crate::app::shared::{Session, Shared};

/// The interval while at least half of the rate limit is left.
const OFTEN: SignedDuration = SignedDuration::from_secs(5);
/// The reports of one change come within this time.
const TOGETHER: SignedDuration = SignedDuration::from_secs(1);

/// The following of changes.
#[derive(Debug, Default)]
pub(super) struct Following {
    /// From where the host is asked, once it has said.
    pub(super) since: Option<Box<str>>,
    /// The host has more changes than it sent.
    pub(super) is_behind: bool,
    request: Option<RequestId>,
    timer: Option<RequestId>,
    /// The place in the changes from which the host reports them.
    told_since: Option<Box<str>>,
    /// When the desk last asked.
    asked: Option<Timestamp>,
    /// The host has reported a change since.
    is_told: bool,
    /// When it last did.
    told: Option<Timestamp>,
    /// The timer until the event is asked for, of which the host has reported a change.
    counting: Option<RequestId>,
    /// The event changed together with guests since it was last asked for.
    pub(super) is_event_old: bool,
}

impl Following {
    pub(super) fn waits_for(&self, request: RequestId) -> bool {
        self.request == Some(request)
    }

    /// Whether this is the time to ask.
    pub(super) fn is_due(&mut self, timer: RequestId) -> bool {
        self.timer.take_if(|one| *one == timer).is_some()
    }

    /// Whether this is the time to ask for the event.
    pub(super) fn counts(&mut self, timer: RequestId) -> bool {
        self.counting.take_if(|one| *one == timer).is_some()
    }

    /// Goes on from here. The host, once asked to tell of changes, goes on by itself.
    pub(super) fn go_on(&mut self, next: Option<Box<str>>) {
        if self.told_since.is_none() {
            self.told_since.clone_from(&next);
        }
        self.since = next;
    }

    pub(super) fn stop(&mut self, cx: &mut Cx) {
        self.told_since = None;
        cx.abort(self.request.take());
        cx.cancel(&mut self.timer);
        cx.cancel(&mut self.counting);
    }
}

impl CheckIn {
    /// Whether the desk has the whole list, and follows it.
    pub(super) fn follows(&self) -> bool {
        self.pages.is_whole() && self.following.since.is_some()
    }

    /// Asks for changes, unless that is planned.
    pub(super) fn follow(&mut self, cx: &mut Cx) {
        if self.following.request.is_none() && self.following.timer.is_none() {
            self.ask_changes(cx);
        }
    }

    pub(super) fn ask_changes(&mut self, cx: &mut Cx) {
        let is_ready = self.follows() && !self.awaits_place(cx.shared);
        let Some(since) = self.following.since.clone().filter(|_| is_ready) else {
            return;
        };
        if let Some(wait) = self.yields(cx) {
            return self.follow_after(cx, wait);
        }
        if matches!(cx.shared.session, Session::In(_)) {
            if self.following.is_behind {
                self.pages.counts(cx.now());
            }
            self.following.asked = Some(cx.now());
            self.following.is_told = false;
            let call = self.changes_since(cx.shared, since);
            self.following.request = Some(cx.send(call));
        }
    }

    fn changes_since(&self, shared: &Shared, since: Box<str>) -> ToolCall {
        let mut call = ToolCall::of(&guests_of(self.event));
        call.options.guests_since = Some(since);
        call.options.place = place_of(self.event, shared);
        call
    }

    /// The call whose changes the host tells.
    pub(super) fn told_of(&self, shared: &Shared) -> Option<ToolCall> {
        let since = self.following.told_since.clone();
        let since = since.filter(|_| self.follows())?;
        Some(self.changes_since(shared, since))
    }

    /// The host has reported a change of the event or its counts. Guests who were added or checked in come as changes, and
    /// change the counts: the desk asks for the event only if no guest has changed.
    pub(super) fn told_of_event(&mut self, cx: &mut Cx) {
        let told = self.following.told;
        if told.is_some_and(|told| cx.now().duration_since(told) < TOGETHER) {
            self.event_is_old(cx);
        } else if self.following.counting.is_none() {
            self.following.counting = Some(cx.after(TOGETHER));
        }
    }

    /// The event changed with guests: it is asked for in a while, because of what may have changed besides.
    fn event_is_old(&mut self, cx: &mut Cx) {
        if !std::mem::replace(&mut self.following.is_event_old, true) {
            cx.cancel(&mut self.poll);
            self.poll = Some(cx.after(POLL_COUNTS));
        }
    }

    /// The host has reported a change of guests: the desk asks at once, unless it has just asked.
    pub(super) fn told(&mut self, cx: &mut Cx) {
        self.following.is_told = true;
        self.following.told = Some(cx.now());
        if self.following.counting.is_some() {
            cx.cancel(&mut self.following.counting);
            self.event_is_old(cx);
        }
        if self.following.request.is_none() {
            let next = self.following.asked.map(|asked| asked + OFTEN);
            let wait = next.map(|next| next.duration_since(cx.now()));
            match wait.filter(|wait| wait.is_positive()) {
                Some(wait) => self.follow_after(cx, wait),
                None => {
                    cx.cancel(&mut self.following.timer);
                    self.ask_changes(cx);
                }
            }
        }
    }

    /// The interval after an answer without more changes.
    fn rest(&self, shared: &Shared) -> SignedDuration {
        let is_told = || {
            self.told_of(shared)
                .is_some_and(|call| shared.listening.hears(Host::Events, &call))
        };
        match self.pages.has_allowance() {
            false => POLL,
            true if self.following.is_told || !is_told() => OFTEN,
            true => TOLD,
        }
    }

    fn follow_after(&mut self, cx: &mut Cx, wait: SignedDuration) {
        cx.cancel(&mut self.following.timer);
        self.following.timer = Some(cx.after(wait));
    }

    /// Takes the guests that changed; `next` is from where to ask again.
    pub(super) fn changes_came(
        &mut self,
        cx: &mut Cx,
        request: RequestId,
        result: Result<List<Guest>, CallError>,
        next: Option<Box<str>>,
    ) {
        self.following.request = None;
        let wait = match result {
            Ok(page) => {
                self.following.is_behind = page.has_more;
                self.following.go_on(next);
                self.pages.saw(page.items.iter().map(|guest| guest.id));
                self.roll.read(page.items, request);
                self.heard = Some(cx.now());
                if !page.has_more {
                    self.old = None;
                    self.list_error = None;
                }
                if self.following.since.is_none() {
                    // The host's database is another one.
                    cx.abort(self.pages.request());
                    self.pages.restart();
                }
                self.keep(cx, false);
                self.list_changed(cx.shared);
                self.ask_guests(cx);
                match page.has_more {
                    true => self.pages.rest(cx.now()),
                    false => self.rest(cx.shared),
                }
            }
            Err(error) => {
                // As if the event had been asked for: the next answer about it goes on.
                if !self.record.is_loading() {
                    self.record.begin(request);
                    self.event_came(cx, request, Err(error));
                }
                return;
            }
        };
        self.follow_after(cx, wait);
    }
}
