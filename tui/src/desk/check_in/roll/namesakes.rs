//! What distinguishes guests with the same name.

use std::borrow::Cow;

use frontdesk_protocol::door::{Alert, alert};

use super::Known;

/// What distinguishes a guest from namesakes.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Apart {
    pub(super) words: String,
    /// The list has a column with it.
    pub(super) is_column: bool,
    /// It may be read by those who stand before a locked desk: no address, no telephone number, no ticket.
    pub(super) is_public: bool,
}

type Field = fn(&Known) -> Option<Cow<str>>;

/// What may distinguish guests, each with the words for its absence. The first two have columns.
const FIELDS: [(Field, &str); 5] = [
    (|known| text(&known.guest.role), "no role"),
    (|known| text(&known.guest.email), "no e-mail"),
    (|known| text(&known.guest.phone_number), "no phone"),
    (remark, "no note"),
    (ticket, "no ticket"),
];
const COLUMNS: usize = 2;
/// The role and the remark.
const PUBLIC: [usize; 2] = [0, 3];

/// What only this guest has: the role, otherwise the e-mail address, the telephone number, the remark or the ticket, or
/// the absence of one. If nothing is unique, all of it.
pub(super) fn what_tells(own: &Known, namesakes: &[&Known]) -> Option<Apart> {
    let is_unique = |field: &Field| {
        let same = |other: &&&Known| field(other) == field(own);
        namesakes.iter().filter(same).count() == 1
    };
    let unique = FIELDS.into_iter().enumerate();
    let unique: Vec<_> = unique.filter(|(_, (field, _))| is_unique(field)).collect();
    let told = unique
        .iter()
        .find_map(|(at, (field, _))| Some((*at, field(own)?)));
    let told = told.or_else(|| unique.first().map(|(at, (_, none))| (*at, (*none).into())));
    let told = told.map(|(at, words)| Apart {
        words: words.into_owned(),
        is_column: at < COLUMNS,
        is_public: PUBLIC.contains(&at),
    });
    told.or_else(|| {
        let all: Vec<_> = FIELDS.iter().map(|(field, _)| field(own)).collect();
        let is_column = all[COLUMNS..].iter().all(Option::is_none);
        let all: Vec<Cow<str>> = all.into_iter().flatten().collect();
        (!all.is_empty()).then(|| Apart {
            words: all.join(" · "),
            is_column,
            is_public: false,
        })
    })
}

fn text(field: &Option<String>) -> Option<Cow<'_, str>> {
    let text = field.as_deref()?.trim();
    (!text.is_empty()).then_some(text.into())
}

fn remark(known: &Known) -> Option<Cow<'_, str>> {
    Some(match alert(&known.guest.tags)? {
        Alert::Blocked(why) if why.to_lowercase().starts_with("blocked") => why.into(),
        Alert::Blocked(why) => format!("blocked: {why}").into(),
        Alert::Note(note) => note.into(),
    })
}

fn ticket(known: &Known) -> Option<Cow<'_, str>> {
    let ticket = known.tickets.first()?;
    Some(format!("ticket {ticket}").into())
}
