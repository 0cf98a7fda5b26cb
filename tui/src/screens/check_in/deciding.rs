//! What the desk does with what arrives: it decides, asks the host first if that could know more, and shows the answer.

use std::collections::{HashMap, HashSet};

use frontdesk_protocol::door::{Arrived, Decision, Doubt, Extent, decide};
use frontdesk_protocol::events::guest::{Guest, ListEventGuests, Matched};
use frontdesk_protocol::id::GuestId;
use frontdesk_protocol::value::Line;

use super::banner::Banner;
use super::searching::is_in;
use super::{CheckIn, Entered, Found, guests_of};
use crate::app::cx::Cx;
use crate::app::effects::effect::RequestId;
use crate::app::shared::Shared;
use crate::door::{self, Arrival};
use crate::ui::mark::Mark;
use crate::ui::text::thousands;

/// Guests of whom a person chooses one.
#[derive(Debug)]
pub(super) struct Question {
    pub(super) rows: Vec<GuestId>,
    pub(super) matched: HashMap<GuestId, Matched>,
}

impl CheckIn {
    /// Handles one code or name.
    pub(super) fn arrived(&mut self, cx: &mut Cx, arrived: Arrived) {
        if cx.shared.mode.is_read_only() {
            cx.toast(Mark::Warn, "Read-only: nobody was checked in");
            return;
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
            self.conclude(cx, &arrived, decision, found.as_ref());
        }
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
        let people = self.roll.people(is_in, |id| listed.contains(&id));
        decide(arrived, people, extent)
    }

    /// Whether all guests of the event are known.
    pub(super) fn knows_all(&self) -> bool {
        let event = self.record.value();
        let guests = event.map_or(0, |event| event.guest_count as usize);
        self.pages.is_whole() || self.roll.len() >= guests
    }

    /// Asks the host about what arrived, unless it is being asked; the answer is decided. `false` if it cannot be
    /// asked.
    fn ask_first(&mut self, cx: &mut Cx, arrived: &Arrived, is_in_box: bool) -> bool {
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
        self.entered.push(Entered {
            search,
            arrived: arrived.clone(),
        });
        true
    }

    /// Completes an Enter after the host's answer. If the desk has gone on, a text that checked nobody in is added to
    /// the attention list.
    pub(super) fn asked(&mut self, cx: &mut Cx, arrived: &Arrived, found: Option<&Found>) {
        let decision = self.decide(cx.shared, arrived, found);
        let is_awaited = self.banner == Banner::Searching(arrived.text.clone());
        match decision {
            Decision::In(id) | Decision::Already(id) => self.let_in(cx, id),
            decision if is_awaited => self.conclude(cx, arrived, decision, found),
            decision => {
                let why = self.why_not(&decision, arrived, found);
                door::raise(cx, self.event, arrived.text.clone(), why, None);
                cx.ring();
            }
        }
    }

    /// Acts on a decision.
    fn conclude(
        &mut self,
        cx: &mut Cx,
        arrived: &Arrived,
        decision: Decision,
        found: Option<&Found>,
    ) {
        let text = arrived.text.clone();
        let why = self.why_not(&decision, arrived, found);
        self.question = None;
        let guests = match decision {
            Decision::In(id) | Decision::Already(id) => return self.let_in(cx, id),
            Decision::UnknownCode { id: Some(id), .. } => return self.scan(cx, id),
            Decision::UnknownCode { fits, .. } => {
                door::raise(cx, self.event, text.clone(), why.clone(), None);
                self.banner = Banner::Unknown { text, why };
                fits.into_iter().collect()
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
                door::raise(cx, self.event, text.clone(), why.clone(), None);
                self.banner = Banner::NotAsked { text, why };
                guests
            }
        };
        if !guests.is_empty() {
            self.question = Some(self.question(cx.shared, &arrived.text, found, &guests));
        }
        cx.ring();
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

    /// Why a decision checked nobody in.
    fn why_not(&self, decision: &Decision, arrived: &Arrived, found: Option<&Found>) -> String {
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
                let has_more = found.is_some_and(|found| found.has_more);
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
            Decision::NotAsked { .. } => {
                let (known, guests) = (self.roll.len(), self.counts().guests);
                let (known, guests) = (thousands(known), thousands(guests));
                format!("the host cannot be asked · {known} of {guests} guests known here")
            }
        }
    }

    /// Checks in by an id that no known guest has. The host decides whether it belongs to this event.
    fn scan(&mut self, cx: &mut Cx, id: GuestId) {
        let arrival = Arrival {
            event: self.event,
            guest: id,
            name: format!("code …{}", &id.to_string()[28..]),
            is_scanned: true,
        };
        self.banner = Banner::Attempt(door::check_in(cx, arrival));
    }

    /// The text of an answer without a guest, for a correction or a walk-in.
    pub(super) fn answered_text(&self) -> Option<&str> {
        match &self.banner {
            Banner::Nobody { text, .. }
            | Banner::Which { text, .. }
            | Banner::NotAsked { text, .. } => Some(text),
            Banner::Welcome
            | Banner::Attempt(_)
            | Banner::Searching(_)
            | Banner::Unknown { .. } => None,
        }
    }

    /// Forgets Enters whose search is this.
    pub(super) fn was_entered(&mut self, search: RequestId) -> Vec<Arrived> {
        let entered = std::mem::take(&mut self.entered);
        let (its, others): (Vec<_>, Vec<_>) =
            entered.into_iter().partition(|one| one.search == search);
        self.entered = others;
        its.into_iter().map(|one| one.arrived).collect()
    }
}
