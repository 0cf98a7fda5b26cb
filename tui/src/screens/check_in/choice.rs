//! The guest that Enter checks in, or the reason to stop and show the candidates.

use std::collections::HashMap;

use frontdesk_protocol::events::guest::{Guest, Matched};
use frontdesk_protocol::id::GuestId;

use super::CheckIn;
use super::searching::{is_in, is_likely};
use crate::app::shared::Shared;

/// The meaning of Enter.
#[derive(Debug, PartialEq)]
pub(super) enum Choice {
    /// Check in this guest without a question.
    Take(GuestId),
    /// Show the candidates first.
    Ask(Doubt),
    /// No guest matches.
    Nobody,
}

/// Why a guest other than the first may be meant.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Doubt {
    /// The guest with exactly this name is already in.
    IsIn(String),
    /// Several guests have the ticket with this code: their number.
    Tickets(usize),
    /// Several expected guests have this name: their number.
    Namesakes(usize, String),
    /// The words of several expected guests begin with the text: their number, or more.
    Many { number: usize, has_more: bool },
    /// All guests whose words begin with the text are in.
    AllIn,
    /// The text matches only parts of names.
    Part,
    /// The text is only similar to names.
    Similar,
    /// The host cannot be asked, and not all guests are known.
    NotAsked,
}

impl Doubt {
    /// The reason in words, for the typed text.
    pub(super) fn words(&self, text: &str) -> String {
        match self {
            Doubt::IsIn(name) => format!("{name} is in"),
            Doubt::Tickets(number) => format!("{number} guests have the ticket “{text}”"),
            Doubt::Namesakes(number, name) => format!("{number} guests are named {name}"),
            Doubt::Many { number, has_more } => {
                let more = if *has_more { " and more" } else { "" };
                format!("{number} guests{more} match “{text}”")
            }
            Doubt::AllIn => format!("everybody who matches “{text}” is in"),
            Doubt::Part => format!("no name begins with “{text}”"),
            Doubt::Similar => format!("only similar to “{text}”"),
            Doubt::NotAsked => "this desk does not know all guests".to_owned(),
        }
    }
}

impl CheckIn {
    /// Whether all guests of the event are known.
    pub(super) fn knows_all(&self) -> bool {
        let event = self.record.value();
        let guests = event.map_or(0, |event| event.guest_count as usize);
        self.pages.is_whole() || self.roll.len() >= guests
    }

    /// Chooses among the matches of a text. If exactly one guest's words begin with the text and
    /// the guest is not in, that guest is taken; otherwise the user chooses.
    pub(super) fn choose(
        &self,
        shared: &Shared,
        rows: &[GuestId],
        matched: &HashMap<GuestId, Matched>,
        has_more: bool,
    ) -> Choice {
        let of = |id: &GuestId| matched.get(id).copied().unwrap_or(Matched::Similar);
        let tickets = rows.iter().filter(|id| of(id) == Matched::Ticket).count();
        if tickets > 1 {
            return Choice::Ask(Doubt::Tickets(tickets));
        }
        let guests = rows.iter().filter(|id| is_likely(of(id)));
        let guests = guests.filter_map(|id| self.roll.get(*id));
        let (inside, expected): (Vec<&Guest>, Vec<&Guest>) =
            guests.partition(|guest| is_in(shared, guest));
        let is_named = |guest: &&&Guest| of(&guest.id) == Matched::Name;
        let named = inside.iter().find(is_named);
        let Some(first) = rows.first() else {
            return Choice::Nobody;
        };
        let is_unsure = self.found.error().is_some() && !self.knows_all();
        match (expected.as_slice(), inside.as_slice(), named) {
            ([_], _, None) if is_unsure => Choice::Ask(Doubt::NotAsked),
            ([one], _, None) => Choice::Take(one.id),
            ([], [_], Some(one)) => Choice::Take(one.id),
            ([], [one], None) if rows.len() == 1 => Choice::Take(one.id),
            ([], [], _) if of(first) == Matched::Part => Choice::Ask(Doubt::Part),
            ([], [], _) => Choice::Ask(Doubt::Similar),
            ([], ..) => Choice::Ask(Doubt::AllIn),
            (_, _, Some(one)) => Choice::Ask(Doubt::IsIn(one.name.clone())),
            ([one, ..], ..) => {
                let namesakes = self.roll.namesakes(one.id).count();
                let are_all = expected.iter().all(|guest| {
                    self.roll
                        .namesakes(one.id)
                        .any(|namesake| namesake.id == guest.id)
                });
                Choice::Ask(match are_all && namesakes > 1 {
                    true => Doubt::Namesakes(expected.len(), one.name.clone()),
                    false => Doubt::Many {
                        number: expected.len(),
                        has_more,
                    },
                })
            }
        }
    }
}
