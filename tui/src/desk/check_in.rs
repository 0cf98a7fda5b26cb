//! The check-in desk: one event and a search box that always has the focus.

mod acting;
mod attention;
mod banner;
mod commands;
mod deciding;
mod following;
mod loading;
mod pages;
mod place;
mod printing;
mod roll;
mod searching;
#[cfg(test)]
mod tests;
mod verdict;
mod view;

use std::collections::{HashMap, HashSet};

use crossterm::event::{KeyCode, KeyEvent};
use frontdesk_client::{CallError, OwnCheckIn};
use frontdesk_protocol::Tool;
use frontdesk_protocol::door::{Arrived, Kind, Pace, read};
use frontdesk_protocol::events::event::{Arrival, Event, GetEvent};
use frontdesk_protocol::events::guest::{Guest, ListEventGuests, Matched};
use frontdesk_protocol::events::place::ListEventPlaces;
use frontdesk_protocol::events::session::ListEventSessions;
use frontdesk_protocol::id::{EventId, GuestId};
use frontdesk_protocol::value::{Limit, Offset};
use jiff::Timestamp;
use ratatui::Frame;
use ratatui::layout::Rect;
use uuid::Uuid;

pub(crate) use attention::COMMANDS as ATTENTION_COMMANDS;
pub(crate) use commands::COMMANDS;

use crate::app::cx::{Cx, News};
use crate::app::effects::call::ToolCall;
use crate::app::effects::job::Outcome;
use crate::app::input::command::Context;
use crate::app::owner::RequestId;
use crate::app::remote::Remote;
use crate::app::screen::ReadsCodes;
use crate::app::screen::Screen;
use crate::app::shared::Shared;
use crate::app::state::Typing;
use crate::desk::badges::printing::PrintBadge;
use crate::desk::door;
use crate::desk::door::lists::ReadList;
use crate::look::text::fold;
use crate::ui::input::Input;
use crate::ui::table;
use banner::Banner;
use deciding::Question;
use following::Following;
use pages::Pages;
use printing::Badges;
use roll::Roll;

/// The guests of an event that a host counts after each change, to tell whether the event changed.
const MOST_COUNTED: usize = 5_000;

#[derive(Debug)]
pub(crate) struct CheckIn {
    event: EventId,
    /// The name of the chosen place at whose entrance the desk is.
    place: Option<String>,
    /// It was said that the event has no such place.
    has_told_missing: bool,
    record: Remote<Event>,
    /// The next free request number when the event was last asked for.
    polled_at: RequestId,
    /// The next free request number when the counts last changed here.
    counted_at: RequestId,
    /// Consecutive failures of requests for the event.
    failures: u32,
    poll: Option<RequestId>,
    roll: Roll,
    pages: Pages,
    following: Following,
    /// When the host last sent guest data.
    heard: Option<Timestamp>,
    /// The `heard` and the changes of the list on disk.
    kept: Option<(Timestamp, usize)>,
    /// The time of the guest list from disk, while it is shown.
    old: Option<Timestamp>,
    /// The check-ins made on this machine before the app was started.
    own: HashSet<OwnCheckIn>,
    /// The entries of the journal that the list from disk shows.
    seen: HashSet<Uuid>,
    /// The timer until the next page.
    page_rest: Option<RequestId>,
    /// Why the guest list could not be loaded.
    list_error: Option<CallError>,
    search: Input,
    /// Guests that the host found for the text.
    found: Remote<Found>,
    pause: Option<RequestId>,
    /// The guests that a text or a question lists.
    rows: Option<Vec<GuestId>>,
    /// Each row's kind of match.
    matched: HashMap<GuestId, Matched>,
    selected: Option<GuestId>,
    /// The last arrivals at all desks, as the host listed them.
    arrivals: Vec<Arrival>,
    /// The last arrivals, with the known guests.
    recent: Vec<Arrival>,
    /// The changes of the known guests when they were last listed.
    listed: usize,
    banner: Banner,
    /// The last check-in that rang the bell, with its verdict.
    rung: Option<(Banner, (&'static str, usize))>,
    badges: Badges,
    /// The entry of the attention list whose text or guest is searched again.
    pursued: Option<RequestId>,
    /// The user moved the selection.
    is_chosen: bool,
    /// While the box is empty, Enter takes the selected one of these guests.
    question: Option<Question>,
    /// Enters that wait for the answer to their search.
    entered: Vec<Entered>,
    /// The last question at the host was not answered.
    is_away: bool,
    /// The guest who was turned away, and for whom the desk asks for a reason to let them in.
    admits: Option<GuestId>,
    /// The later start of the event at which a person has let a guest in all the same.
    early: Option<Timestamp>,
}

/// Guests that the host found for a text, each with its kind of match.
#[derive(Debug, Clone, Default)]
struct Found {
    guests: Vec<(GuestId, Matched)>,
    /// The host found more than it listed.
    has_more: bool,
}

/// An Enter that waits for the answer to its search.
#[derive(Debug)]
struct Entered {
    search: RequestId,
    arrived: Arrived,
    at: Timestamp,
    /// The code on disk, until it is decided.
    kept: Option<RequestId>,
}

impl CheckIn {
    /// The desk of this event, loaded at this time.
    pub(crate) fn new(event: Event, at: Timestamp) -> Self {
        CheckIn::of(event.id, Remote::known(event, at))
    }

    /// The desk at the entrance of this place of the event.
    pub(crate) fn at_place(self, name: &str) -> Self {
        CheckIn {
            place: Some(name.to_owned()),
            ..self
        }
    }

    fn of(event: EventId, record: Remote<Event>) -> Self {
        CheckIn {
            event,
            place: None,
            has_told_missing: false,
            record,
            polled_at: RequestId(0),
            counted_at: RequestId(0),
            failures: 0,
            poll: None,
            roll: Roll::default(),
            pages: Pages::default(),
            following: Following::default(),
            heard: None,
            kept: None,
            old: None,
            own: HashSet::new(),
            seen: HashSet::new(),
            page_rest: None,
            list_error: None,
            search: Input::line(""),
            found: Remote::Idle,
            pause: None,
            rows: None,
            matched: HashMap::new(),
            selected: None,
            arrivals: Vec::new(),
            recent: Vec::new(),
            listed: 0,
            banner: Banner::Welcome,
            rung: None,
            badges: Badges::default(),
            pursued: None,
            is_chosen: false,
            question: None,
            entered: Vec::new(),
            is_away: false,
            admits: None,
            early: None,
        }
    }
}

impl CheckIn {
    /// Rings once if the check-in in the banner fails.
    fn ring(&mut self, cx: &mut Cx) {
        let verdict = self.banner.alarm(self, cx.shared);
        let rung = verdict.map(|verdict| (self.banner.clone(), verdict));
        if let Some((_, (_, times))) = rung.as_ref().filter(|_| rung != self.rung) {
            (0..*times).for_each(|_| cx.ring());
        }
        self.rung = rung;
    }
}

impl Screen for CheckIn {
    fn context(&self) -> &'static Context {
        &commands::CHECK_IN
    }

    fn crumb(&self) -> String {
        match self.record.value() {
            Some(event) => format!("{} › Check-in", event.name),
            None => "Check-in".to_owned(),
        }
    }

    fn shown(&mut self, cx: &mut Cx) {
        self.failures = 0;
        let place = cx
            .shared
            .place(self.event)
            .map(|known| fold(&known.place.name));
        if place != self.place_name(cx.shared).map(fold) {
            cx.shared.set_place(None);
        }
        match self.heard {
            // The list on disk says what the host is asked for.
            None => drop(cx.run(ReadList(self.event))),
            Some(_) => self.ask(cx),
        }
        self.begin_badges(cx);
        self.list_changed(cx.shared);
    }

    fn hidden(&mut self, cx: &mut Cx) {
        self.keep(cx, true);
        cx.cancel(&mut self.poll);
        cx.cancel(&mut self.pause);
        cx.cancel(&mut self.page_rest);
        self.following.stop(cx);
    }

    fn refresh(&mut self, cx: &mut Cx) {
        cx.abort(self.pages.request());
        self.pages.restart();
        self.failures = 0;
        self.ask_event(cx);
        self.ask_place(cx);
        self.ask_page(cx, 0);
    }

    fn listens_to(&self, shared: &Shared) -> Option<Vec<ToolCall>> {
        let changes = self.told_of(shared);
        let event = changes.is_some() && self.roll.len() <= MOST_COUNTED;
        let event = event.then(|| self.asked_of_event());
        Some(changes.into_iter().chain(event).collect())
    }

    fn heard(&mut self, cx: &mut Cx, tool: &str) {
        match tool {
            GetEvent::NAME => self.told_of_event(cx),
            _ => self.told(cx),
        }
    }

    fn answered(&mut self, cx: &mut Cx, request: RequestId, outcome: Outcome) {
        let answer = match outcome {
            Outcome::Call(answer) => answer,
            mut outcome => {
                if let Some(ended) = outcome.take::<ReadList>() {
                    self.recall(cx, ended.result.ok().flatten());
                } else if let Some(ended) = outcome.take::<PrintBadge>() {
                    self.printed(cx, request, ended);
                }
                return;
            }
        };
        self.pages.allowed(answer.allowance);
        let next = answer.result.as_ref().ok();
        let next = next.and_then(|reply| reply.next.as_deref().map(Box::from));
        if let Some(result) = answer.of::<GetEvent>() {
            self.event_came(cx, request, result);
        } else if let Some(result) = answer.of::<ListEventPlaces>() {
            self.places_came(cx, result);
        } else if let Some(result) = answer.of::<ListEventSessions>() {
            self.sessions_came(cx, result);
        } else if let Some(result) = answer.of::<ListEventGuests>() {
            if self.pages.waits_for(request) {
                self.page_came(cx, request, result, next);
            } else if self.following.waits_for(request) {
                self.changes_came(cx, request, result, next);
            } else {
                self.found_came(cx, request, result);
            }
        }
    }

    fn fired(&mut self, cx: &mut Cx, request: RequestId) {
        if self.poll.take_if(|poll| *poll == request).is_some() {
            self.ask_event(cx);
        } else if self.pause.take_if(|pause| *pause == request).is_some() {
            self.paused(cx);
        } else if self.page_rest.take_if(|rest| *rest == request).is_some() {
            self.ask_rested(cx);
        } else if self.following.is_due(request) {
            self.ask_changes(cx);
        } else if self.following.counts(request) {
            self.ask_event(cx);
        }
    }

    fn notified(&mut self, cx: &mut Cx, news: &News) {
        let coming = cx.shared.coming_id();
        if let Some(guest) = news.record::<Guest>("guest")
            && guest.event_id == self.event
        {
            self.counted_at = coming;
            self.count(&guest);
            self.roll.wrote(guest, coming);
        } else if let Some(event) = news.record::<Event>("event")
            && let Some(record) = self.record.value_mut()
            && event.id == self.event
        {
            *record = event;
        } else if let Some(id) = news.deleted("guest") {
            self.forget(cx, id);
        } else if matches!(news, News::Reached) {
            self.is_away = false;
            // After an outage, the numbers agree at once.
            if self.record.error().is_some() {
                cx.cancel(&mut self.poll);
                self.ask_event(cx);
            }
            return;
        } else if let News::Service { name, about } = news
            && *name == door::SERVICE.name
        {
            let mine = about.and_then(|id| cx.shared.door().attempt(id));
            if let Some(id) = mine.filter(|one| one.event == self.event).map(|one| one.id) {
                self.banner = Banner::Attempt(id);
                self.decided(cx);
            }
        } else {
            return;
        }
        self.list_changed(cx.shared);
        self.ring(cx);
        self.print_due(cx);
    }

    fn typing(&self) -> Typing {
        match self.search.is_empty() {
            true => Typing::Beginning,
            false => Typing::Yes,
        }
    }

    fn key(&mut self, cx: &mut Cx, key: KeyEvent) {
        let before = self.search.text();
        // A name that nobody has can be corrected.
        if before.is_empty()
            && key.code == KeyCode::Backspace
            && let Some(text) = self.answered_text().map(str::to_owned)
        {
            self.search.set(&text);
        }
        self.search.key(key);
        if self.search.text() != before {
            self.text_changed(cx);
        }
    }

    fn paste(&mut self, cx: &mut Cx, text: &str) {
        let codes = read(text, Pace::Typed);
        match self.are_codes(&codes) {
            true => self.scanned(cx, codes),
            false => {
                self.search.paste_here(cx, text);
                self.text_changed(cx);
            }
        }
    }

    fn codes(&self) -> Option<&dyn ReadsCodes> {
        Some(self)
    }

    fn codes_mut(&mut self) -> Option<&mut dyn ReadsCodes> {
        Some(self)
    }

    fn step(&mut self, _: &mut Cx, by: isize) {
        let at = self.selected.and_then(|id| self.place(id));
        let at = table::moved(self.rows().len(), at, by);
        self.selected = at.and_then(|at| self.rows().get(at)).copied();
        self.is_chosen = true;
    }

    fn is_busy(&self) -> bool {
        self.found.is_loading()
            || !self.entered.is_empty()
            || (self.pages.is_loading() && self.roll.len() == 0)
    }

    fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        view::draw(self, shared, frame, area);
    }
}

impl ReadsCodes for CheckIn {
    fn knows(&self, code: &Arrived) -> bool {
        self.roll.knows(code)
    }

    fn scanned(&mut self, cx: &mut Cx, codes: Vec<Arrived>) {
        cx.shared.burst.clear();
        self.clear(cx);
        for code in codes {
            self.arrived(cx, code);
        }
        self.list_changed(cx.shared);
    }

    fn continued(&mut self, cx: &mut Cx, code: &str) {
        let text = self.search.text();
        let (whole, part) = (read(&text, Pace::Scanned), read(code, Pace::Scanned));
        let holders = |codes: &[Arrived]| -> Vec<GuestId> {
            let codes = codes.iter();
            codes.flat_map(|one| self.roll.holders(&one.text)).collect()
        };
        // The beginning of an address, an object or an id cannot be missing.
        let is_complete = |one: &Arrived| {
            let signs = ["http", "{"];
            matches!(one.kind, Kind::Id(_)) || signs.iter().any(|sign| one.text.starts_with(sign))
        };
        let (own, cut) = (holders(&whole), holders(&part));
        let before = text.strip_suffix(code).unwrap_or_default();
        // Three letters or more before a long ticket: a person has typed a name.
        let is_name = before.chars().count() >= 3
            && before.chars().all(char::is_alphabetic)
            && code.chars().count() >= 6;
        if own.is_empty() && (is_name || before.contains(char::is_whitespace)) {
            // Words that a person has typed.
            self.scanned(cx, part);
        } else if cut.is_empty() || text == code || part.iter().all(is_complete) {
            self.scanned(cx, whole);
        } else {
            let guests: Vec<GuestId> = own.into_iter().chain(cut).collect();
            cx.shared.burst.clear();
            self.clear(cx);
            self.ask_which(cx, text, code, &guests);
        }
    }

    /// Keeps what is scanned at the event until somebody signs in.
    fn forget_account(&mut self, cx: &mut Cx) -> bool {
        cx.cancel(&mut self.poll);
        cx.cancel(&mut self.pause);
        cx.cancel(&mut self.page_rest);
        self.following.stop(cx);
        let blind = CheckIn::of(self.event, Remote::Idle);
        let before = std::mem::replace(self, blind);
        for kept in before.entered.iter().filter_map(|entered| entered.kept) {
            door::send_code(cx, kept, self.not_asked(cx.shared));
        }
        true
    }
}

/// What a desk at an entrance asks of each guest: the last passage at the place, or at the event itself.
fn place_of(event: EventId, shared: &Shared) -> Option<Box<str>> {
    let place = shared.place(event).map(|known| known.place.id.to_string());
    let gate = shared.settings.desk.gate.as_ref();
    place
        .map(String::into_boxed_str)
        .or_else(|| gate.map(|_| Box::default()))
}

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
