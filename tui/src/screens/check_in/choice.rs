//! The guest whom Enter checks in, or the reason to stop and show the candidates first.

use std::collections::HashMap;

use frontdesk_protocol::events::guest::{Guest, Matched};
use frontdesk_protocol::id::GuestId;

use super::CheckIn;
use super::searching::{is_in, is_likely};
use crate::app::shared::Shared;

/// The meaning of Enter.
#[derive(Debug, PartialEq)]
pub(super) enum Choice {
    /// This guest, without a question.
    Take(GuestId),
    /// The candidates are shown first.
    Ask(Doubt),
    /// No guest matches.
    Nobody,
}

/// Why another guest than the first may be meant.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Doubt {
    /// The text is the name of this guest, who is in.
    IsIn(String),
    /// This many guests who are not in have this name.
    Namesakes(usize, String),
    /// This many guests who are not in have words that begin like the text, or more than that.
    Many { number: usize, has_more: bool },
    /// All whose words begin like the text are in.
    AllIn,
    /// The text is only a part of names.
    Part,
    /// The text is only similar to names.
    Similar,
    /// The host cannot be asked, and not all guests are known here.
    NotAsked,
}

impl Doubt {
    /// The reason, for the text that was typed.
    pub(super) fn words(&self, text: &str) -> String {
        match self {
            Doubt::IsIn(name) => format!("{name} is in"),
            Doubt::Namesakes(number, name) => format!("{number} guests are called {name}"),
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
    /// Whether every guest of the event is known here.
    pub(super) fn knows_all(&self) -> bool {
        let event = self.record.value();
        let guests = event.map_or(0, |event| event.guest_count as usize);
        self.pages.is_whole() || self.roll.len() >= guests
    }

    /// Chooses among the guests that a text has found. Exactly one guest who is not in and whose words begin
    /// like the text is taken; in every other case the person chooses.
    pub(super) fn choose(
        &self,
        shared: &Shared,
        rows: &[GuestId],
        matched: &HashMap<GuestId, Matched>,
        has_more: bool,
    ) -> Choice {
        let of = |id: &GuestId| matched.get(id).copied().unwrap_or(Matched::Similar);
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
