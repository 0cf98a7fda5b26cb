//! What arrives: codes and words. A code is never a name, and a name is never a code.

use std::collections::HashSet;

use serde_json::{Map, Value};
use uuid::Uuid;

use super::layout;
use crate::id::GuestId;

/// The length of an id as codes write it: 8-4-4-4-12 hexadecimal digits.
const LENGTH: usize = 36;
/// The length of a symbology identifier such as `]Q3`.
const MARK: usize = 3;

/// How a text arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// As a person types or pastes.
    Typed,
    /// All characters at once and an end after them, as only a scanner types.
    Scanned,
}

/// One code, or the words of a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arrived {
    /// The text without the signs that scanners put around a code.
    pub text: String,
    pub kind: Kind,
    /// The byte offset of its start.
    pub start: usize,
    /// The texts of which one may be the ticket.
    tickets: Vec<String>,
    /// Values in a URL or an object under keys that do not mean a ticket, each with its key as [`plain`] writes it.
    others: Vec<(String, String)>,
}

/// What a text is by its form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// It contains ids of guests, the most likely first.
    Id(Vec<GuestId>),
    /// Another code.
    Code,
    /// The words of a name; or a ticket, if one has exactly this code.
    Words,
}

impl Arrived {
    /// Whether its form is that of a code.
    #[must_use]
    pub fn is_code(&self) -> bool {
        self.kind != Kind::Words
    }

    /// Whether a code could be a name by its form.
    #[must_use]
    pub fn may_be_name(&self) -> bool {
        self.kind == Kind::Code && !has_form_of_code(&self.text)
    }

    /// The same at an organisation that names the keys of its tickets: a value under one of them may be the ticket, too.
    #[must_use]
    pub fn with_keys(&self, named: &[String]) -> Arrived {
        let mut all = self.clone();
        let is_named = |key: &String| named.iter().any(|named| plain(named) == *key);
        let others = self.others.iter().filter(|(key, _)| is_named(key));
        all.tickets.extend(others.map(|(_, text)| text.clone()));
        all
    }

    /// The texts of which one may be the ticket.
    pub(super) fn tickets(&self) -> &[String] {
        &self.tickets
    }

    /// The ids that it may mean, and the tickets in lower case, also if a scanner is set to another keyboard.
    #[must_use]
    pub fn meanings(&self) -> (HashSet<GuestId>, HashSet<String>) {
        let (mut ids, mut tickets) = (HashSet::new(), HashSet::new());
        let others = match self.is_code() {
            true => layout::others(&self.text),
            false => Vec::new(),
        };
        let others = others.iter().flat_map(|text| read(text, Pace::Scanned));
        for one in others.chain([self.clone()]) {
            tickets.extend(one.tickets.iter().map(|text| text.to_lowercase()));
            if let Kind::Id(meant) = one.kind {
                ids.extend(meant);
            }
        }
        (ids, tickets)
    }

    /// Whether the characters suggest that the scanner is set to another keyboard.
    pub(super) fn suggests_other_keyboard(&self) -> bool {
        // A valid address or object was not garbled by another keyboard.
        let is_whole = url::Url::parse(&self.text).is_ok()
            || serde_json::from_str::<Map<String, Value>>(&self.text).is_ok();
        !is_whole && layout::suggests_other(&self.text)
    }
}

/// The tag that always has the codes of tickets.
pub const TICKET: &str = "ticket_code";

/// The codes of a guest's tickets: the tag `ticket_code` and those that the organisation names, each a text or a list.
pub fn tickets(tags: &Map<String, Value>, named: &[String]) -> impl Iterator<Item = String> {
    let names = std::iter::once(TICKET).chain(named.iter().map(String::as_str));
    let values = names.flat_map(|name| match tags.get(name) {
        Some(Value::Array(values)) => values.as_slice(),
        Some(value) => std::slice::from_ref(value),
        None => &[],
    });
    values.filter_map(|value| match value {
        Value::String(code) => Some(code.trim().to_owned()).filter(|code| !code.is_empty()),
        Value::Number(code) => Some(code.to_string()),
        _ => None,
    })
}

/// Takes a text apart into what arrived, in order.
#[must_use]
pub fn read(text: &str, pace: Pace) -> Vec<Arrived> {
    let mut all = Vec::new();
    let mut start = 0;
    // Scanners frame codes with STX and ETX, and separate them with CR, LF or Tab.
    for line in text.split_inclusive(['\r', '\n', '\t', '\x02', '\x03']) {
        let mut at = start;
        for part in parts(line) {
            read_part(part, at, pace, &mut all);
            at += part.len();
        }
        start += line.len();
    }
    all
}

/// URLs and objects that follow one another directly.
fn parts(line: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = line;
    let begins = |rest: &str, at: usize| {
        let (before, after) = rest.split_at(at);
        let is_url = after.starts_with("https://") || after.starts_with("http://");
        is_url && before.ends_with(|char: char| char.is_ascii_hexdigit())
            || after.starts_with('{') && before.trim_end().ends_with('}')
    };
    loop {
        let mut places = rest.char_indices().map(|(at, _)| at);
        let Some(at) = places.find(|at| *at > 0 && begins(rest, *at)) else {
            break;
        };
        let (part, after) = rest.split_at(at);
        parts.push(part);
        rest = after;
    }
    parts.push(rest);
    parts
}

fn read_part(part: &str, at: usize, pace: Pace, all: &mut Vec<Arrived>) {
    let is_around = |char: char| char.is_whitespace() || char.is_control();
    let raw = part.trim_matches(is_around);
    let at = at + (part.len() - part.trim_start_matches(is_around).len());
    let text = without_frame(raw);
    // A symbology identifier alone, with a control character between it and its code.
    let is_frame = is_marked(raw) && raw.len() == MARK && part.ends_with(['\u{2}', '\u{3}']);
    if text.is_empty() || is_frame {
        return;
    }
    let at = at + raw.find(text).unwrap_or_default();
    let mut tickets = vec![text.to_owned()];
    if raw != text {
        tickets.push(raw.to_owned());
    }
    let signs = ["{", "http://", "https://"];
    let ids = ids(text);
    if let Some(start) = signs.iter().filter_map(|sign| text.find(sign)).min() {
        let code = &text[start..];
        let pieces = Pieces::of(code);
        tickets.extend(pieces.tickets);
        let mut ids: Vec<_> = ids.into_iter().filter(|(at, _)| *at >= start).collect();
        match text.rfind("guest") {
            Some(guest) => ids.sort_by_key(|(at, _)| *at < guest),
            None => ids.reverse(),
        }
        let ids: Vec<GuestId> = ids.into_iter().map(|(_, id)| id).collect();
        all.push(Arrived {
            text: text.to_owned(),
            kind: if ids.is_empty() {
                Kind::Code
            } else {
                Kind::Id(ids)
            },
            start: at + start,
            tickets,
            others: pieces.others,
        });
        return;
    }
    if let [(start, id)] = ids[..] {
        tickets.insert(0, text[start..start + LENGTH].to_owned());
        all.push(Arrived {
            text: tickets[0].clone(),
            kind: Kind::Id(vec![id]),
            start: at + start,
            tickets,
            others: Vec::new(),
        });
        return;
    }
    if !ids.is_empty() {
        all.extend(ids.into_iter().map(|(start, id)| {
            let text = text[start..start + LENGTH].to_owned();
            Arrived {
                kind: Kind::Id(vec![id]),
                start: at + start,
                tickets: vec![text.clone()],
                others: Vec::new(),
                text,
            }
        }));
        return;
    }
    let kind = match text.parse() {
        // In another notation.
        Ok(id) => Kind::Id(vec![GuestId(id)]),
        Err(_) if pace == Pace::Scanned || has_form_of_code(text) => Kind::Code,
        Err(_) => Kind::Words,
    };
    all.push(Arrived {
        text: text.to_owned(),
        kind,
        start: at,
        tickets,
        others: Vec::new(),
    });
}

/// The text without a symbology identifier such as `]Q3`, and without the start and stop signs of Code 39.
fn without_frame(text: &str) -> &str {
    let text = match is_marked(text) && text.len() > MARK {
        true => text[MARK..].trim_start_matches(char::is_control),
        false => text,
    };
    let inner = text
        .strip_prefix('*')
        .and_then(|text| text.strip_suffix('*'));
    inner.unwrap_or(text)
}

/// Whether a text begins with a symbology identifier.
fn is_marked(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next() == Some(']')
        && chars.next().is_some_and(|char| char.is_ascii_alphabetic())
        && chars
            .next()
            .is_some_and(|char| char.is_ascii_alphanumeric())
}

/// The ids in a text with their byte offsets.
fn ids(text: &str) -> Vec<(usize, GuestId)> {
    let mut end = 0;
    let places = text.char_indices().filter_map(|(at, _)| {
        let id: Uuid = text.get(at..at + LENGTH)?.parse().ok()?;
        let is_next = at >= end;
        is_next.then(|| {
            end = at + LENGTH;
            (at, GuestId(id))
        })
    });
    places.collect()
}

/// Keys that mean a ticket or its guest in any object, with a value of any length.
const TICKET_KEYS: &[&str] = &[
    "admission",
    "attendee",
    "attendeeid",
    "barcode",
    "checkincode",
    "guest",
    "guestid",
    "participant",
    "participantid",
    "ticket",
    "ticketcode",
    "ticketid",
    "ticketno",
    "ticketnumber",
    "ticketsecret",
];
/// Keys that mean the ticket in an object about one, and something else in an object about something else: elsewhere only
/// if the value is long.
const ITS_KEYS: &[&str] = &[
    "c", "checkin", "code", "id", "qr", "qrcode", "secret", "t", "token", "uid", "uuid",
];
/// The last part of a path before which one of these stands is no ticket.
const OTHER_PLACES: &[&str] = &[
    "event", "events", "invoice", "item", "menu", "order", "orders", "page", "product", "room",
    "row", "seat", "session", "table", "year",
];
/// A ticket of so many characters is no accident. A shorter value can be anything: a table, a year, a coupon.
const LONG: usize = 8;

fn is_long(text: &str) -> bool {
    text.chars().count() >= LONG
}

/// The letters of a key, without case and signs.
fn plain(key: &str) -> String {
    let letters = key.chars().filter(|char| char.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// The values in a URL or a JSON object: only what stands where a ticket stands may be one.
#[derive(Default)]
struct Pieces {
    tickets: Vec<String>,
    others: Vec<(String, String)>,
}

impl Pieces {
    fn of(code: &str) -> Pieces {
        let mut pieces = Pieces::default();
        if let Ok(value) = serde_json::from_str::<Value>(code) {
            pieces.add_value(&value, "", About::Anything, Key::Other);
        } else if let Ok(url) = url::Url::parse(code) {
            for (key, value) in url.query_pairs() {
                let key = plain(&key);
                let means = Key::of(&key, About::Anything);
                pieces.add(&key, value.into_owned(), means);
            }
            if pieces.tickets.is_empty() {
                let fragment = url.fragment().into_iter().flat_map(|text| text.split('/'));
                let path = url.path_segments().into_iter().flatten();
                pieces.tickets.extend(last_of(path));
                pieces.tickets.extend(last_of(fragment));
            }
        }
        pieces
    }

    fn add(&mut self, key: &str, text: String, means: Key) {
        let is_ticket = means == Key::Ticket || means == Key::Perhaps && is_long(&text);
        if text.is_empty() {
            return;
        }
        match is_ticket {
            true => self.tickets.push(text),
            false => self.others.push((key.to_owned(), text)),
        }
    }

    /// Adds a value under a key, within an object about this.
    fn add_value(&mut self, value: &Value, key: &str, about: About, means: Key) {
        match value {
            Value::String(text) => self.add(key, text.clone(), means),
            Value::Number(number) => self.add(key, number.to_string(), means),
            Value::Array(values) => {
                for value in values {
                    self.add_value(value, key, about, means);
                }
            }
            Value::Object(fields) => {
                for (key, value) in fields {
                    let key = plain(key);
                    let means = Key::of(&key, about);
                    let about = match means {
                        Key::Ticket => About::Ticket,
                        Key::Perhaps => About::Anything,
                        Key::Other if matches!(&key[..], "data" | "payload") => about,
                        Key::Other => About::Other,
                    };
                    self.add_value(value, &key, about, means);
                }
            }
            Value::Null | Value::Bool(_) => {}
        }
    }
}

/// What an object is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum About {
    Ticket,
    /// It does not say.
    Anything,
    /// Something else, such as the event.
    Other,
}

/// What a key means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Key {
    Ticket,
    /// The ticket, if the value is long.
    Perhaps,
    Other,
}

impl Key {
    fn of(key: &str, about: About) -> Key {
        match about {
            _ if TICKET_KEYS.contains(&key) => Key::Ticket,
            About::Ticket if ITS_KEYS.contains(&key) => Key::Ticket,
            About::Anything if ITS_KEYS.contains(&key) => Key::Perhaps,
            _ => Key::Other,
        }
    }
}

/// The last part of a path, if it can be a ticket.
fn last_of<'a>(path: impl Iterator<Item = &'a str>) -> Option<String> {
    let path: Vec<_> = path.filter(|part| !part.is_empty()).collect();
    let (last, before) = path.split_last()?;
    let place = before.last().map(|place| plain(place)).unwrap_or_default();
    let text = without_percents(last);
    let is_after_key =
        TICKET_KEYS.contains(&&place[..]) || matches!(&place[..], "tickets" | "guests");
    let is_ticket = is_after_key || is_long(&text) && !OTHER_PLACES.contains(&&place[..]);
    is_ticket.then_some(text)
}

/// A part of a URL's path with its characters as they are.
fn without_percents(text: &str) -> String {
    let text = text
        .replace('+', "%2B")
        .replace('&', "%26")
        .replace('=', "%3D");
    let decoded = url::form_urlencoded::parse(text.as_bytes()).next();
    decoded.map_or(String::new(), |(text, _)| text.into_owned())
}

/// Whether a text without spaces has a digit, or signs that are not part of a name.
fn has_form_of_code(text: &str) -> bool {
    let signs = ["{", "http://", "https://"];
    if signs.iter().any(|sign| text.contains(sign)) {
        return true;
    }
    if text.contains(char::is_whitespace) || is_email(text) {
        return false;
    }
    let has_digit = text.chars().any(char::is_numeric);
    has_digit || !text.chars().all(is_of_name) || has_odd_signs(text)
}

/// Whether a character can be part of a name.
fn is_of_name(char: char) -> bool {
    char.is_alphabetic()
        || "'’‘`´-‐‑–.,·".contains(char)
        || unicode_normalization::char::is_combining_mark(char)
}

fn has_odd_signs(text: &str) -> bool {
    let is_letter =
        |char: &char| char.is_alphabetic() || unicode_normalization::char::is_combining_mark(*char);
    let is_sign = |char: &char| !is_letter(char) && !".,".contains(*char);
    let chars: Vec<char> = text.chars().collect();
    let letters = chars.iter().filter(|char| is_letter(char)).count();
    chars.windows(2).any(|pair| pair.iter().all(is_sign))
        || chars.first().is_some_and(is_sign) && letters < 2
}

/// Whether a text is an e-mail address or the beginning of one.
fn is_email(text: &str) -> bool {
    let is_of_it = |char: char| char.is_alphanumeric() || "._+-".contains(char);
    let parts = text.split_once('@');
    parts.is_some_and(|(user, host)| {
        !user.is_empty() && (user.to_owned() + host).chars().all(is_of_it)
    })
}
