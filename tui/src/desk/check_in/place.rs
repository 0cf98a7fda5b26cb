//! The place at whose entrance the desk is: who may enter, and how many are inside.

use std::collections::HashMap;

use frontdesk_client::{CallError, KnownPlace};
use frontdesk_protocol::door::{Visitor, admit};
use frontdesk_protocol::events::guest::Guest;
use frontdesk_protocol::events::passage::{Direction, Verdict};
use frontdesk_protocol::events::place::{ListEventPlaces, Place};
use frontdesk_protocol::events::session::{ListEventSessions, Session};
use frontdesk_protocol::id::GuestId;
use frontdesk_protocol::record::List;
use frontdesk_protocol::value::{Limit, Offset};
use jiff::Timestamp;

use super::CheckIn;
use super::banner::Banner;
use super::pages::PAGE;
use crate::app::cx::Cx;
use crate::app::shared::{self, Shared};
use crate::desk::door::Status;
use crate::look::mark::Mark;
use crate::look::text::{clean, fold};
use crate::look::time::moment;

impl CheckIn {
    /// The name of the place at whose entrance the desk is meant to be.
    pub(super) fn place_name<'a>(&'a self, shared: &'a Shared) -> Option<&'a str> {
        let chosen = self.place.as_deref();
        chosen.or(shared.settings.desk.place.as_deref())
    }

    /// The name of the place, if the desk does not know who may enter it, or no longer: nobody may.
    pub(super) fn missing_place<'a>(&'a self, shared: &'a Shared) -> Option<&'a str> {
        let name = self.place_name(shared)?;
        shared.place(self.event).is_none().then_some(name)
    }

    /// Whether the host has not said yet who may enter the place.
    pub(super) fn awaits_place(&self, shared: &Shared) -> bool {
        self.missing_place(shared).is_some() && !self.has_told_missing
    }

    /// Asks for the places: a known one may have another name by now.
    pub(super) fn ask_place(&mut self, cx: &mut Cx) {
        if self.place_name(cx.shared).is_some()
            && matches!(cx.shared.session, shared::Session::In(_))
        {
            cx.call(ListEventPlaces {
                event_id: self.event,
                search: None,
                limit: Limit::new(PAGE).unwrap_or_default(),
                offset: Offset::default(),
            });
        }
    }

    /// Takes the known place, otherwise the one with the name.
    pub(super) fn places_came(&mut self, cx: &mut Cx, result: Result<List<Place>, CallError>) {
        let Some(name) = self.place_name(cx.shared).map(str::to_owned) else {
            return;
        };
        let known = cx.shared.place(self.event).map(|known| known.place.id);
        let is_meant = |place: &Place| match known {
            Some(id) => place.id == id,
            None => fold(&place.name) == fold(&name),
        };
        let place = match result {
            Ok(page) => page.items.into_iter().find(is_meant),
            Err(CallError::Tool(_) | CallError::Forbidden(_)) => None,
            // The next answer about the event asks again.
            Err(_) => return,
        };
        match place {
            Some(place) => self.place_came(cx, place),
            None => {
                if !std::mem::replace(&mut self.has_told_missing, true) {
                    let text = format!("There is no place “{}”: nobody enters", clean(&name));
                    cx.toast(Mark::Bad, text);
                    cx.ring();
                }
                self.move_to(cx, None);
            }
        }
        self.follow(cx);
        self.ask_guests(cx);
        self.list_changed(cx.shared);
    }

    fn place_came(&mut self, cx: &mut Cx, place: Place) {
        self.has_told_missing = false;
        let before = cx.shared.place(self.event).cloned();
        let before = before.filter(|before| before.place.session_id == place.session_id);
        let members = before.and_then(|before| before.members);
        if place.session_id.is_some() && members.is_none() {
            cx.call(ListEventSessions {
                event_id: self.event,
                search: None,
                limit: Limit::new(PAGE).unwrap_or_default(),
                offset: Offset::default(),
            });
        }
        self.move_to(cx, Some(KnownPlace { place, members }));
    }

    /// Takes the guests of the place's session.
    pub(super) fn sessions_came(&mut self, cx: &mut Cx, result: Result<List<Session>, CallError>) {
        let (Some(known), Ok(page)) = (cx.shared.place(self.event).cloned(), result) else {
            return;
        };
        let mut sessions = page.items.into_iter();
        let session = sessions.find(|session| Some(session.id) == known.place.session_id);
        let members = session.map(|session| session.guest_ids.iter().copied().collect());
        cx.shared.set_place(Some(KnownPlace { members, ..known }));
        self.keep(cx, true);
    }

    /// Moves the desk. The passages that it knows are those at the entrance before.
    fn move_to(&mut self, cx: &mut Cx, place: Option<KnownPlace>) {
        let id = |known: &KnownPlace| known.place.id;
        let is_other = cx.shared.place(self.event).map(id) != place.as_ref().map(id);
        cx.shared.set_place(place);
        if is_other {
            self.roll.forget_passages();
            self.following.stop(cx);
            self.following.since = None;
            cx.abort(self.pages.request());
            self.pages.restart();
        }
    }

    /// Takes the place of the stored list, if the desk is still there. Whether the list's passages are those of this
    /// entrance.
    pub(super) fn recall_place(&self, cx: &mut Cx, stored: Option<KnownPlace>) -> bool {
        let name = self.place_name(cx.shared).map(fold);
        let is_same = stored.as_ref().map(|known| fold(&known.place.name)) == name;
        if is_same {
            cx.shared.set_place(stored);
        }
        is_same
    }

    /// The guests inside the place, as far as the desk knows.
    pub(super) fn inside(&self, shared: &Shared) -> Option<u32> {
        let known = shared.place(self.event)?;
        let counted = match known.place.empties_at {
            Some(_) => self
                .roll
                .of_all()
                .filter(|guest| shared.is_inside(guest))
                .count(),
            None => self.roll.entered(),
        };
        let told = match self.is_whole() {
            true => u32::try_from(counted).unwrap_or(u32::MAX),
            false => known.place.inside_count,
        };
        let mut last = HashMap::new();
        for (guest, direction) in shared.directions(self.event) {
            last.entry(guest).or_insert(direction);
        }
        let changes = last.into_iter().filter_map(|(guest, direction)| {
            let was_in = shared.is_inside(self.roll.get(guest)?);
            Some(i64::from(direction == Direction::In) - i64::from(was_in))
        });
        let inside = i64::from(told) + changes.sum::<i64>();
        Some(u32::try_from(inside).unwrap_or_default())
    }

    /// A guest's last direction here, as far as the desk knows.
    fn last_direction(&self, shared: &Shared, guest: &Guest) -> Option<Direction> {
        let mut under_way = shared.directions(self.event);
        let under_way = under_way.find(|(id, _)| *id == guest.id);
        let last = match shared.is_inside(guest) {
            true => Some(Direction::In),
            false => shared.passage(guest).map(|last| last.direction),
        };
        under_way.map(|(_, direction)| direction).or(last)
    }

    /// The place with the guests inside, or nothing at the event itself.
    ///
    /// # Errors
    /// The verdict about everybody, if the place is missing.
    pub(super) fn place_now(&self, shared: &Shared) -> Result<Option<Place>, Verdict> {
        if self.missing_place(shared).is_some() {
            return Err(Verdict::WrongEntrance);
        }
        Ok(shared.place(self.event).map(|known| Place {
            inside_count: self.inside(shared).unwrap_or_default(),
            ..known.place.clone()
        }))
    }

    /// The desk's verdict about a guest who comes; `None` at a desk that records no movements.
    pub(super) fn verdict(&self, shared: &Shared, guest: &Guest, at: Timestamp) -> Option<Verdict> {
        let place = match self.place_now(shared) {
            Ok(place) => place,
            Err(verdict) => return Some(verdict),
        };
        if !shared.has_entrance(self.event) {
            return None;
        }
        let known = shared.place(self.event);
        let members = known.and_then(|known| known.members.as_ref());
        let visitor = Visitor {
            role: guest.role.as_deref(),
            tags: &guest.tags,
            is_of_session: members.is_some_and(|members| members.contains(&guest.id)),
            before: self.last_direction(shared, guest),
            after: None,
        };
        Some(admit(Direction::In, &visitor, place.as_ref(), at))
    }

    /// The guest who was turned away, and whom a person can let in for a reason.
    pub(super) fn turned_away(&self, shared: &Shared) -> Option<GuestId> {
        match self.banner {
            Banner::Blocked(id) => Some(id),
            Banner::Attempt(id) => {
                let attempt = shared.door().attempt(id)?;
                let is_told =
                    matches!(attempt.status, Status::Refused { .. }) || attempt.is_waiting();
                attempt.guest.filter(|_| is_told && attempt.turns_away())
            }
            _ => None,
        }
    }

    /// Why the rules keep a guest out, as a word and a sentence.
    pub(super) fn rule(&self, verdict: Verdict, shared: &Shared) -> (&'static str, String) {
        let place = shared.place(self.event).map(|known| &known.place);
        let time = |at: Option<Timestamp>| {
            at.map(|at| moment(at, shared.now, &shared.locale))
                .unwrap_or_default()
        };
        let of = |about: fn(&Place) -> String| place.map(about).unwrap_or_default();
        match verdict {
            Verdict::WrongEntrance => match self.missing_place(shared) {
                Some(name) => {
                    let why = format!("who may enter “{}” is not known", clean(name));
                    ("NO SUCH PLACE", why)
                }
                None => ("WRONG ENTRANCE", of(meant_for)),
            },
            Verdict::Full => (
                "FULL",
                of(|place| {
                    let most = place.capacity.map(u64::from).unwrap_or_default();
                    format!("{} holds {most}", clean(&place.name))
                }),
            ),
            Verdict::NotYet => {
                let opens = time(place.and_then(|place| place.opens_at));
                ("NOT YET", format!("entry begins {opens}"))
            }
            Verdict::Closed => {
                let closes = time(place.and_then(|place| place.closes_at));
                ("CLOSED", format!("entry ended {closes}"))
            }
            Verdict::Once => ("ONLY ONCE", "has been inside".to_owned()),
            Verdict::Blocked => ("BLOCKED", String::new()),
            Verdict::NotInside => ("NOT INSIDE", String::new()),
            Verdict::Passed => ("PASSED", String::new()),
            Verdict::Already => ("ALREADY CHECKED IN", String::new()),
        }
    }
}

/// The guests who may enter a place, in words.
fn meant_for(place: &Place) -> String {
    let roles: Vec<&str> = place.roles.iter().map(|role| role.as_str()).collect();
    let roles = (!roles.is_empty()).then(|| roles.join(", "));
    let tag = place
        .tag
        .as_ref()
        .map(|tag| format!("guests with {}", tag.as_str()));
    let session = place.session_id.map(|_| "guests of its session".to_owned());
    let parts: Vec<String> = [roles, tag, session].into_iter().flatten().collect();
    clean(&format!("{} is for {}", place.name, parts.join(", "))).into_owned()
}
