//! What the desk does with what arrives: it decides, asks the host first if that could know more, and shows the answer.

use std::collections::{HashMap, HashSet};

use frontdesk_protocol::door::{Arrived, Decision, Doubt, Extent, Kind, Pace, decide, read};
use frontdesk_protocol::events::guest::{Guest, ListEventGuests, Matched};
use frontdesk_protocol::events::passage::Source;
use frontdesk_protocol::id::GuestId;
use frontdesk_protocol::value::Line;
use jiff::SignedDuration;

use super::banner::Banner;
use super::roll::MOST_FOUND;
use super::searching::is_likely;
use super::{CheckIn, Entered, Found, guests_of};
use crate::app::cx::Cx;
use crate::app::owner::RequestId;
use crate::app::shared::Shared;
use crate::desk::door::{self, Arrival, Attempt, Subject, is_in};
use crate::look::mark::Mark;

/// A host that has not answered within this time may not be there.
const PATIENCE: SignedDuration = SignedDuration::from_secs(3);
/// Within this time, a code was not shown twice.
const TWICE: SignedDuration = SignedDuration::from_secs(2);

/// Guests among which a person chooses one.
#[derive(Debug)]
pub(super) struct Question {
    pub(super) rows: Vec<GuestId>,
    pub(super) matched: HashMap<GuestId, Matched>,
}

impl Question {
    /// Whether this guest comes in.
    pub(super) fn of(guest: GuestId) -> Question {
        Question {
            rows: vec![guest],
            matched: HashMap::new(),
        }
    }
}

impl CheckIn {
    /// Handles one code or name.
    pub(super) fn arrived(&mut self, cx: &mut Cx, arrived: Arrived) {
        if cx.shared.mode.is_read_only() {
            cx.toast(Mark::Warn, "Read-only: nobody was checked in");
            return;
        }
        if !arrived.is_code() && cx.shared.hides_names(&arrived.text) {
            return cx.toast(Mark::Info, "Type at least three letters of the name");
        }
        let is_in_box = arrived.text == self.search.text().trim();
        let found = self.found.value().filter(|_| is_in_box).cloned();
        let decision = self.decide(cx.shared, &arrived, found.as_ref());
        let may_change = match &decision {
            Decision::In(_) | Decision::Already(_) => false,
            Decision::UnknownCode { id, .. } => id.is_none(),
            Decision::Which { why, .. } => matches!(why, Doubt::Part | Doubt::Similar),
            Decision::NoSuchName | Decision::NotAsked { .. } => true,
        };
        let asks = may_change && found.is_none();
        if !(asks && self.ask_first(cx, &arrived, is_in_box)) {
            let entered = Entered::now(cx, arrived);
            self.conclude(cx, entered, decision, found.as_ref());
        }
    }

    /// Whether the host answers, as far as this desk knows. If it does not, the desk decides by itself.
    fn can_ask(&self, cx: &Cx) -> bool {
        let now = cx.host_now();
        let is_slow = |entered: &Entered| now.duration_since(entered.at) > PATIENCE;
        let door = cx.shared.door();
        !self.is_away && !self.entered.iter().any(is_slow) && !door.lags(&cx.shared.session)
    }

    /// Decides with the guests that this desk knows, and those that the host has found.
    fn decide(&self, shared: &Shared, arrived: &Arrived, found: Option<&Found>) -> Decision {
        let extent = match found.is_some() || self.knows_all() {
            true => Extent::Whole,
            false => Extent::Part,
        };
        let listed: HashSet<GuestId> = found
            .iter()
            .flat_map(|found| &found.guests)
            .map(|(id, _)| *id)
            .collect();
        let is_in = |guest: &Guest| is_in(shared, guest);
        let arrived = &arrived.with_keys(self.roll.ticket_tags());
        let people = self.roll.people(arrived, &listed, is_in);
        decide(arrived, people.iter().copied(), extent)
    }

    /// Whether all guests of the event are known.
    pub(super) fn knows_all(&self) -> bool {
        let event = self.record.value();
        self.is_whole() || event.is_some_and(|event| self.roll.len() >= event.guest_count as usize)
    }

    /// Whether this desk has the whole list, with all changes.
    pub(super) fn is_whole(&self) -> bool {
        self.pages.is_whole() && self.old.is_none() && !self.following.is_behind
    }

    /// Asks the host about what arrived, unless it is being asked; the answer is decided. `false` if it cannot be
    /// asked.
    fn ask_first(&mut self, cx: &mut Cx, arrived: &Arrived, is_in_box: bool) -> bool {
        if !self.can_ask(cx) {
            return false;
        }
        let running = self.found.request().filter(|_| is_in_box);
        let search = match (running, Line::new(&arrived.text)) {
            (Some(running), _) => running,
            (None, Ok(text)) => cx.call(ListEventGuests {
                search: Some(text),
                ..guests_of(self.event)
            }),
            (None, Err(_)) => return false,
        };
        self.banner = Banner::Searching(arrived.text.clone());
        let kept = arrived.is_code();
        self.entered.push(Entered {
            search,
            kept: kept.then(|| door::ask_code(cx, self.event, &arrived.text)),
            ..Entered::now(cx, arrived.clone())
        });
        true
    }

    /// Completes an Enter after the host's answer. If the desk has gone on, a text that checked nobody in is added to
    /// the attention list.
    pub(super) fn asked(&mut self, cx: &mut Cx, entered: Entered, found: Option<&Found>) {
        let decision = self.decide(cx.shared, &entered.arrived, found);
        let kept = entered.kept;
        if self.banner == Banner::Searching(entered.arrived.text.clone()) {
            self.conclude(cx, entered, decision, found);
        } else {
            self.note(cx, entered, decision, found);
        }
        // What became of it is on disk before it.
        if let Some(kept) = kept {
            door::drop_code(cx, kept);
        }
    }

    /// Acts on a decision after the desk has gone on.
    fn note(&mut self, cx: &mut Cx, entered: Entered, decision: Decision, found: Option<&Found>) {
        cx.shared.found_by(source(&entered.arrived));
        let why = self.why_not(&decision, &entered.arrived, found, cx.shared);
        match decision {
            Decision::In(id) if self.is_early(cx.shared, id) => {
                let why = "before the day of the event".to_owned();
                door::raise(cx, self.event, entered.at, entered.arrived.text, why);
            }
            Decision::In(id) => return self.let_in(cx, id),
            Decision::Already(id) => return self.again(cx, id),
            decision if is_kept(&entered.arrived, &decision, found) => {
                self.keep_code(cx, &entered, why);
            }
            _ => door::raise(cx, self.event, entered.at, entered.arrived.text, why),
        }
        cx.ring();
    }

    /// Delivers a code for the host to decide. Returns the check-in, and whether it is new.
    fn keep_code(&self, cx: &mut Cx, entered: &Entered, why: String) -> (RequestId, bool) {
        match entered.kept {
            Some(id) => door::send_code(cx, id, why),
            None => door::keep_code(cx, self.event, &entered.arrived.text, why),
        }
    }

    /// Acts on a decision about what arrived at this time.
    fn conclude(
        &mut self,
        cx: &mut Cx,
        entered: Entered,
        decision: Decision,
        found: Option<&Found>,
    ) {
        let (arrived, at) = (&entered.arrived, entered.at);
        let text = arrived.text.clone();
        let why = self.why_not(&decision, arrived, found, cx.shared);
        let offered = self.offered(cx.shared, arrived, &decision, found);
        self.question = None;
        cx.shared.found_by(source(arrived));
        let guests = match decision {
            Decision::In(id) => return self.let_in(cx, id),
            Decision::Already(id) => return self.again(cx, id),
            Decision::UnknownCode { id: Some(id), .. } => return self.scan(cx, id),
            decision if is_kept(arrived, &decision, found) => {
                let (id, is_new) = self.keep_code(cx, &entered, why);
                if !offered.is_empty() {
                    self.question = Some(self.question(cx.shared, &text, found, &offered));
                    self.list_changed(cx.shared);
                }
                return self.tell_of(cx, id, is_new);
            }
            Decision::UnknownCode { fits, .. } => {
                door::raise(cx, self.event, at, text.clone(), why.clone());
                self.banner = Banner::Unknown { text, why };
                fits.into_iter().chain(offered).collect()
            }
            Decision::Which { guests, .. } => {
                self.banner = Banner::Which { text, why };
                guests
            }
            Decision::NoSuchName => {
                let is_asked = found.is_some();
                self.banner = Banner::Nobody { text, is_asked };
                Vec::new()
            }
            Decision::NotAsked { guests } => {
                door::raise(cx, self.event, at, text.clone(), why.clone());
                self.banner = Banner::NotAsked { text, why };
                guests
            }
        };
        if !guests.is_empty() {
            self.question = Some(self.question(cx.shared, &arrived.text, found, &guests));
        }
        cx.ring();
    }

    /// The guests whom an unknown code may mean: it is the end of their ticket, or it names them, if it is what a person
    /// has typed on a machine that was busy.
    fn offered(
        &self,
        shared: &Shared,
        arrived: &Arrived,
        decision: &Decision,
        found: Option<&Found>,
    ) -> Vec<GuestId> {
        let is_unknown = match decision {
            Decision::UnknownCode { fits, .. } => fits.is_none(),
            Decision::NotAsked { guests } => guests.is_empty(),
            _ => false,
        };
        match arrived.kind {
            Kind::Code if is_unknown && !arrived.may_be_name() => {
                let mut with_end = self.roll.with_end(&arrived.text);
                with_end.sort_unstable_by(|a, b| self.roll.by_name(*a, *b));
                return with_end;
            }
            Kind::Code if is_unknown => {}
            _ => return Vec::new(),
        }
        let none = Found::default();
        let (mut rows, matched) = self.matches(&arrived.text, found.unwrap_or(&none), shared);
        rows.retain(|id| matched.get(id).copied().is_some_and(is_likely));
        rows
    }

    /// The choice among these guests, followed by those that the text finds less surely.
    fn question(
        &self,
        shared: &Shared,
        text: &str,
        found: Option<&Found>,
        guests: &[GuestId],
    ) -> Question {
        let none = Found::default();
        let (mut rows, matched) = self.matches(text, found.unwrap_or(&none), shared);
        let others = guests.iter().filter(|id| !rows.contains(id));
        rows.extend(others.copied().collect::<Vec<_>>());
        rows.sort_by_key(|id| !guests.contains(id));
        Question { rows, matched }
    }

    /// Asks which of these guests came: one has the ticket that was typed and scanned, or only the scanned part of it.
    pub(super) fn ask_which(&mut self, cx: &mut Cx, text: String, part: &str, guests: &[GuestId]) {
        self.question = Some(self.question(cx.shared, &text, None, guests));
        let why = format!("“{text}”, or only “{part}”?");
        self.banner = Banner::Which { text, why };
        self.list_changed(cx.shared);
        cx.ring();
    }

    /// Why a decision checked nobody in.
    fn why_not(
        &self,
        decision: &Decision,
        arrived: &Arrived,
        found: Option<&Found>,
        shared: &Shared,
    ) -> String {
        let text = &arrived.text;
        match decision {
            Decision::In(_) | Decision::Already(_) => String::new(),
            Decision::UnknownCode {
                is_other_keyboard: true,
                ..
            } => "no guest has this ticket; scanned in another layout?".to_owned(),
            Decision::UnknownCode { .. } => "no guest has this ticket".to_owned(),
            Decision::Which { why, guests } => {
                let number = guests.len();
                let has_more = number >= MOST_FOUND || found.is_some_and(|found| found.has_more);
                let more = if has_more { " and more" } else { "" };
                let name = guests.first().and_then(|id| self.roll.get(*id));
                let name = name.map_or("", |guest| guest.name.as_str());
                match why {
                    Doubt::Tickets => format!("{number} guests have the ticket “{text}”"),
                    Doubt::TicketOrName => format!("“{text}” is a ticket and a name"),
                    Doubt::Namesakes => format!("{number} guests are named {name}"),
                    Doubt::Names => format!("{number} guests{more} match “{text}”"),
                    Doubt::Part => format!("no name begins with “{text}”"),
                    Doubt::Similar => format!("only similar to “{text}”"),
                }
            }
            Decision::NoSuchName if found.is_some() => "no guest has this name".to_owned(),
            Decision::NoSuchName => "no guest has this name; the host cannot be asked".to_owned(),
            Decision::NotAsked { .. } => self.not_asked(shared),
        }
    }

    /// That the host may know more guests.
    pub(super) fn not_asked(&self, shared: &Shared) -> String {
        let (known, guests) = (self.roll.len(), self.counts().guests);
        let count = |number| shared.locale.language.count(number);
        let (known, guests) = (count(known), count(guests));
        format!("the host cannot be asked · {known} of {guests} guests known here")
    }

    /// Checks in by an id that no known guest has. The host decides whether it belongs to this event.
    fn scan(&mut self, cx: &mut Cx, id: GuestId) {
        let name = format!("code …{}", &id.to_string()[28..]);
        let arrival = Arrival::of(self.event, Some(id), &name, Subject::Scanned);
        let latest = cx.shared.door().latest(id);
        let is_pending = latest.is_some_and(Attempt::is_expected);
        let attempt = door::check_in(cx, arrival, None);
        self.tell_of(cx, attempt, !is_pending);
    }

    /// A guest arrived who is in. The host has the last word, unless this desk has not told it yet.
    fn again(&mut self, cx: &mut Cx, id: GuestId) {
        let latest = cx.shared.door().latest(id);
        match latest.filter(|latest| latest.is_expected()) {
            Some(attempt) if !self.is_blocked(cx.shared, id) => {
                let attempt = attempt.id;
                self.tell_of(cx, attempt, false);
            }
            _ => self.let_in(cx, id),
        }
    }

    /// Shows a check-in that is new, or whose guest or code has arrived again. Some scanners send a code twice.
    fn tell_of(&mut self, cx: &mut Cx, attempt: RequestId, is_new: bool) {
        let now = cx.host_now();
        let before = cx.shared.door().attempt(attempt);
        let is_twice = before.is_some_and(|before| now.duration_since(before.at) < TWICE);
        self.banner = match is_new || is_twice {
            true => Banner::Attempt(attempt),
            false => Banner::Again(attempt),
        };
        self.ring(cx);
    }

    /// The text of an answer without a guest, for a correction or a walk-in.
    pub(super) fn answered_text(&self) -> Option<&str> {
        match &self.banner {
            Banner::Nobody { text, .. }
            | Banner::Which { text, .. }
            | Banner::NotAsked { text, .. } => Some(text),
            Banner::Unknown { text, .. } if may_be_name(text) => Some(text),
            Banner::Welcome
            | Banner::Attempt(_)
            | Banner::Again(_)
            | Banner::Blocked(_)
            | Banner::Early(_)
            | Banner::Searching(_)
            | Banner::Unknown { .. } => None,
        }
    }

    /// Forgets Enters whose search is this.
    pub(super) fn was_entered(&mut self, search: RequestId) -> Vec<Entered> {
        let entered = std::mem::take(&mut self.entered);
        let (its, others): (Vec<_>, Vec<_>) =
            entered.into_iter().partition(|one| one.search == search);
        self.entered = others;
        its
    }
}

impl Entered {
    fn now(cx: &Cx, arrived: Arrived) -> Entered {
        Entered {
            search: RequestId(0),
            arrived,
            at: cx.host_now(),
            kept: None,
        }
    }
}

/// How the guest is found who arrives like this.
fn source(arrived: &Arrived) -> Source {
    match arrived.is_code() {
        true => Source::Scan,
        false => Source::Name,
    }
}

/// Whether a code could be a name.
fn may_be_name(text: &str) -> bool {
    read(text, Pace::Scanned).iter().all(Arrived::may_be_name)
}

/// Whether a code that no known guest has is written down, for the host to decide. Not if it could be asked, and not
/// while a person chooses a known guest.
fn is_kept(arrived: &Arrived, decision: &Decision, found: Option<&Found>) -> bool {
    let is_open = match decision {
        Decision::UnknownCode { fits, .. } => fits.is_none(),
        Decision::NotAsked { guests } => guests.is_empty(),
        _ => false,
    };
    found.is_none() && is_open && arrived.is_code()
}
