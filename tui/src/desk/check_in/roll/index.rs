//! An index of guests by the words of their names, their tickets and their e-mail addresses, so that a search does not
//! look at every guest.

use std::collections::{BTreeMap, HashMap};
use std::ops::Bound;
use std::sync::Arc;

use frontdesk_protocol::door::Spelled;
use frontdesk_protocol::id::GuestId;

use crate::look::text::fold;

/// The length of the longest part of a word that is indexed. A longer part is found by a part of it.
const GRAM: usize = 3;
/// Words of a search that more guests have are not compared further: one is as good as the other.
const MANY: usize = 4000;

/// A part of a word; shorter ones end with NUL.
type Gram = [char; GRAM];

#[derive(Debug, Default)]
pub(super) struct Index {
    words: Vec<Word>,
    /// The place of each word.
    places: BTreeMap<Arc<str>, u32>,
    /// The words that contain this.
    grams: HashMap<Gram, Vec<u32>>,
    /// In lower case.
    tickets: HashMap<String, Vec<GuestId>>,
    /// Without case and accents.
    emails: BTreeMap<String, Vec<GuestId>>,
}

#[derive(Debug)]
struct Word {
    text: Arc<str>,
    guests: Vec<GuestId>,
}

/// What a guest is found by.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry<'a> {
    pub(super) id: GuestId,
    pub(super) name: &'a Spelled,
    pub(super) tickets: &'a [String],
    pub(super) email: Option<&'a str>,
}

impl Index {
    pub(super) fn add(&mut self, entry: Entry) {
        for word in words(entry.name) {
            let place = match self.places.get(word) {
                Some(place) => *place,
                None => self.add_word(word),
            };
            self.words[place as usize].guests.push(entry.id);
        }
        for ticket in entry.tickets {
            let guests = self.tickets.entry(ticket.to_lowercase()).or_default();
            guests.push(entry.id);
        }
        if let Some(email) = entry.email {
            self.emails.entry(fold(email)).or_default().push(entry.id);
        }
    }

    pub(super) fn remove(&mut self, entry: Entry) {
        let is_other = |id: &GuestId| *id != entry.id;
        for word in words(entry.name) {
            if let Some(place) = self.places.get(word) {
                self.words[*place as usize].guests.retain(is_other);
            }
        }
        for ticket in entry.tickets {
            if let Some(guests) = self.tickets.get_mut(&ticket.to_lowercase()) {
                guests.retain(is_other);
            }
        }
        if let Some(guests) = entry
            .email
            .and_then(|email| self.emails.get_mut(&fold(email)))
        {
            guests.retain(is_other);
        }
    }

    fn add_word(&mut self, word: &str) -> u32 {
        let place = u32::try_from(self.words.len()).unwrap_or(u32::MAX);
        let text: Arc<str> = word.into();
        self.words.push(Word {
            text: Arc::clone(&text),
            guests: Vec::new(),
        });
        self.places.insert(text, place);
        let chars: Vec<char> = word.chars().collect();
        for length in 1..=GRAM {
            for part in chars.windows(length) {
                let words = self.grams.entry(gram(part)).or_default();
                if words.last() != Some(&place) {
                    words.push(place);
                }
            }
        }
        place
    }

    /// The guests with this ticket in lower case.
    pub(super) fn with_ticket(&self, ticket: &str) -> &[GuestId] {
        self.tickets.get(ticket).map_or(&[], Vec::as_slice)
    }

    /// The guests whose e-mail address begins with a text.
    pub(super) fn with_email(&self, text: &str) -> impl Iterator<Item = GuestId> {
        let text = fold(text);
        let all = self.emails.range(text.clone()..);
        let all = all.take_while(move |(email, _)| email.starts_with(&text));
        all.flat_map(|(_, guests)| guests).copied()
    }

    /// The guests whose names can begin with these words: those with the rarest of them.
    pub(super) fn beginning(&self, words: &[String]) -> impl Iterator<Item = GuestId> {
        self.rarest(words, |word| self.begin(word))
    }

    /// The guests whose names can contain these words.
    pub(super) fn containing(&self, words: &[String]) -> impl Iterator<Item = GuestId> {
        self.rarest(words, |word| self.contain(word))
    }

    fn rarest<'a>(
        &'a self,
        words: &[String],
        find: impl Fn(&str) -> Box<dyn Iterator<Item = &'a Word> + 'a>,
    ) -> impl Iterator<Item = GuestId> {
        let guests = |word: &&String| {
            let (mut guests, mut found) = (0, find(word));
            while guests < MANY
                && let Some(word) = found.next()
            {
                guests += word.guests.len().max(1);
            }
            guests
        };
        let rarest = words.iter().min_by_key(guests);
        let found = rarest.into_iter().flat_map(move |word| find(word));
        found.flat_map(|word| &word.guests).copied()
    }

    fn begin<'a>(&'a self, text: &str) -> Box<dyn Iterator<Item = &'a Word> + 'a> {
        let from = (Bound::Included(text), Bound::Unbounded);
        let places = self.places.range::<str, _>(from);
        let text = text.to_owned();
        let places = places.take_while(move |(word, _)| word.starts_with(&text));
        Box::new(places.map(|(_, place)| &self.words[*place as usize]))
    }

    fn contain<'a>(&'a self, text: &str) -> Box<dyn Iterator<Item = &'a Word> + 'a> {
        let chars: Vec<char> = text.chars().collect();
        let parts = chars.windows(GRAM.min(chars.len()).max(1));
        let places = parts.map(|part| self.grams.get(&gram(part)).map_or(&[][..], Vec::as_slice));
        let places = places.min_by_key(|places| places.len()).unwrap_or_default();
        let text = text.to_owned();
        let words = places.iter().map(|place| &self.words[*place as usize]);
        Box::new(words.filter(move |word| word.text.contains(&text)))
    }
}

/// The words of a name, in all ways of writing it, each once.
fn words(name: &Spelled) -> Vec<&str> {
    let mut words: Vec<&str> = name.words().flatten().map(String::as_str).collect();
    words.sort_unstable();
    words.dedup();
    words
}

fn gram(part: &[char]) -> Gram {
    let mut gram = Gram::default();
    for (char, own) in gram.iter_mut().zip(part) {
        *char = *own;
    }
    gram
}
