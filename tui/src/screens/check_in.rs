//! The check-in desk: one event, a search box that always has the focus, and Enter.

mod banner;
mod commands;
#[cfg(test)]
#[path = "check_in/tests.rs"]
mod flow_tests;
mod pages;
mod roll;
mod view;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use frontdesk_client::CallError;
use frontdesk_protocol::Maybe;
use frontdesk_protocol::events::event::{Event, GetEvent};
use frontdesk_protocol::events::guest::{GetEventGuest, Guest, ListEventGuests};
use frontdesk_protocol::id::{EventId, GuestId};
use frontdesk_protocol::record::List;
use frontdesk_protocol::value::{Limit, Line as LineText, Offset};
use jiff::{SignedDuration, Timestamp};
use ratatui::Frame;
use ratatui::layout::Rect;

pub(crate) use commands::COMMANDS;

use super::Page;
use crate::app::cx::{Cx, News};
use crate::app::effect::{Answer, Outcome, RequestId};
use crate::app::remote::Remote;
use crate::app::shared::{Session, Shared};
use crate::app::state::Typing;
use crate::commands::Context;
use crate::door::{self, Arrival, Begun};
use crate::ui::input::Input;
use crate::ui::problem::Problem;
use crate::ui::table;
use banner::Banner;
use pages::{Counts, Next, PAGE, Pages};
use roll::Roll;

/// Time between two questions about the event. Two desks see each other's check-ins after at most
/// this and the time of two calls.
const POLL: SignedDuration = SignedDuration::from_secs(4);
/// The longest such time, while the host does not answer.
const POLL_LONGEST: SignedDuration = SignedDuration::from_secs(32);
/// A pause in typing that is long enough to ask the host.
const TYPING_PAUSE: SignedDuration = SignedDuration::from_millis(250);
/// How long `u` can still become the beginning of a name.
const UNDO_GRACE: SignedDuration = SignedDuration::from_secs(1);
/// Arrivals that are listed.
const RECENT: usize = 50;

/// The check-in desk of one event.
#[derive(Debug)]
pub(crate) struct CheckIn {
    event: EventId,
    record: Remote<Event>,
    /// The next free request number when the event was last asked for.
    polled_at: RequestId,
    /// The next free request number when the counts last changed here.
    counted_at: RequestId,
    /// Questions about the event that failed in a row.
    failures: u32,
    poll: Option<RequestId>,
    roll: Roll,
    pages: Pages,
    /// Why the guest list could not be loaded.
    list_error: Option<CallError>,
    search: Input,
    /// Guests that the host found for the text in the box.
    found: Remote<Vec<GuestId>>,
    pause: Option<RequestId>,
    rows: Vec<GuestId>,
    selected: Option<GuestId>,
    recent: Vec<(Timestamp, GuestId)>,
    lookup: Remote<Option<Guest>>,
    /// The guest whose code was scanned.
    scanned: Option<GuestId>,
    banner: Banner,
    /// The timer of an undo that is sent in a moment.
    held: Option<RequestId>,
}

impl CheckIn {
    /// The desk of this event.
    pub(crate) fn new(event: Event, now: Timestamp) -> Self {
        let id = event.id;
        let record = Remote::known(event, now);
        CheckIn {
            event: id,
            record,
            polled_at: RequestId(0),
            counted_at: RequestId(0),
            failures: 0,
            poll: None,
            roll: Roll::default(),
            pages: Pages::default(),
            list_error: None,
            search: Input::line(""),
            found: Remote::Idle,
            pause: None,
            rows: Vec::new(),
            selected: None,
            recent: Vec::new(),
            lookup: Remote::Idle,
            scanned: None,
            banner: Banner::Welcome,
            held: None,
        }
    }

    fn known(&self) -> Counts {
        Counts {
            guests: self.roll.len(),
            here: self.roll.here(),
        }
    }

    /// What the host said last, if it was asked after the last change here.
    fn polled(&self) -> Option<Counts> {
        let seen = match &self.record {
            Remote::Ready(seen) => seen,
            _ => return None,
        };
        (self.counted_at <= self.polled_at && self.polled_at > RequestId(0)).then_some(Counts {
            guests: seen.value.guest_count as usize,
            here: seen.value.checked_in_count as usize,
        })
    }

    /// How many guests there are and how many are in, as far as we know now.
    fn counts(&self) -> Counts {
        let event = self.record.value();
        match (self.pages.is_whole(), event) {
            (false, Some(event)) => Counts {
                guests: event.guest_count as usize,
                here: event.checked_in_count as usize,
            },
            _ => self.known(),
        }
    }

    fn ask_event(&mut self, cx: &mut Cx) {
        if !self.record.is_loading() && matches!(cx.shared.session, Session::In(_)) {
            self.polled_at = cx.shared.coming_id();
            let request = cx.call(GetEvent { id: self.event });
            self.record.begin(request);
        }
    }

    fn ask_guests(&mut self, cx: &mut Cx) {
        let now = cx.now();
        if let Some(offset) = self.pages.begin(self.polled(), self.known(), now) {
            self.ask_page(cx, offset);
        }
    }

    fn ask_page(&mut self, cx: &mut Cx, offset: u32) {
        let request = cx.call(ListEventGuests {
            limit: Limit::new(PAGE).unwrap_or_default(),
            offset: Offset::new(offset),
            ..guests_of(self.event)
        });
        let guests = self.record.value().map_or(0, |event| event.guest_count);
        self.pages.asked(request, offset, guests as usize, cx.now());
    }

    fn event_came(
        &mut self,
        cx: &mut Cx,
        request: RequestId,
        result: Result<Maybe<Event>, CallError>,
    ) {
        let result = result.and_then(|Maybe(event)| {
            event.ok_or_else(|| CallError::Tool(frontdesk_protocol::ToolError::not_found("event")))
        });
        let wait = match &result {
            Ok(_) => {
                self.failures = 0;
                POLL
            }
            Err(CallError::RateLimited { retry_after }) => {
                let told = SignedDuration::try_from(*retry_after).unwrap_or(POLL_LONGEST);
                told.max(POLL * 2)
            }
            Err(_) => {
                self.failures += 1;
                (POLL * (1 << self.failures.min(3))).min(POLL_LONGEST)
            }
        };
        if self.record.finish(request, cx.now(), result) {
            cx.cancel(&mut self.poll);
            self.poll = Some(cx.after(wait));
            self.ask_guests(cx);
        }
    }

    fn page_came(
        &mut self,
        cx: &mut Cx,
        request: RequestId,
        result: Result<List<Guest>, CallError>,
    ) {
        match result {
            Ok(page) => {
                self.list_error = None;
                let ids: Vec<GuestId> = page.items.iter().map(|guest| guest.id).collect();
                self.roll.read(page.items, request);
                let (polled, known, now) = (self.polled(), self.known(), cx.now());
                let next = self
                    .pages
                    .came(ids.into_iter(), page.has_more, polled, known, now);
                match next {
                    Next::Ask(offset) => self.ask_page(cx, offset),
                    Next::Keep(ids) => self.roll.keep(&ids),
                    Next::Rest => {}
                }
                self.list_changed(cx.shared);
            }
            Err(error) => {
                self.pages.failed();
                self.list_error = Some(error);
            }
        }
    }

    /// The search text changed.
    fn text_changed(&mut self, cx: &mut Cx) {
        cx.abort(self.found.request());
        cx.cancel(&mut self.pause);
        self.found = Remote::Idle;
        if let Banner::Nobody(_) | Banner::Stranger(_) | Banner::NothingToUndo = self.banner {
            self.banner = Banner::Welcome;
        }
        self.selected = None;
        self.list_changed(cx.shared);
        let text = self.search.text();
        let is_name = !text.trim().is_empty() && guest_id(&text).is_none();
        // With every guest at hand, only a name that nobody has is worth a question: somebody may
        // have been added a moment ago.
        let is_known = self.pages.is_whole() && !self.rows.is_empty();
        if is_name && !is_known {
            self.pause = Some(cx.after(TYPING_PAUSE));
        }
    }

    fn ask_search(&mut self, cx: &mut Cx) {
        let text = self.search.text();
        if let Ok(text) = LineText::new(text.trim()) {
            let request = cx.call(ListEventGuests {
                search: Some(text),
                ..guests_of(self.event)
            });
            self.found.begin(request);
        }
    }

    fn found_came(
        &mut self,
        cx: &mut Cx,
        request: RequestId,
        result: Result<List<Guest>, CallError>,
    ) {
        if !self.found.waits_for(request) {
            return;
        }
        let result = result.map(|page| {
            let ids = page.items.iter().map(|guest| guest.id).collect();
            self.roll.read(page.items, request);
            ids
        });
        self.found.finish(request, cx.now(), result);
        self.list_changed(cx.shared);
    }

    /// The guests or the text changed: finds the rows anew. The selected guest stays selected.
    fn list_changed(&mut self, shared: &Shared) {
        let text = self.search.text();
        self.rows = self.roll.find(&text, |guest| is_in(shared, guest));
        if !text.trim().is_empty() {
            for id in self.found.value().into_iter().flatten() {
                if !self.rows.contains(id) {
                    self.rows.push(*id);
                }
            }
        }
        self.recent = self.roll.recent(RECENT);
        let is_there = self.selected.is_some_and(|id| self.rows.contains(&id));
        if !is_there {
            // In an empty box Enter must not check in whoever is first in the alphabet.
            self.selected = match text.trim().is_empty() {
                true => None,
                false => self.rows.first().copied(),
            };
        }
    }

    /// Enter: the scanned or typed code, or the selected guest.
    fn check_in(&mut self, cx: &mut Cx) {
        if self.held.is_some() {
            self.undo(cx);
            return;
        }
        let text = self.search.text();
        if let Some(id) = guest_id(&text) {
            self.scan(cx, id);
            return;
        }
        match self.selected {
            Some(id) => self.arrive(cx, id),
            None if text.trim().is_empty() => {}
            None if self.found.is_loading() || self.pause.is_some() => {}
            None => self.banner = Banner::Nobody(text.trim().to_owned()),
        }
    }

    fn arrive(&mut self, cx: &mut Cx, id: GuestId) {
        let name = match self.roll.get(id) {
            Some(guest) => guest.name.clone(),
            None => format!("guest {id}"),
        };
        let arrival = Arrival {
            event: self.event,
            guest: id,
            name,
        };
        let (Begun::New(attempt) | Begun::Already(attempt)) = door::check_in(cx, arrival);
        self.banner = Banner::Attempt(attempt);
        self.clear(cx);
    }

    fn clear(&mut self, cx: &mut Cx) {
        self.search.set("");
        let banner = self.banner.clone();
        self.text_changed(cx);
        self.banner = banner;
    }

    /// A code names a guest: whose is it, and of this event?
    fn scan(&mut self, cx: &mut Cx, id: GuestId) {
        if self.roll.get(id).is_some() {
            self.arrive(cx, id);
            return;
        }
        cx.abort(self.lookup.request());
        self.lookup = Remote::Idle;
        let request = cx.call(GetEventGuest { id });
        self.lookup.begin(request);
        self.scanned = Some(id);
        self.banner = Banner::Looking;
        self.clear(cx);
    }

    fn looked_up(
        &mut self,
        cx: &mut Cx,
        request: RequestId,
        result: Result<Maybe<Guest>, CallError>,
    ) {
        let result = result.map(|Maybe(guest)| guest);
        if !self.lookup.finish(request, cx.now(), result) {
            return;
        }
        let Some(id) = self.scanned.take() else {
            return;
        };
        let stranger = |why: &str| Banner::Stranger(why.to_owned());
        match &self.lookup {
            Remote::Ready(seen) => match seen.value.clone() {
                Some(guest) if guest.event_id == self.event => {
                    self.roll.read(vec![guest], request);
                    self.list_changed(cx.shared);
                    self.arrive(cx, id);
                }
                Some(_) => self.banner = stranger("this code is for a guest of another event"),
                None => self.banner = stranger("this code is of no guest that you can see"),
            },
            Remote::Failed { error, .. } if error.is_transient() && !self.pages.is_whole() => {
                // Better to note an arrival than to lose it; the host has the last word.
                self.arrive(cx, id);
            }
            Remote::Failed { error, .. } if error.is_transient() => {
                self.banner = stranger(
                    "this code is of nobody on the list, and the host cannot be asked now",
                );
            }
            Remote::Failed { error, .. } => {
                self.banner = Banner::Stranger(Problem::of(error).line())
            }
            _ => {}
        }
    }

    /// Somebody who is on no list: a form, with what was typed as the name.
    fn add(&mut self, cx: &mut Cx) {
        let text = self.search.text();
        let form = super::events::guest::add_form(self.event, text.trim());
        cx.open(super::Screen::Form(Box::new(form)));
    }

    /// The screen of the selected guest.
    fn open_guest(&mut self, cx: &mut Cx) {
        if let Some(guest) = self.selected.and_then(|id| self.roll.get(id)) {
            let screen = super::events::guest::GuestScreen::new(guest.clone(), cx.now());
            cx.open(super::Screen::Guest(Box::new(screen)));
        }
    }

    /// Undoes the last check-in at once.
    fn undo(&mut self, cx: &mut Cx) {
        cx.cancel(&mut self.held);
        self.banner = match door::undo_last(cx, self.event) {
            Some(attempt) => Banner::Attempt(attempt),
            None => Banner::NothingToUndo,
        };
    }

    /// Undoes the last check-in in a moment: `u` may also be the beginning of a name.
    fn undo_soon(&mut self, cx: &mut Cx) {
        match cx.shared.door.undoable(self.event) {
            Some(attempt) => {
                self.banner = Banner::Held(attempt.id);
                self.held = Some(cx.after(UNDO_GRACE));
            }
            // With nothing to undo it can only be a name.
            None => {
                self.search.paste("u");
                self.text_changed(cx);
            }
        }
    }

    /// Does not undo after all.
    fn unhold(&mut self, cx: &mut Cx) -> bool {
        let was_held = self.held.is_some();
        cx.cancel(&mut self.held);
        if let Banner::Held(attempt) = self.banner {
            self.banner = Banner::Attempt(attempt);
        }
        was_held
    }
}

impl Page for CheckIn {
    fn context(&self) -> Context {
        Context::CheckIn
    }

    fn crumb(&self) -> String {
        match self.record.value() {
            Some(event) => format!("{} › Check-in", event.name),
            None => "Check-in".to_owned(),
        }
    }

    fn shown(&mut self, cx: &mut Cx) {
        self.failures = 0;
        self.ask_event(cx);
        self.ask_guests(cx);
        self.list_changed(cx.shared);
    }

    fn hidden(&mut self, cx: &mut Cx) {
        if self.held.is_some() {
            self.undo(cx);
        }
        cx.cancel(&mut self.poll);
        cx.cancel(&mut self.pause);
    }

    fn refresh(&mut self, cx: &mut Cx) {
        cx.abort(self.pages.request());
        self.pages.restart();
        self.failures = 0;
        self.ask_event(cx);
        self.ask_page(cx, 0);
    }

    fn answered(&mut self, cx: &mut Cx, request: RequestId, outcome: Outcome) {
        match outcome {
            Outcome::Call(Answer::GetEvent(result)) => self.event_came(cx, request, result),
            Outcome::Call(Answer::ListEventGuests(result)) if self.pages.waits_for(request) => {
                self.page_came(cx, request, result);
            }
            Outcome::Call(Answer::ListEventGuests(result)) => self.found_came(cx, request, result),
            Outcome::Call(Answer::GetEventGuest(result)) => self.looked_up(cx, request, result),
            _ => {}
        }
    }

    fn fired(&mut self, cx: &mut Cx, request: RequestId) {
        if self.poll.take_if(|poll| *poll == request).is_some() {
            self.ask_event(cx);
        } else if self.pause.take_if(|pause| *pause == request).is_some() {
            self.ask_search(cx);
        } else if self.held.take_if(|held| *held == request).is_some() {
            self.undo(cx);
        }
    }

    fn told(&mut self, cx: &mut Cx, news: &News) {
        let coming = cx.shared.coming_id();
        match news {
            News::Guest(guest) if guest.event_id == self.event => {
                self.counted_at = coming;
                self.roll.wrote((**guest).clone(), coming);
            }
            News::Arrived(id, at) if self.roll.get(*id).is_some() => {
                self.counted_at = coming;
                self.roll.arrived(*id, *at, coming);
            }
            News::Event(event) if event.id == self.event => {
                if let Some(record) = self.record.value_mut() {
                    *record = (**event).clone();
                }
            }
            News::Added(guest) if guest.event_id == self.event => {
                self.counted_at = coming;
                self.roll.wrote((**guest).clone(), coming);
                self.arrive(cx, guest.id);
            }
            News::Door => {}
            _ => return,
        }
        self.list_changed(cx.shared);
    }

    fn typing(&self) -> Typing {
        match self.search.is_empty() && self.held.is_none() {
            true => Typing::Beginning,
            false => Typing::Yes,
        }
    }

    fn key(&mut self, cx: &mut Cx, key: KeyEvent) {
        let is_text = matches!(key.code, KeyCode::Char(_))
            && (key.modifiers - KeyModifiers::SHIFT).is_empty();
        if is_text && self.unhold(cx) {
            self.search.set("u");
        }
        let before = self.search.text();
        self.search.key(key);
        if self.search.text() != before {
            self.text_changed(cx);
        }
    }

    fn paste(&mut self, cx: &mut Cx, text: &str) {
        if self.held.is_some() {
            self.undo(cx);
        }
        match guest_id(text) {
            Some(id) => {
                self.search.set("");
                self.scan(cx, id);
            }
            None => {
                self.search.paste(text);
                self.text_changed(cx);
            }
        }
    }

    fn step(&mut self, _: &mut Cx, by: isize) {
        self.selected = table::step(&self.rows, self.selected, by);
    }

    fn escape(&mut self, cx: &mut Cx) -> bool {
        if self.unhold(cx) {
            return true;
        }
        let is_something = !self.search.is_empty() || self.selected.is_some();
        if is_something {
            self.selected = None;
            self.search.set("");
            self.text_changed(cx);
        }
        is_something
    }

    fn is_busy(&self) -> bool {
        self.lookup.is_loading()
            || self.found.is_loading()
            || (self.pages.is_loading() && self.roll.len() == 0)
    }

    fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        view::draw(self, shared, frame, area);
    }
}

/// All guests of an event.
fn guests_of(event: EventId) -> ListEventGuests {
    ListEventGuests {
        event_id: event,
        search: None,
        role: None,
        member_id: None,
        limit: Limit::default(),
        offset: Offset::default(),
    }
}

/// Whether a guest is in, or will be as far as this desk is concerned.
fn is_in(shared: &Shared, guest: &Guest) -> bool {
    guest.check_in_at.is_some()
        || shared
            .door
            .latest(guest.id)
            .is_some_and(door::Attempt::is_pending)
}

/// The guest that a code names: a UUID, with or without what scanners put around it.
fn guest_id(text: &str) -> Option<GuestId> {
    text.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_a_uuid_and_nothing_else() {
        let id = "0190a1b2-0000-7000-8000-000000000001";
        assert!(guest_id(id).is_some());
        assert!(guest_id(&format!("  {id}\r\n")).is_some());
        assert!(guest_id(&format!("urn:uuid:{id}")).is_some());
        assert!(guest_id("Ana").is_none());
        assert!(guest_id(&format!("{id} {id}")).is_none());
    }
}
