//! Who passes an entrance.

use jiff::Timestamp;
use serde_json::{Map, Value};

use super::alert::{blocked, is_set};
use super::name::fold;
use crate::events::passage::{Direction, Verdict};
use crate::events::place::Place;
use crate::role::{Role, Roles};

/// A guest at an entrance.
#[derive(Debug, Clone, Copy)]
pub struct Visitor<'a> {
    pub role: Option<&'a str>,
    pub tags: &'a Map<String, Value>,
    /// Whether they are a guest of the place's session.
    pub is_of_session: bool,
    /// Their last passage before this movement.
    pub before: Option<Direction>,
    /// Their next passage, if the movement is known late.
    pub after: Option<Direction>,
}

/// The verdict about a guest, and the verdict of the rules if the guest passes in spite of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Admission {
    pub verdict: Verdict,
    pub despite: Option<Verdict>,
}

/// Decides a movement at this time, at a place or at the event itself. The same movement, reported twice, passes once.
#[must_use]
pub fn admit(
    direction: Direction,
    visitor: &Visitor,
    place: Option<&Place>,
    at: Timestamp,
) -> Verdict {
    let is_inside = visitor.before == Some(Direction::In);
    let is_known = visitor.after == Some(direction);
    match direction {
        Direction::Out if is_inside && !is_known => Verdict::Passed,
        Direction::Out => Verdict::NotInside,
        Direction::In if blocked(visitor.tags).is_some() => Verdict::Blocked,
        Direction::In if is_inside || is_known => Verdict::Already,
        Direction::In => place.map_or(Verdict::Passed, |place| rules(visitor, place, at)),
    }
}

/// Why a guest passes against the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    /// A person lets them in, and says why.
    Reason,
    /// They have passed already, by the rules as the desk knew them.
    Fact,
}

/// Whether an account of this role passes a guest in spite of this verdict. Nobody does at a locked desk; the roles that
/// run events do; others only report whom they let in before they could know what other desks did.
#[must_use]
pub fn may_pass(role: Option<Role>, is_locked: bool, claim: Claim, despite: Verdict) -> bool {
    let runs_events = role.is_some_and(|role| Roles::DESK.contains(role)) && !is_locked;
    let is_others_doing = matches!(despite, Verdict::Full | Verdict::Once);
    runs_events || claim == Claim::Fact && is_others_doing
}

/// The admission of a guest with this verdict. `passes`: the caller may let guests in against the rules.
#[must_use]
pub fn admit_despite(verdict: Verdict, passes: bool) -> Admission {
    match passes && verdict.turns_away() {
        true => Admission {
            verdict: Verdict::Passed,
            despite: Some(verdict),
        },
        false => Admission {
            verdict,
            despite: None,
        },
    }
}

/// Whether a place has nine tenths of the guests that it holds.
#[must_use]
pub fn is_nearly_full(place: &Place) -> bool {
    let inside = u64::from(place.inside_count);
    let capacity = place.capacity.map(u64::from);
    capacity.is_some_and(|capacity| inside * 10 >= capacity * 9)
}

fn rules(visitor: &Visitor, place: &Place, at: Timestamp) -> Verdict {
    if !is_meant(visitor, place) {
        Verdict::WrongEntrance
    } else if place.once && visitor.before.is_some() {
        Verdict::Once
    } else if place.opens_at.is_some_and(|opens| at < opens) {
        Verdict::NotYet
    } else if place.closes_at.is_some_and(|closes| at >= closes) {
        Verdict::Closed
    } else if place
        .capacity
        .is_some_and(|most| place.inside_count >= most)
    {
        Verdict::Full
    } else {
        Verdict::Passed
    }
}

/// Whether the place is for this guest.
fn is_meant(visitor: &Visitor, place: &Place) -> bool {
    let role = visitor.role.map(fold).unwrap_or_default();
    let mut roles = place.roles.iter();
    let has_role = place.roles.is_empty() || roles.any(|one| fold(one) == role);
    let has_tag = place.tag.as_deref().is_none_or(|tag| {
        let value = visitor.tags.get(tag.trim());
        value.is_some_and(is_set)
    });
    has_role && has_tag && (place.session_id.is_none() || visitor.is_of_session)
}

#[cfg(test)]
mod tests;
