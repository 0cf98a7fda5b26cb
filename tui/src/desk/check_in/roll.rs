//! The known guests of one event, by name and by time of arrival. What a key costs does not depend on their number.

mod finding;
mod index;
mod namesakes;
#[cfg(test)]
mod tests;

use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use frontdesk_protocol::door::{Spelled, tickets};
use frontdesk_protocol::events::event::Arrival;
use frontdesk_protocol::events::guest::Guest;
use frontdesk_protocol::id::GuestId;
use jiff::Timestamp;

pub(crate) use finding::MOST_FOUND;
use index::{Entry, Index};
use namesakes::{Apart, what_tells};

use crate::app::owner::RequestId;
use crate::look::text::fold;

/// Above this number of new guests, all namesakes are found in one pass.
const MANY: usize = 1000;

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

impl Known {
    fn is_outside(&self) -> bool {
        self.guest.check_in_at.is_some() && !self.guest.is_inside()
    }

    fn entry(&self) -> Entry<'_> {
        Entry {
            id: self.guest.id,
            name: &self.spelled,
            tickets: &self.tickets,
            email: self.guest.email.as_deref(),
        }
    }

    fn arrival(&self) -> Option<(Timestamp, GuestId)> {
        Some((self.guest.check_in_at?, self.guest.id))
    }
}

/// The known guests of one event.
#[derive(Debug, Default)]
pub(crate) struct Roll {
    /// The tags with tickets, in addition to `ticket_code`.
    ticket_tags: Vec<String>,
    guests: HashMap<GuestId, Known>,
    /// Ids, sorted by name.
    order: Vec<GuestId>,
    index: Index,
    /// The guests who are in, by time of arrival.
    arrivals: BTreeSet<(Timestamp, GuestId)>,
    /// What distinguishes guests with the same name.
    apart: HashMap<GuestId, Apart>,
    /// Guests can see the screen.
    pub(super) is_locked: bool,
    /// Guests that are not at the host yet.
    walk_ins: HashSet<GuestId>,
    /// Guests that were removed; the host's last arrivals may be older.
    gone: HashSet<GuestId>,
    /// Guests that were put since `order` was up to date, with their keys before.
    unsettled: Vec<(GuestId, Option<String>)>,
    /// The guests who have come and left.
    outside: usize,
    /// The guests whose last passage was into the desk's place.
    entered: usize,
    /// The number of changes so far.
    changes: usize,
}

impl Roll {
    /// The number of known guests that are at the host.
    pub(crate) fn len(&self) -> usize {
        self.order.len() - self.walk_ins.len()
    }

    /// The known guests who have come and left.
    pub(crate) fn outside(&self) -> usize {
        self.outside
    }

    /// The known guests whose last passage was into the desk's place.
    pub(crate) fn entered(&self) -> usize {
        self.entered
    }

    /// Forgets all passages: those at another place matter.
    pub(crate) fn forget_passages(&mut self) {
        for known in self.guests.values_mut() {
            Arc::make_mut(&mut known.guest).passage = None;
        }
        (self.outside, self.entered) = (0, 0);
        self.changes += 1;
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
        self.arrivals.len()
    }

    pub(crate) fn get(&self, id: GuestId) -> Option<&Guest> {
        self.guests.get(&id).map(|known| &*known.guest)
    }

    /// All guests by name.
    pub(crate) fn order(&self) -> &[GuestId] {
        &self.order
    }

    /// The place of a guest in the order.
    pub(crate) fn place(&self, id: GuestId) -> Option<usize> {
        let range = self.range(&self.guests.get(&id)?.key);
        let at = self.order[range.clone()].binary_search(&id).ok()?;
        Some(range.start + at)
    }

    /// Compares guests by name.
    pub(crate) fn by_name(&self, a: GuestId, b: GuestId) -> Ordering {
        let key = |id| self.guests.get(&id).map(|known| &known.key);
        (key(a), a).cmp(&(key(b), b))
    }

    /// The guests that are at the host, by name.
    pub(crate) fn of_host(&self) -> impl Iterator<Item = &Arc<Guest>> {
        let ids = self.order.iter();
        ids.filter(|id| !self.walk_ins.contains(id))
            .map(|id| &self.guests[id].guest)
    }

    /// The tags with tickets, in addition to `ticket_code`.
    pub(crate) fn ticket_tags(&self) -> &[String] {
        &self.ticket_tags
    }

    /// Takes the names of the tags with tickets.
    pub(crate) fn name_tickets(&mut self, tags: &[String]) {
        if self.ticket_tags == tags {
            return;
        }
        self.ticket_tags = tags.to_vec();
        self.changes += 1;
        for known in self.guests.values_mut() {
            self.index.remove(known.entry());
            known.tickets = tickets(&known.guest.tags, tags).collect();
            self.index.add(known.entry());
        }
        self.tell_apart(0..self.order.len());
    }

    /// Takes guests from the answer to the request `asked`.
    pub(crate) fn read(&mut self, guests: Vec<Guest>, asked: RequestId) {
        for guest in guests {
            let is_newer = self.guests.get(&guest.id).is_none_or(|known| {
                let was_written = known.written.is_some_and(|written| asked < written);
                !was_written && *known.guest != guest
            });
            if is_newer {
                self.put(guest, None);
            }
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
                let before = known.arrival();
                self.outside -= usize::from(known.is_outside());
                Arc::make_mut(&mut known.guest).check_in_at = Some(arrival.check_in_at);
                self.outside += usize::from(known.is_outside());
                let after = known.arrival();
                self.move_arrival(before, after);
            }
        }
    }

    fn move_arrival(
        &mut self,
        before: Option<(Timestamp, GuestId)>,
        after: Option<(Timestamp, GuestId)>,
    ) {
        if let Some(before) = before {
            self.arrivals.remove(&before);
        }
        self.arrivals.extend(after);
    }

    /// Sets the guests that are not at the host yet.
    pub(crate) fn expect(&mut self, walk_ins: Vec<Guest>) {
        let ids: HashSet<GuestId> = walk_ins.iter().map(|guest| guest.id).collect();
        if ids == self.walk_ins {
            return;
        }
        let gone = self.walk_ins.difference(&ids).copied().collect();
        self.remove(gone);
        self.walk_ins = ids;
        for guest in walk_ins {
            self.put(guest, None);
        }
        self.settle();
    }

    /// Removes all guests except these and those written since.
    pub(crate) fn keep(&mut self, ids: &HashSet<GuestId>, since: RequestId) {
        let is_gone = |(id, known): &(&GuestId, &Known)| {
            let is_newer = known.written.is_some_and(|written| written >= since);
            !ids.contains(id) && !self.walk_ins.contains(id) && !is_newer
        };
        let gone = self.guests.iter().filter(is_gone).map(|(id, _)| *id);
        self.remove(gone.collect());
    }

    /// Removes a guest.
    pub(crate) fn forget(&mut self, id: GuestId) -> Option<Arc<Guest>> {
        let guest = Arc::clone(&self.guests.get(&id)?.guest);
        self.remove(vec![id]);
        Some(guest)
    }

    fn remove(&mut self, gone: Vec<GuestId>) {
        if gone.is_empty() {
            return;
        }
        for id in gone {
            if let Some(known) = self.guests.remove(&id) {
                self.gone.insert(id);
                self.index.remove(known.entry());
                self.outside -= usize::from(known.is_outside());
                self.entered -= usize::from(known.guest.has_entered());
                self.move_arrival(known.arrival(), None);
                self.apart.remove(&id);
            }
        }
        self.changes += 1;
        self.order.retain(|id| self.guests.contains_key(id));
        self.tell_apart(0..self.order.len());
    }

    fn put(&mut self, guest: impl Into<Arc<Guest>>, written: Option<RequestId>) {
        let guest = guest.into();
        let known = Known {
            spelled: Spelled::new(&guest.name),
            tickets: tickets(&guest.tags, &self.ticket_tags).collect(),
            key: fold(&guest.name),
            guest,
            written,
        };
        let id = known.guest.id;
        let before = self.guests.remove(&id);
        let is_found_alike = before.as_ref().is_some_and(|before| {
            before.guest.name == known.guest.name
                && before.guest.email == known.guest.email
                && before.tickets == known.tickets
        });
        if !is_found_alike {
            if let Some(before) = &before {
                self.index.remove(before.entry());
            }
            self.index.add(known.entry());
        }
        self.move_arrival(before.as_ref().and_then(Known::arrival), known.arrival());
        self.outside += usize::from(known.is_outside());
        self.outside -= usize::from(before.as_ref().is_some_and(Known::is_outside));
        self.entered += usize::from(known.guest.has_entered());
        let had = before
            .as_ref()
            .is_some_and(|before| before.guest.has_entered());
        self.entered -= usize::from(had);
        self.gone.remove(&id);
        self.guests.insert(id, known);
        self.unsettled.push((id, before.map(|before| before.key)));
    }

    /// Brings the order up to date.
    fn settle(&mut self) {
        let unsettled = std::mem::take(&mut self.unsettled);
        if unsettled.is_empty() {
            return;
        }
        self.changes += 1;
        let moved = unsettled.iter().filter_map(|(id, before)| {
            let before = before.as_deref()?;
            (before != self.guests[id].key).then_some((*id, before))
        });
        let moved: HashMap<GuestId, &str> = moved.collect();
        if !moved.is_empty() {
            self.order.retain(|id| !moved.contains_key(id));
            for before in moved.into_values() {
                self.tell_apart(self.range(before));
            }
        }
        let ids: HashSet<GuestId> = unsettled.iter().map(|(id, _)| *id).collect();
        let mut new: Vec<GuestId> = ids.into_iter().collect();
        let is_many = new.len() > MANY;
        let changed = new.clone();
        new.retain(|id| self.place(*id).is_none());
        new.sort_unstable_by(|a, b| self.by_name(*a, *b));
        self.insert(&new);
        if is_many {
            return self.tell_apart(0..self.order.len());
        }
        for id in changed {
            self.tell_apart(self.range(&self.guests[&id].key));
        }
    }

    /// Puts guests, sorted by name, in place.
    fn insert(&mut self, new: &[GuestId]) {
        let mut order = Vec::with_capacity(self.order.len() + new.len());
        let mut rest = self.order.as_slice();
        for id in new {
            let at = rest.partition_point(|other| self.by_name(*other, *id).is_lt());
            let (before, after) = rest.split_at(at);
            order.extend_from_slice(before);
            order.push(*id);
            rest = after;
        }
        order.extend_from_slice(rest);
        self.order = order;
    }

    /// The places of the guests with this key in the order.
    fn range(&self, key: &str) -> Range<usize> {
        let of = |id: &GuestId| self.guests[id].key.as_str();
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
            let namesakes: Vec<&Known> = ids.iter().map(|id| &self.guests[id]).collect();
            for known in &namesakes {
                if let Some(apart) = what_tells(known, &namesakes) {
                    self.apart.insert(known.guest.id, apart);
                }
            }
        }
    }

    /// What distinguishes a guest from namesakes: a role, an e-mail address, a remark or a ticket.
    pub(crate) fn apart(&self, id: GuestId) -> Option<&str> {
        self.shown_apart(id).map(|apart| apart.words.as_str())
    }

    /// The same, unless it is a role or an e-mail address, which the list shows.
    pub(crate) fn apart_unseen(&self, id: GuestId) -> Option<&str> {
        let apart = self.shown_apart(id).filter(|apart| !apart.is_column);
        apart.map(|apart| apart.words.as_str())
    }

    fn shown_apart(&self, id: GuestId) -> Option<&Apart> {
        let apart = self.apart.get(&id)?;
        (apart.is_public || !self.is_locked).then_some(apart)
    }

    /// The last arrivals at all desks, at most this many, with the current data of the guests.
    pub(crate) fn recent(&self, listed: &[Arrival], most: usize) -> Vec<Arrival> {
        let known = self.arrivals.iter().rev().take(most);
        let known = known.filter_map(|(at, id)| Some((*at, *id, &self.get(*id)?.name)));
        let others = listed
            .iter()
            .filter(|arrival| {
                let id = arrival.guest_id;
                self.get(id).is_none() && !self.gone.contains(&id)
            })
            .map(|arrival| (arrival.check_in_at, arrival.guest_id, &arrival.name));
        let mut recent: Vec<_> = known.chain(others).collect();
        recent.sort_unstable_by_key(|(at, id, _)| std::cmp::Reverse((*at, *id)));
        recent.truncate(most);
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
