//! The guests of one event, as far as they are known: found by a few letters, and by when they
//! came.

use std::collections::{HashMap, HashSet};

use frontdesk_protocol::events::guest::Guest;
use frontdesk_protocol::id::GuestId;
use jiff::Timestamp;

use crate::app::effect::RequestId;
use crate::ui::text::fold;

/// What is known of one guest.
#[derive(Debug)]
struct Known {
    guest: Guest,
    /// The name without case and accents.
    key: String,
    /// The same without what people write in more than one way.
    loose: String,
    /// After a write: whatever was asked before this is older than what we know.
    written: Option<RequestId>,
}

/// The guests of one event, as far as they are known.
#[derive(Debug, Default)]
pub(crate) struct Roll {
    guests: HashMap<GuestId, Known>,
    /// By name.
    order: Vec<GuestId>,
    /// What tells those apart who are called the same.
    apart: HashMap<GuestId, String>,
    here: usize,
    /// Those whom the host does not know yet.
    walk_ins: HashSet<GuestId>,
}

impl Roll {
    /// How many guests of the host's are known.
    pub(crate) fn len(&self) -> usize {
        self.order.len() - self.walk_ins.len()
    }

    /// All guests that are known.
    pub(crate) fn guests(&self) -> impl Iterator<Item = &Guest> {
        self.guests.values().map(|known| &known.guest)
    }

    /// How many of them are in.
    pub(crate) fn here(&self) -> usize {
        self.here
    }

    /// A guest.
    pub(crate) fn get(&self, id: GuestId) -> Option<&Guest> {
        self.guests.get(&id).map(|known| &known.guest)
    }

    /// The guests that the host knows.
    pub(crate) fn of_host(&self) -> impl Iterator<Item = &Guest> {
        self.guests()
            .filter(|guest| !self.walk_ins.contains(&guest.id))
    }

    /// Takes what a host answered to a question that was asked as `asked`.
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

    /// Takes what a host answered to a write; `coming` is the next question's number.
    pub(crate) fn wrote(&mut self, guest: Guest, coming: RequestId) {
        self.put(guest, Some(coming));
        self.settle();
    }

    /// Takes these as the guests whom the host does not know yet.
    pub(crate) fn expect(&mut self, walk_ins: Vec<Guest>) {
        let ids: HashSet<GuestId> = walk_ins.iter().map(|guest| guest.id).collect();
        if ids == self.walk_ins {
            return;
        }
        for gone in self.walk_ins.difference(&ids) {
            self.guests.remove(gone);
        }
        self.walk_ins = ids;
        for guest in walk_ins {
            self.put(guest, None);
        }
        self.settle();
    }

    /// Forgets everybody but these, and those who were written since.
    pub(crate) fn keep(&mut self, ids: &HashSet<GuestId>, since: RequestId) {
        self.guests.retain(|id, known| {
            ids.contains(id)
                || self.walk_ins.contains(id)
                || known.written.is_some_and(|written| written >= since)
        });
        self.settle();
    }

    fn put(&mut self, guest: Guest, written: Option<RequestId>) {
        let key = fold(&guest.name);
        let known = Known {
            loose: loosen(&key),
            key,
            guest,
            written,
        };
        self.guests.insert(known.guest.id, known);
    }

    fn settle(&mut self) {
        self.order = self.guests.keys().copied().collect();
        self.order
            .sort_by(|a, b| (&self.guests[a].key, a).cmp(&(&self.guests[b].key, b)));
        let is_in = |known: &&Known| known.guest.check_in_at.is_some();
        self.here = self.guests.values().filter(is_in).count();
        self.apart.clear();
        let is_one = |a: &GuestId, b: &GuestId| self.guests[a].key == self.guests[b].key;
        for ids in self.order.chunk_by(is_one).filter(|ids| ids.len() > 1) {
            let guests: Vec<&Guest> = ids.iter().map(|id| &self.guests[id].guest).collect();
            for guest in &guests {
                if let Some(words) = what_tells(guest, &guests) {
                    self.apart.insert(guest.id, words);
                }
            }
        }
    }

    /// Those who are called exactly like this guest, the guest among them.
    pub(crate) fn namesakes(&self, id: GuestId) -> impl Iterator<Item = &Guest> {
        let key = self.guests.get(&id).map(|known| known.key.as_str());
        let before = |other: &GuestId| Some(self.guests[other].key.as_str()) < key;
        let first = self.order.partition_point(before);
        let known = self.order[first..].iter().map(|id| &self.guests[id]);
        known
            .take_while(move |known| Some(known.key.as_str()) == key)
            .map(|known| &known.guest)
    }

    /// What tells a guest from others of the same name: a role or an e-mail address.
    pub(crate) fn apart(&self, id: GuestId) -> Option<&str> {
        self.apart.get(&id).map(String::as_str)
    }

    /// Whether the text is the guest's whole name, in whatever order.
    pub(crate) fn is_called(&self, id: GuestId, text: &str) -> bool {
        let words = words(&fold(text));
        let known = self.guests.get(&id);
        !words.is_empty() && known.is_some_and(|known| self::words(&known.key) == words)
    }

    /// The guests whose names hold all of these words, the likeliest first: those who are not in
    /// and have exactly this name, then names that begin like this, then words that begin like
    /// this, then the rest, and last those who are written otherwise (`mueller`, `davila`) or have
    /// this e-mail address. In each of these, guests who are not in come first, since of two people
    /// of one name the second one comes while the first is in.
    pub(crate) fn find(&self, text: &str, is_in: impl Fn(&Guest) -> bool) -> Vec<GuestId> {
        let text = fold(text);
        let words: Vec<&str> = text.split_whitespace().collect();
        if words.is_empty() {
            return self.order.clone();
        }
        let whole = words.join(" ");
        let name = self::words(&text);
        let loose = loosen(&text);
        let parts = loose.split(|char: char| char.is_whitespace() || char == ',');
        let loose: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
        let mut found: Vec<(u8, bool, GuestId)> = self
            .order
            .iter()
            .filter_map(|id| {
                let known = &self.guests[id];
                let is_in = is_in(&known.guest);
                let email = || known.guest.email.as_deref().map(fold);
                let rank = if !words.iter().all(|word| known.key.contains(word)) {
                    let is_loose =
                        !loose.is_empty() && loose.iter().all(|word| known.loose.contains(word));
                    let is_email =
                        || whole.contains('@') && email().is_some_and(|of| of.contains(&whole));
                    if !is_loose && !is_email() {
                        return None;
                    }
                    4
                } else if !is_in && self::words(&known.key) == name {
                    0
                } else if known.key.starts_with(&whole) {
                    1
                } else if words.iter().all(|word| begins_a_word(&known.key, word)) {
                    2
                } else {
                    3
                };
                Some((rank, is_in, *id))
            })
            .collect();
        found.sort_by_key(|(rank, is_in, _)| (*rank, *is_in));
        found.into_iter().map(|(_, _, id)| id).collect()
    }

    /// Who came last, at most this many.
    pub(crate) fn recent(&self, most: usize) -> Vec<(Timestamp, GuestId)> {
        let mut recent: Vec<_> = self
            .guests
            .values()
            .filter_map(|known| Some((known.guest.check_in_at?, known.guest.id)))
            .collect();
        if recent.len() > most {
            recent.select_nth_unstable_by(most, |a, b| b.cmp(a));
            recent.truncate(most);
        }
        recent.sort_unstable_by(|a, b| b.cmp(a));
        recent
    }
}

/// A folded name without apostrophes, and with `ae`, `oe` and `ue` as what they stand for.
fn loosen(key: &str) -> String {
    key.replace(['\'', '’', '‘', '`'], "")
        .replace("ae", "a")
        .replace("oe", "o")
        .replace("ue", "u")
}

/// The words of a folded name, loosened, in alphabetical order.
fn words(key: &str) -> Vec<String> {
    let key = loosen(key);
    let words = key.split(|char: char| !char.is_alphanumeric());
    let mut words: Vec<String> = words
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect();
    words.sort_unstable();
    words
}

/// What this guest has and no other of these: the role before the e-mail address before the
/// telephone number, and what is missing where the others have it. If there is no such thing, all
/// that the guest has.
fn what_tells(guest: &Guest, namesakes: &[&Guest]) -> Option<String> {
    type Field = fn(&Guest) -> Option<&str>;
    const FIELDS: [(Field, &str); 3] = [
        (|guest| guest.role.as_deref(), "no role"),
        (|guest| guest.email.as_deref(), "no e-mail"),
        (|guest| guest.phone_number.as_deref(), "no telephone"),
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

fn begins_a_word(key: &str, word: &str) -> bool {
    key.match_indices(word).any(|(at, _)| {
        key[..at]
            .chars()
            .next_back()
            .is_none_or(|before| !before.is_alphanumeric())
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
            similar: None,
        }
    }

    fn names(roll: &Roll, text: &str) -> Vec<String> {
        roll.find(text, |guest| guest.check_in_at.is_some())
            .into_iter()
            .filter_map(|id| roll.get(id))
            .map(|guest| guest.name.clone())
            .collect()
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
                "Müller, Anna",
                "O'Brien-Muller",
                "Zoë Müller",
                "Amüller Ott"
            ]
        );
        assert_eq!(names(&roll, "ZOE mu"), ["Zoë Müller"]);
        assert_eq!(names(&roll, "mu zo"), ["Zoë Müller"]);
        assert_eq!(names(&roll, "さくら"), ["田中さくら"]);
        assert_eq!(names(&roll, "%"), Vec::<String>::new());
        assert_eq!(names(&roll, " ").len(), 5);
    }

    #[test]
    fn names_are_found_however_they_are_written() {
        let mut roll = Roll::default();
        let mut davila = guest(2, "Íris d'Ávila");
        davila.email = Some("Iris@Example.org".to_owned());
        let others = [guest(1, "Zoë Müller"), guest(3, "Edilson Sampaio")];
        let all = others.into_iter().chain([davila, guest(4, "Sant’Anna")]);
        roll.read(all.collect(), RequestId(1));
        for (text, name) in [
            ("mueller", "Zoë Müller"),
            ("davila", "Íris d'Ávila"),
            ("santanna", "Sant’Anna"),
            ("sampaio, edilson", "Edilson Sampaio"),
            ("iris@example", "Íris d'Ávila"),
        ] {
            assert_eq!(names(&roll, text), [name], "{text}");
        }
    }

    #[test]
    fn a_whole_name_comes_before_a_longer_one() {
        let mut roll = Roll::default();
        roll.read(
            vec![guest(1, "Alves, Ana Lima"), guest(2, "Ana Lima")],
            RequestId(1),
        );
        assert_eq!(names(&roll, "lima ana")[0], "Ana Lima");
    }

    #[test]
    fn of_two_people_of_one_name_the_one_who_is_expected_comes_first() {
        let mut roll = Roll::default();
        let mut first = guest(1, "João Silva");
        first.check_in_at = Some(Timestamp::UNIX_EPOCH);
        roll.read(vec![first, guest(2, "João Silva")], RequestId(1));
        let found = roll.find("joao", |guest| guest.check_in_at.is_some());
        assert_eq!(found[0], GuestId(Uuid::from_u128(2)));
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
        assert_eq!(roll.namesakes(GuestId(Uuid::from_u128(8))).count(), 4);
        assert_eq!(roll.namesakes(GuestId(Uuid::from_u128(9))).count(), 1);
    }

    #[test]
    fn a_whole_name_is_its_words_in_any_order() {
        let mut roll = Roll::default();
        roll.read(vec![guest(1, "O'Brien, Siobhán")], RequestId(1));
        let id = GuestId(Uuid::from_u128(1));
        assert!(roll.is_called(id, " siobhan  OBrien"));
        assert!(!roll.is_called(id, "siobhan"));
        assert!(!roll.is_called(id, ""));
    }

    #[test]
    fn an_answer_from_before_a_write_does_not_undo_it() {
        let mut roll = Roll::default();
        roll.read(vec![guest(1, "Ana")], RequestId(1));
        // Asked as 2, written meanwhile, answered after that.
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
        let recent: Vec<i64> = roll
            .recent(3)
            .iter()
            .map(|(at, _)| at.as_second())
            .collect();
        assert_eq!(recent, [9, 8, 7]);
    }
}
