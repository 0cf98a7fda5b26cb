//! The place of an event at whose entrance this desk is. What is asked and answered about it is the screen's.

use frontdesk_client::{Entrance, KnownPlace};
use frontdesk_protocol::door::{Claim, may_pass};
use frontdesk_protocol::events::guest::Guest;
use frontdesk_protocol::events::passage::{Direction, Passage, Source, Verdict};
use frontdesk_protocol::id::{EventId, GuestId};
use jiff::Timestamp;

use super::Attempt;
use crate::app::shared::Shared;

impl Shared {
    /// The place at whose entrance this desk is; `None` for the event itself.
    pub(crate) fn place(&self, event: EventId) -> Option<&KnownPlace> {
        let place = self.door().place.as_ref();
        place.filter(|known| known.place.event_id == event)
    }

    /// Moves this desk to the entrance of a place, or takes in what is new about it.
    pub(crate) fn set_place(&mut self, place: Option<KnownPlace>) {
        self.door_mut().place = place;
    }

    /// Whether the account at this desk can let guests in against the rules, with a reason.
    pub(crate) fn may_pass(&self) -> bool {
        let role = self.account().and_then(|account| account.role);
        may_pass(role, self.is_locked, Claim::Reason, Verdict::Blocked)
    }

    /// The guest at this desk was found in this way.
    pub(crate) fn found_by(&mut self, source: Source) {
        self.door_mut().source = Some(source);
    }

    /// A guest's last passage where this desk is, unless the place was emptied since.
    pub(crate) fn passage<'a>(&self, guest: &'a Guest) -> Option<&'a Passage> {
        let last = guest.passage.as_ref();
        last.filter(|last| self.still_counts(guest.event_id, last.at))
    }

    /// Whether the place at whose entrance this desk is was not emptied since this time.
    pub(super) fn still_counts(&self, event: EventId, at: Timestamp) -> bool {
        let known = self.place(event);
        let emptied = known.and_then(|known| known.place.emptied_before(self.now));
        emptied.is_none_or(|emptied| at >= emptied)
    }

    /// Whether a guest is inside where this desk is.
    pub(crate) fn is_inside(&self, guest: &Guest) -> bool {
        let is_in = |last: &Passage| last.direction == Direction::In;
        match self.place(guest.event_id) {
            Some(_) => self.passage(guest).is_some_and(is_in),
            None => guest.is_inside(),
        }
    }

    /// Whether this desk records movements.
    pub(crate) fn has_entrance(&self, event: EventId) -> bool {
        self.settings.desk.gate.is_some() || self.place(event).is_some()
    }

    /// The last action about a guest that is on its way, at this entrance.
    pub(crate) fn under_way(&self, guest: &Guest) -> Option<&Attempt> {
        let place = self.place(guest.event_id).map(|known| known.place.id);
        let latest = self.door().latest(guest.id)?;
        let is_here = latest.is_pending() && latest.entrance.place_id == place;
        (is_here && self.still_counts(guest.event_id, latest.at)).then_some(latest)
    }

    /// Where this desk is.
    pub(super) fn entrance(&self, event: EventId) -> Entrance {
        Entrance {
            gate: self.settings.desk.gate.clone(),
            desk: self.settings.desk.name.clone(),
            source: self.door().source,
            place_id: self.place(event).map(|known| known.place.id),
            ..Entrance::default()
        }
    }

    /// The movements here that are on their way, the last one first.
    pub(crate) fn directions(
        &self,
        event: EventId,
    ) -> impl Iterator<Item = (GuestId, Direction)> + '_ {
        let place = self.place(event).map(|known| known.place.id);
        let attempts = self.door().of_event(event);
        let here = attempts.filter(move |one| {
            let is_here = one.entrance.place_id == place && !one.turns_away();
            one.is_pending() && is_here && self.still_counts(event, one.at)
        });
        here.filter_map(|one| {
            let direction = match one.is_expected() {
                true => Direction::In,
                false => Direction::Out,
            };
            Some((one.guest?, direction))
        })
    }
}
