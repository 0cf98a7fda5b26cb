//! Searches among the known guests.

use std::collections::{HashMap, HashSet};

use frontdesk_protocol::door::{Arrived, Person, Spelled};
use frontdesk_protocol::events::guest::{Guest, Matched};
use frontdesk_protocol::id::GuestId;

use super::Roll;

/// A search finds at most this many guests by names and e-mail addresses.
pub(crate) const MOST_FOUND: usize = 500;

/// So many characters of a damaged ticket may mean it.
const LEGIBLE: usize = 4;

impl Roll {
    /// The guests that what arrived can mean, and similar ones, by name: for a decision.
    pub(crate) fn people(
        &self,
        arrived: &Arrived,
        similar: &HashSet<GuestId>,
        is_in: impl Fn(&Guest) -> bool,
    ) -> Vec<Person<'_>> {
        let (mut ids, codes) = arrived.meanings();
        ids.extend(codes.iter().flat_map(|code| self.index.with_ticket(code)));
        if !arrived.is_code() {
            ids.extend(self.find(&arrived.text).into_keys());
            ids.extend(similar);
        }
        let mut ids: Vec<GuestId> = ids.into_iter().collect();
        ids.sort_unstable_by(|a, b| self.by_name(*a, *b));
        let known = ids.iter().filter_map(|id| self.guests.get(id));
        let people = known.map(|known| Person {
            id: known.guest.id,
            name: &known.spelled,
            key: &known.key,
            email: known.guest.email.as_deref(),
            tickets: &known.tickets,
            is_in: is_in(&known.guest),
            is_similar: similar.contains(&known.guest.id),
        });
        people.collect()
    }

    /// The guests with a ticket that ends with this code: the rest may be damaged.
    pub(crate) fn with_end(&self, code: &str) -> Vec<GuestId> {
        let code = code.to_lowercase();
        let ends = |ticket: &String| ticket.to_lowercase().ends_with(&code);
        let with_end = self
            .guests
            .values()
            .filter(|known| code.chars().count() >= LEGIBLE && known.tickets.iter().any(ends));
        let with_end = with_end.map(|known| known.guest.id);
        with_end.take(MOST_FOUND).collect()
    }

    /// Whether a guest has a ticket with this code.
    pub(crate) fn has_ticket(&self, code: &str) -> bool {
        !self.holders(code).is_empty()
    }

    /// The guests who have a ticket with this code.
    pub(crate) fn holders(&self, code: &str) -> Vec<GuestId> {
        self.index.with_ticket(&code.to_lowercase()).to_vec()
    }

    /// Whether a guest has this id or ticket.
    pub(crate) fn knows(&self, code: &Arrived) -> bool {
        let (ids, tickets) = code.meanings();
        let mut tickets = tickets.iter();
        ids.iter().any(|id| self.get(*id).is_some())
            || tickets.any(|ticket| !self.index.with_ticket(ticket).is_empty())
    }

    /// The guests whose names or tickets match a text, each with its kind of match, at most twice [`MOST_FOUND`].
    pub(crate) fn find(&self, text: &str) -> HashMap<GuestId, Matched> {
        let text = text.trim();
        let mut found = HashMap::new();
        if text.contains('@') {
            let with_email = self.index.with_email(text).take(MOST_FOUND);
            found.extend(with_email.map(|id| (id, Matched::Prefix)));
        }
        let search = Spelled::new(text);
        let begin = search.words().flat_map(|words| self.index.beginning(words));
        self.compare(begin, &search, &mut found);
        if found.len() < MOST_FOUND {
            let contain = search
                .words()
                .flat_map(|words| self.index.containing(words));
            self.compare(contain, &search, &mut found);
        }
        for id in self.index.with_ticket(&text.to_lowercase()) {
            found.insert(*id, Matched::Ticket);
        }
        found
    }

    /// Adds those guests whose names match a search, until there are enough.
    fn compare(
        &self,
        ids: impl Iterator<Item = GuestId>,
        search: &Spelled,
        found: &mut HashMap<GuestId, Matched>,
    ) {
        for id in ids {
            let known = self.guests.get(&id);
            if let Some(matched) = known.and_then(|known| known.spelled.matched(search)) {
                let best = found.entry(id).or_insert(matched);
                *best = matched.min(*best);
            }
            if found.len() >= MOST_FOUND {
                break;
            }
        }
    }
}
