//! The known guests of one event, searchable by name and by time of arrival.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use frontdesk_protocol::door::{Person, Spelled, tickets};
use frontdesk_protocol::events::event::Arrival;
use frontdesk_protocol::events::guest::{Guest, Matched};
use frontdesk_protocol::id::GuestId;
use jiff::Timestamp;

use crate::app::effects::effect::RequestId;
use crate::ui::text::fold;

/// One known guest.
#[derive(Debug)]
struct Known {
    guest: Arc<Guest>,
    /// The name without case and accents.
    key: String,
    /// The name, for searches.
    spelled: Spelled,
    tickets: Vec<String>,
    /// The request number after the last write: earlier requests have older data.
    written: Option<RequestId>,
}

/// The known guests of one event.
#[derive(Debug, Default)]
pub(crate) struct Roll {
    guests: HashMap<GuestId, Known>,
    /// Ids, sorted by name.
    order: Vec<GuestId>,
    /// What distinguishes guests with the same name.
    apart: HashMap<GuestId, String>,
    here: usize,
    /// Guests that are not at the host yet.
    walk_ins: HashSet<GuestId>,
    /// Guests that were put since `order` was up to date, with their keys before.
    unsettled: Vec<(GuestId, Option<String>)>,
    /// The number of changes so far.
    changes: usize,
}

impl Roll {
    /// The number of known guests that are at the host.
    pub(crate) fn len(&self) -> usize {
        self.order.len() - self.walk_ins.len()
    }

    /// The number of changes so far.
    pub(crate) fn changes(&self) -> usize {
        self.changes
    }

    /// All known guests.
    pub(crate) fn of_all(&self) -> impl Iterator<Item = &Arc<Guest>> {
        self.guests.values().map(|known| &known.guest)
    }

    /// Guests that are not at the host yet.
    pub(crate) fn walk_ins(&self) -> &HashSet<GuestId> {
        &self.walk_ins
    }

    /// The number of guests who are in.
    pub(crate) fn here(&self) -> usize {
        self.here
    }

    pub(crate) fn get(&self, id: GuestId) -> Option<&Guest> {
        self.guests.get(&id).map(|known| &*known.guest)
    }

    /// The known guests by name, for a decision.
    pub(crate) fn people<'a>(
        &'a self,
        is_in: impl Fn(&Guest) -> bool + Clone + 'a,
        is_similar: impl Fn(GuestId) -> bool + Clone + 'a,
    ) -> impl Iterator<Item = Person<'a>> + Clone {
        let known = self.order.iter().map(|id| &self.guests[id]);
        known.map(move |known| Person {
            id: known.guest.id,
            name: &known.spelled,
            key: &known.key,
            email: known.guest.email.as_deref(),
            tickets: &known.tickets,
            is_in: is_in(&known.guest),
            is_similar: is_similar(known.guest.id),
        })
    }

    /// Whether a guest has a ticket with this code.
    pub(crate) fn has_ticket(&self, code: &str) -> bool {
        let code = code.to_lowercase();
        let mut tickets = self.guests.values().flat_map(|known| &known.tickets);
        tickets.any(|ticket| is_in_lower_case(ticket, &code))
    }

    /// The guests that are at the host, by name.
    pub(crate) fn of_host(&self) -> impl Iterator<Item = &Arc<Guest>> {
        let ids = self.order.iter();
        ids.filter(|id| !self.walk_ins.contains(id))
            .map(|id| &self.guests[id].guest)
    }

    /// Takes guests from the answer to the request `asked`.
    pub(crate) fn read(&mut self, guests: Vec<Guest>, asked: RequestId) {
        for guest in guests {
            let known = self.guests.get(&guest.id);
            if known.is_some_and(|known| known.written.is_some_and(|written| asked < written)) {
                continue;
            }
            self.put(guest, None);
        }
        self.settle();
    }

    /// Takes guests from disk, except those known from the host.
    pub(crate) fn recall(&mut self, guests: Vec<Arc<Guest>>) {
        for guest in guests {
            if !self.guests.contains_key(&guest.id) {
                self.put(guest, None);
            }
        }
        self.settle();
    }

    /// Takes a guest from the answer to a write; `coming` is the next request's number.
    pub(crate) fn wrote(&mut self, guest: Guest, coming: RequestId) {
        self.put(guest, Some(coming));
        self.settle();
    }

    /// Takes the last arrivals from the answer to the request `asked`.
    pub(crate) fn arrived(&mut self, listed: &[Arrival], asked: RequestId) {
        self.changes += 1;
        for arrival in listed {
            if let Some(known) = self.guests.get_mut(&arrival.guest_id)
                && known.written.is_none_or(|written| written <= asked)
                && known.guest.check_in_at != Some(arrival.check_in_at)
            {
                let guest = Arc::make_mut(&mut known.guest);
                let before = guest.check_in_at.replace(arrival.check_in_at);
                self.here += usize::from(before.is_none());
            }
        }
    }

    /// Sets the guests that are not at the host yet.
    pub(crate) fn expect(&mut self, walk_ins: Vec<Guest>) {
        let ids: HashSet<GuestId> = walk_ins.iter().map(|guest| guest.id).collect();
        if ids == self.walk_ins {
            return;
        }
        let gone: HashSet<GuestId> = self.walk_ins.difference(&ids).copied().collect();
        self.remove(|id, _| gone.contains(id));
        self.walk_ins = ids;
        for guest in walk_ins {
            self.put(guest, None);
        }
        self.settle();
    }

    /// Removes all guests except these and those written since.
    pub(crate) fn keep(&mut self, ids: &HashSet<GuestId>, since: RequestId) {
        let walk_ins = std::mem::take(&mut self.walk_ins);
        self.remove(|id, known| {
            let is_newer = known.written.is_some_and(|written| written >= since);
            !ids.contains(id) && !walk_ins.contains(id) && !is_newer
        });
        self.walk_ins = walk_ins;
    }

    /// Removes a guest.
    pub(crate) fn forget(&mut self, id: GuestId) -> Option<Arc<Guest>> {
        let guest = Arc::clone(&self.guests.get(&id)?.guest);
        self.remove(|other, _| *other == id);
        Some(guest)
    }

    fn remove(&mut self, is_gone: impl Fn(&GuestId, &Known) -> bool) {
        let before = self.guests.len();
        self.guests.retain(|id, known| !is_gone(id, known));
        if self.guests.len() < before {
            self.changes += 1;
            self.order.retain(|id| self.guests.contains_key(id));
            self.apart.retain(|id, _| self.guests.contains_key(id));
            let is_in = |known: &&Known| known.guest.check_in_at.is_some();
            self.here = self.guests.values().filter(is_in).count();
            self.tell_apart(0..self.order.len());
        }
    }

    fn put(&mut self, guest: impl Into<Arc<Guest>>, written: Option<RequestId>) {
        let guest = guest.into();
        let key = fold(&guest.name);
        let known = Known {
            spelled: Spelled::new(&guest.name),
            tickets: tickets(&guest.tags).collect(),
            key,
            guest,
            written,
        };
        let id = known.guest.id;
        let is_in = |known: &Known| usize::from(known.guest.check_in_at.is_some());
        self.here += is_in(&known);
        let before = self.guests.insert(id, known);
        self.here -= before.as_ref().map_or(0, is_in);
        self.unsettled.push((id, before.map(|before| before.key)));
    }

    /// Brings the order up to date. One guest among many is put in place; more are sorted in.
    fn settle(&mut self) {
        let unsettled = std::mem::take(&mut self.unsettled);
        self.changes += 1;
        if let [(id, before)] = &unsettled[..] {
            let is_moved = before.as_ref() != Some(&self.guests[id].key);
            if let Some(before) = before.as_deref().filter(|_| is_moved) {
                let range = self.range(before, Some(*id));
                self.order.retain(|other| other != id);
                self.tell_apart(range.start..range.end - 1);
            }
            let key = self.guests[id].key.clone();
            if is_moved {
                let range = self.range(&key, None);
                let at = self.order[range.clone()].partition_point(|other| other < id);
                self.order.insert(range.start + at, *id);
            }
            self.tell_apart(self.range(&key, None));
            return;
        }
        let is_moved = |(id, before): &&(GuestId, Option<String>)| {
            before.as_ref() != Some(&self.guests[id].key)
        };
        let moved: HashSet<GuestId> = unsettled
            .iter()
            .filter(is_moved)
            .map(|(id, _)| *id)
            .collect();
        if !moved.is_empty() {
            self.order.retain(|id| !moved.contains(id));
            let mut is_new = moved.clone();
            let new = unsettled.iter().map(|(id, _)| *id);
            self.order.extend(new.filter(|id| is_new.remove(id)));
            self.order
                .sort_by(|a, b| (&self.guests[a].key, a).cmp(&(&self.guests[b].key, b)));
        }
        if !unsettled.is_empty() {
            self.tell_apart(0..self.order.len());
        }
    }

    /// The places of the guests with this key in the order, in which one guest still has it.
    fn range(&self, key: &str, old: Option<GuestId>) -> Range<usize> {
        let of = |id: &GuestId| match old == Some(*id) {
            true => key,
            false => self.guests[id].key.as_str(),
        };
        let start = self.order.partition_point(|id| of(id) < key);
        let length = self.order[start..].partition_point(|id| of(id) == key);
        start..start + length
    }

    /// Finds what distinguishes the namesakes in a part of the order.
    fn tell_apart(&mut self, range: Range<usize>) {
        let order = &self.order[range];
        for id in order {
            self.apart.remove(id);
        }
        let is_one = |a: &GuestId, b: &GuestId| self.guests[a].key == self.guests[b].key;
        for ids in order.chunk_by(is_one).filter(|ids| ids.len() > 1) {
            let guests: Vec<&Guest> = ids.iter().map(|id| &*self.guests[id].guest).collect();
            for guest in &guests {
                if let Some(words) = what_tells(guest, &guests) {
                    self.apart.insert(guest.id, words);
                }
            }
        }
    }

    /// What distinguishes a guest from namesakes: a role or an e-mail address.
    pub(crate) fn apart(&self, id: GuestId) -> Option<&str> {
        self.apart.get(&id).map(String::as_str)
    }

    /// The guests whose names or tickets match a text, each with its kind of match.
    pub(crate) fn find(&self, text: &str) -> HashMap<GuestId, Matched> {
        let code = text.trim().to_lowercase();
        let email = fold(text.trim());
        let email = email.contains('@').then_some(email);
        let text = Spelled::new(text);
        let found = self.guests.iter().filter_map(|(id, known)| {
            let by_name = known.spelled.matched(&text);
            let by_email = email.iter().filter(|email| {
                let of_guest = known.guest.email.as_deref().map(fold);
                of_guest.is_some_and(|of_guest| of_guest.starts_with(*email))
            });
            let mut tickets = known.tickets.iter();
            let has_ticket = tickets.any(|ticket| is_in_lower_case(ticket, &code));
            let by_ticket = has_ticket.then_some(Matched::Ticket);
            let others = by_email.map(|_| Matched::Prefix).chain(by_ticket);
            let best = by_name.into_iter().chain(others).min();
            best.map(|matched| (*id, matched))
        });
        found.collect()
    }

    /// All guests by name.
    pub(crate) fn order(&self) -> &[GuestId] {
        &self.order
    }

    /// The last arrivals at all desks, at most this many, with the current data of the guests.
    pub(crate) fn recent(&self, listed: &[Arrival], most: usize) -> Vec<Arrival> {
        let known = self.guests.values().filter_map(|known| {
            let guest = &known.guest;
            Some((guest.check_in_at?, guest.id, &guest.name))
        });
        let others = listed
            .iter()
            .filter(|arrival| self.get(arrival.guest_id).is_none())
            .map(|arrival| (arrival.check_in_at, arrival.guest_id, &arrival.name));
        let mut recent: Vec<_> = known.chain(others).collect();
        let latest = |(at, id, _): &(Timestamp, GuestId, &String)| Reverse((*at, *id));
        if recent.len() > most {
            recent.select_nth_unstable_by_key(most, latest);
            recent.truncate(most);
        }
        recent.sort_unstable_by_key(latest);
        let recent = recent
            .into_iter()
            .map(|(check_in_at, guest_id, name)| Arrival {
                guest_id,
                name: name.clone(),
                check_in_at,
            });
        recent.collect()
    }
}

/// Whether a text is this one in lower case.
fn is_in_lower_case(text: &str, lower: &str) -> bool {
    text.chars().flat_map(char::to_lowercase).eq(lower.chars())
}

/// What only this guest has: the role, otherwise the e-mail address, otherwise the telephone
/// number, or the absence of one. If nothing is unique, all of it.
fn what_tells(guest: &Guest, namesakes: &[&Guest]) -> Option<String> {
    type Field = fn(&Guest) -> Option<&str>;
    const FIELDS: [(Field, &str); 3] = [
        (|guest| guest.role.as_deref(), "no role"),
        (|guest| guest.email.as_deref(), "no e-mail"),
        (|guest| guest.phone_number.as_deref(), "no phone"),
    ];
    fn of(field: Field, guest: &Guest) -> Option<&str> {
        field(guest).map(str::trim).filter(|text| !text.is_empty())
    }
    let own = FIELDS.into_iter().filter(|(field, _)| {
        let same = |other: &&&Guest| of(*field, other) == of(*field, guest);
        namesakes.iter().filter(same).count() == 1
    });
    let own: Vec<_> = own.collect();
    let told = own.iter().find_map(|(field, _)| of(*field, guest));
    let told = told.or_else(|| own.first().map(|(_, none)| *none));
    told.map(str::to_owned).or_else(|| {
        let all: Vec<&str> = FIELDS
            .iter()
            .filter_map(|(field, _)| of(*field, guest))
            .collect();
        (!all.is_empty()).then(|| all.join(" · "))
    })
}

#[cfg(test)]
mod tests {
    use frontdesk_protocol::id::EventId;
    use uuid::Uuid;

    use super::*;

    fn guest(number: u128, name: &str) -> Guest {
        Guest {
            id: GuestId(Uuid::from_u128(number)),
            event_id: EventId(Uuid::nil()),
            name: name.to_owned(),
            email: None,
            phone_number: None,
            role: None,
            member_id: None,
            chat_id: None,
            check_in_at: None,
            tags: serde_json::Map::new(),
            matched: None,
        }
    }

    fn names(roll: &Roll, text: &str) -> Vec<(Matched, String)> {
        let found = roll.find(text);
        let found = roll.order().iter().filter_map(|id| {
            let guest = roll.get(*id)?;
            Some((*found.get(id)?, guest.name.clone()))
        });
        let mut found: Vec<_> = found.collect();
        found.sort_by_key(|(matched, _)| *matched);
        found
    }

    fn assert_found(roll: &Roll, text: &str, matched: Matched, name: &str) {
        assert_eq!(names(roll, text), [(matched, name.to_owned())], "{text}");
    }

    #[test]
    fn a_few_letters_find_a_guest() {
        let mut roll = Roll::default();
        roll.read(
            vec![
                guest(1, "Amüller Ott"),
                guest(2, "Zoë Müller"),
                guest(3, "Müller, Anna"),
                guest(4, "O'Brien-Muller"),
                guest(5, "田中さくら"),
            ],
            RequestId(1),
        );
        assert_eq!(
            names(&roll, "mull"),
            [
                (Matched::Prefix, "Müller, Anna".to_owned()),
                (Matched::Prefix, "O'Brien-Muller".to_owned()),
                (Matched::Prefix, "Zoë Müller".to_owned()),
                (Matched::Part, "Amüller Ott".to_owned()),
            ]
        );
        assert_found(&roll, "ZOE mu", Matched::Prefix, "Zoë Müller");
        assert_found(&roll, "mu zo", Matched::Prefix, "Zoë Müller");
        assert_found(&roll, "さくら", Matched::Part, "田中さくら");
        assert_eq!(names(&roll, "%"), []);
        // Each word of the search begins a different word of the name.
        assert_found(&roll, "zo zoe", Matched::Part, "Zoë Müller");
    }

    #[test]
    fn names_are_found_however_they_are_written() {
        let mut roll = Roll::default();
        let mut davila = guest(2, "Íris d'Ávila");
        davila.email = Some("Iris@Example.org".to_owned());
        let others = [
            guest(1, "Zoë Müller"),
            guest(3, "Edilson Sampaio"),
            guest(5, "José Alves"),
        ];
        let all = others.into_iter().chain([davila, guest(4, "Sant’Anna")]);
        roll.read(all.collect(), RequestId(1));
        for (text, matched, name) in [
            ("mueller", Matched::Prefix, "Zoë Müller"),
            ("zoe mueller", Matched::Name, "Zoë Müller"),
            ("davila", Matched::Prefix, "Íris d'Ávila"),
            ("santanna", Matched::Name, "Sant’Anna"),
            ("sampaio, edilson", Matched::Name, "Edilson Sampaio"),
            ("iris@example", Matched::Prefix, "Íris d'Ávila"),
        ] {
            assert_found(&roll, text, matched, name);
        }
        assert_eq!(names(&roll, "joe"), []);
    }

    #[test]
    fn a_whole_name_comes_before_a_longer_one() {
        let mut roll = Roll::default();
        roll.read(
            vec![guest(1, "Alves, Ana Lima"), guest(2, "Ana Lima")],
            RequestId(1),
        );
        assert_eq!(
            names(&roll, "lima ana"),
            [
                (Matched::Name, "Ana Lima".to_owned()),
                (Matched::Prefix, "Alves, Ana Lima".to_owned()),
            ]
        );
    }

    #[test]
    fn namesakes_are_told_apart_by_what_only_one_of_them_has() {
        let mut roll = Roll::default();
        let with = |number, role: &str, email: &str| Guest {
            role: (!role.is_empty()).then(|| role.to_owned()),
            email: (!email.is_empty()).then(|| email.to_owned()),
            ..guest(number, "Ana Lima")
        };
        let apart = |roll: &Roll, number| {
            let id = GuestId(Uuid::from_u128(number));
            roll.apart(id).map(str::to_owned)
        };
        roll.read(vec![with(2, "guest", "a@x"), guest(9, "Bo")], RequestId(1));
        assert_eq!(apart(&roll, 2), None);
        roll.read(vec![with(4, "guest", "b@x"), with(6, "", "")], RequestId(2));
        assert_eq!(apart(&roll, 2).as_deref(), Some("a@x"));
        assert_eq!(apart(&roll, 4).as_deref(), Some("b@x"));
        assert_eq!(apart(&roll, 6).as_deref(), Some("no role"));
        roll.read(vec![with(8, "speaker", "a@x")], RequestId(3));
        assert_eq!(apart(&roll, 8).as_deref(), Some("speaker"));
        assert_eq!(apart(&roll, 2).as_deref(), Some("guest · a@x"));
    }

    #[test]
    fn an_answer_from_before_a_write_does_not_undo_it() {
        let mut roll = Roll::default();
        roll.read(vec![guest(1, "Ana")], RequestId(1));
        // Requested as 2, written meanwhile, answered afterwards.
        let mut here = guest(1, "Ana");
        here.check_in_at = Some(Timestamp::UNIX_EPOCH);
        roll.wrote(here, RequestId(4));
        roll.read(vec![guest(1, "Ana")], RequestId(2));
        assert_eq!(roll.here(), 1);
        roll.read(vec![guest(1, "Ana")], RequestId(4));
        assert_eq!(roll.here(), 0);
    }

    #[test]
    fn the_last_to_come_are_the_first_in_the_list() {
        let mut roll = Roll::default();
        let guests = (1..=9).map(|number| {
            let mut guest = guest(number, "Somebody");
            guest.check_in_at = Timestamp::from_second(number as i64).ok();
            guest
        });
        roll.read(guests.collect(), RequestId(1));
        let seconds = |listed: &[Arrival]| -> Vec<i64> {
            let recent = roll.recent(listed, 3);
            let at = recent.iter().map(|arrival| arrival.check_in_at.as_second());
            at.collect()
        };
        assert_eq!(seconds(&[]), [9, 8, 7]);
        let elsewhere = Arrival {
            guest_id: GuestId(Uuid::from_u128(99)),
            name: "Somebody else".to_owned(),
            check_in_at: Timestamp::from_second(8).expect("is a time"),
        };
        assert_eq!(seconds(&[elsewhere]), [9, 8, 8]);
    }
}
