//! The decision.

use super::code::{Arrived, Kind};
use super::name::{Spelled, fold};
use crate::events::guest::Matched;
use crate::id::GuestId;

/// A guest whom the desk knows.
#[derive(Debug, Clone, Copy)]
pub struct Person<'a> {
    pub id: GuestId,
    pub name: &'a Spelled,
    /// The name without case and accents.
    pub key: &'a str,
    pub email: Option<&'a str>,
    pub tickets: &'a [String],
    pub is_in: bool,
    /// Whether the host has found the guest although a letter differs.
    pub is_similar: bool,
}

/// How complete the known guests are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// They are all guests of the event, or all whom the host has found for this text.
    Whole,
    /// The host has more guests, and was not asked.
    Part,
}

/// The meaning of what arrived.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// This guest comes in.
    In(GuestId),
    /// This guest is in already.
    Already(GuestId),
    /// Several guests may be meant, or one less surely: a person chooses.
    Which { why: Doubt, guests: Vec<GuestId> },
    /// No known guest has this code.
    UnknownCode {
        /// The id, if the code is one: the host knows whether it is another guest's.
        id: Option<GuestId>,
        /// The only guest whose code it is if scanner and machine are set to different keyboards.
        fits: Option<GuestId>,
        /// Whether the characters suggest that.
        is_other_keyboard: bool,
    },
    /// No guest has this name.
    NoSuchName,
    /// The host may know others: these are the known ones.
    NotAsked { guests: Vec<GuestId> },
}

/// Why a person has to choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doubt {
    /// Several guests have this ticket.
    Tickets,
    /// It is the ticket of one guest and the name of others.
    TicketOrName,
    /// Several guests have exactly this name.
    Namesakes,
    /// Words of several guests' names begin so.
    Names,
    /// Names only contain it.
    Part,
    /// Names are only similar.
    Similar,
}

/// Decides what arrived. Only a code that exactly one guest has, or words that begin the name of exactly one guest of
/// the event, in or not, name a guest without a person's choice.
pub fn decide<'a>(
    arrived: &Arrived,
    people: impl Iterator<Item = Person<'a>> + Clone,
    extent: Extent,
) -> Decision {
    let holders = holders(arrived, people.clone());
    match &arrived.kind {
        Kind::Id(ids) => {
            let of_id = |id: &GuestId| people.clone().find(|person| person.id == *id);
            match ids.iter().find_map(of_id) {
                Some(person) => take(person),
                None if holders.is_empty() => unknown(arrived, ids.first().copied(), people),
                None => ticket(&holders, extent),
            }
        }
        Kind::Code if holders.is_empty() && extent == Extent::Whole => {
            unknown(arrived, None, people)
        }
        Kind::Code => ticket(&holders, extent),
        Kind::Words => words(arrived, &holders, people, extent),
    }
}

fn take(person: Person) -> Decision {
    match person.is_in {
        true => Decision::Already(person.id),
        false => Decision::In(person.id),
    }
}

fn ids(people: &[Person]) -> Vec<GuestId> {
    people.iter().map(|person| person.id).collect()
}

/// The guests who have the ticket: exactly, or else with other case.
fn holders<'a>(arrived: &Arrived, people: impl Iterator<Item = Person<'a>>) -> Vec<Person<'a>> {
    let texts = arrived.tickets();
    let lower: Vec<String> = texts.iter().map(|text| text.to_lowercase()).collect();
    let (mut exact, mut similar) = (Vec::new(), Vec::new());
    for person in people {
        if person.tickets.iter().any(|ticket| texts.contains(ticket)) {
            exact.push(person);
        } else if person
            .tickets
            .iter()
            .any(|ticket| lower.contains(&ticket.to_lowercase()))
        {
            similar.push(person);
        }
    }
    if exact.is_empty() { similar } else { exact }
}

fn ticket(holders: &[Person], extent: Extent) -> Decision {
    let guests = ids(holders);
    match (holders, extent) {
        ([], _) | (_, Extent::Part) => Decision::NotAsked { guests },
        ([one], Extent::Whole) => take(*one),
        (_, Extent::Whole) => Decision::Which {
            why: Doubt::Tickets,
            guests,
        },
    }
}

fn unknown<'a>(
    arrived: &Arrived,
    id: Option<GuestId>,
    people: impl Iterator<Item = Person<'a>>,
) -> Decision {
    // Nobody has it as it is.
    let (ids, codes) = arrived.meanings();
    let has_one = |person: &Person| {
        let mut tickets = person.tickets.iter();
        ids.contains(&person.id) || tickets.any(|ticket| codes.contains(&ticket.to_lowercase()))
    };
    let mut fits = people.filter(has_one).map(|person| person.id);
    let fits = match (fits.next(), fits.next()) {
        (one, None) => one,
        _ => None,
    };
    Decision::UnknownCode {
        id,
        fits,
        is_other_keyboard: fits.is_some() || id.is_none() && arrived.suggests_other_keyboard(),
    }
}

fn words<'a>(
    arrived: &Arrived,
    holders: &[Person<'a>],
    people: impl Iterator<Item = Person<'a>>,
    extent: Extent,
) -> Decision {
    let text = Spelled::new(&arrived.text);
    let email = arrived.text.contains('@').then(|| fold(&arrived.text));
    let mut named: Vec<Person> = Vec::new();
    let (mut parts, mut similar) = (Vec::new(), Vec::new());
    for person in people {
        let matched = person.name.matched(&text);
        let has_email = email.as_ref().is_some_and(|email| {
            let own = person.email.map(fold);
            own.is_some_and(|own| own.starts_with(email.as_str()))
        });
        match matched {
            _ if has_email => named.push(person),
            Some(Matched::Name | Matched::Prefix) if text.has_letter() => named.push(person),
            Some(_) => parts.push(person.id),
            None if person.is_similar && text.has_letter() => similar.push(person.id),
            None => {}
        }
    }
    for holder in holders {
        if !named.iter().any(|person| person.id == holder.id) {
            named.push(*holder);
        }
    }
    let guests = ids(&named);
    let which = |why, guests| Decision::Which { why, guests };
    match (&named[..], holders) {
        _ if extent == Extent::Part => Decision::NotAsked {
            guests: if guests.is_empty() { parts } else { guests },
        },
        ([one], _) => take(*one),
        ([], _) if !parts.is_empty() => which(Doubt::Part, parts),
        ([], _) if !similar.is_empty() => which(Doubt::Similar, similar),
        ([], _) => Decision::NoSuchName,
        (all, holders) if all.len() == holders.len() => which(Doubt::Tickets, guests),
        (_, [_, ..]) => which(Doubt::TicketOrName, guests),
        ([first, ..], _) if named.iter().all(|one| one.key == first.key) => {
            which(Doubt::Namesakes, guests)
        }
        _ => which(Doubt::Names, guests),
    }
}
