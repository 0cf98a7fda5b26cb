//! A check-in in the words of the banner.

use frontdesk_client::{ADDED_BY_MISTAKE, Action, OwnCheckIn};
use frontdesk_protocol::door::{Alert, alert, guest_of};
use frontdesk_protocol::events::passage::Verdict;
use frontdesk_protocol::id::GuestId;
use jiff::{SignedDuration, Timestamp};

use super::CheckIn;
use crate::app::shared::Shared;
use crate::desk::door::{Attempt, Status, Subject};
use crate::look::mark::Mark;
use crate::look::text::clean;
use crate::look::time::{clock_seconds, moment};

/// A guest who came this long before a check-in has come before.
const OWN: SignedDuration = SignedDuration::from_secs(1);

/// The content of the banner.
#[derive(Debug, PartialEq)]
pub(super) struct Words {
    pub(super) mark: Mark,
    pub(super) verdict: &'static str,
    pub(super) who: String,
    /// What distinguishes the guest from namesakes.
    pub(super) apart: Option<String>,
    pub(super) detail: String,
    /// The detail begins with a remark about the guest.
    pub(super) has_note: bool,
}

impl CheckIn {
    /// When a guest came before this check-in, as the host knows. Not if that is being undone.
    pub(super) fn came_before(&self, attempt: &Attempt, shared: &Shared) -> Option<Timestamp> {
        let guest = self.roll.get(attempt.guest?)?;
        if let Some(verdict) = attempt.entrance.verdict {
            let passage = guest.passage.as_ref().map(|last| last.at);
            let since = passage.or(guest.check_in_at);
            return since.filter(|_| verdict == Verdict::Already);
        }
        let at = guest.check_in_at?;
        let undoes =
            |other: &Attempt| other.guest == attempt.guest && other.is_pending() && other.is_undo();
        let is_undone = shared.door().of_event(self.event).any(undoes);
        (at < attempt.at - OWN && !is_undone).then_some(at)
    }

    /// Where a guest was checked in who came at this time.
    fn desk_of(&self, guest: Option<GuestId>, at: Timestamp, shared: &Shared) -> String {
        let is_here = |other: &Attempt| {
            let came = matches!(
                other.status,
                Status::In {
                    was_before: false,
                    ..
                }
            );
            other.guest == guest && came
        };
        let is_own = guest.is_some_and(|guest_id| self.own.contains(&OwnCheckIn { guest_id, at }));
        if is_own || shared.door().of_event(self.event).any(is_here) {
            return "this desk".to_owned();
        }
        let guest = guest.and_then(|id| self.roll.get(id));
        let passage = guest.and_then(|guest| guest.passage.as_ref());
        let (gate, by) = passage.map_or((None, None), |last| {
            (last.gate.as_deref(), last.by.as_deref())
        });
        let gate = clean(gate.unwrap_or("another desk"));
        match by {
            Some(by) => format!("{gate}, by {}", clean(by)),
            None => gate.into_owned(),
        }
    }

    /// That a person can let in a guest who was turned away.
    pub(super) fn may_admit(&self, shared: &Shared) -> String {
        let key = shared.settings.keymap.key("guest.admit");
        match shared.may_pass() && !key.is_empty() {
            true => format!(" · {key} lets in for a reason"),
            false => String::new(),
        }
    }

    /// The guest whom Enter takes while a choice is open, in words.
    pub(super) fn offer(&self, shared: &Shared) -> String {
        let selected = self.selected.filter(|_| self.question.is_some());
        let Some(guest) = selected.and_then(|id| self.roll.get(id)) else {
            return String::new();
        };
        let parts = [
            Some(guest.name.as_str()),
            self.roll.apart_unseen(guest.id),
            guest.role.as_deref(),
            guest.email.as_deref().filter(|_| !shared.is_locked),
        ];
        let parts: Vec<&str> = parts.into_iter().flatten().collect();
        let key = shared.settings.keymap.key("guest.check_in");
        format!("{key} takes {}", clean(&parts.join(" · ")))
    }
}

/// A check-in whose guest or code arrived again, in words.
pub(super) fn again(attempt: &Attempt, desk: &CheckIn, shared: &Shared) -> Words {
    let (at, saved) = match &attempt.status {
        Status::In {
            at,
            was_before: false,
        } => (*at, ""),
        _ if attempt.is_pending() && !attempt.is_of_unknown() => (attempt.at, "; saved here"),
        _ => return of(attempt, desk, shared),
    };
    let at = clock_seconds(at, &shared.locale);
    Words {
        mark: Mark::Again,
        verdict: "ALREADY CHECKED IN",
        who: attempt.label(),
        apart: None,
        detail: format!("at {at} at this desk{saved}"),
        has_note: false,
    }
}

/// A check-in's state in words.
pub(super) fn of(attempt: &Attempt, desk: &CheckIn, shared: &Shared) -> Words {
    let local = |at: Timestamp| moment(at, shared.now, &shared.locale);
    let is_undo = attempt.is_undo();
    let (mark, verdict, detail) = match &attempt.status {
        _ if attempt.is_fresh() && is_undo => (Mark::Busy, "UNDOING", String::new()),
        Status::Withdrawing => (Mark::Busy, "UNDOING", String::new()),
        Status::Unsaved { why } => (
            Mark::Bad,
            "NOT SAVED",
            format!("only in memory, keep the app open: {}", clean(why)),
        ),
        _ if attempt.is_fresh() && attempt.leaves() => (Mark::Busy, "LETTING OUT", String::new()),
        _ if attempt.is_fresh() => (Mark::Busy, "CHECKING IN", String::new()),
        Status::Saving | Status::Waiting | Status::Delivering { .. } if is_undo => (
            Mark::Waiting,
            "UNDO WAITS",
            "saved here; delivered once the host answers".to_owned(),
        ),
        _ if attempt.is_pending() && attempt.listed.is_some() => {
            let key = shared.settings.keymap.key("guest.attention");
            let detail = format!("{} · {key} decides", attempt.why);
            (Mark::Warn, "THE SAME PERSON?", detail)
        }
        Status::Saving | Status::Waiting | Status::Delivering { .. } if attempt.is_of_unknown() => {
            let saved = "saved here; the host is asked once it answers";
            let offer = desk.offer(shared);
            let parts = [attempt.why.as_str(), &offer, saved];
            let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
            let detail = parts.join(" · ");
            match desk.knows_all() {
                true => (Mark::Bad, "UNKNOWN TICKET", detail),
                false => (Mark::Warn, "NOT ASKED", detail),
            }
        }
        Status::Saving | Status::Waiting | Status::Delivering { .. }
            if attempt.turns_away()
                && let Some(verdict) = attempt.entrance.verdict =>
        {
            let (words, why) = desk.rule(verdict, shared);
            (
                Mark::Bad,
                words,
                format!("{why}; saved here{}", desk.may_admit(shared)),
            )
        }
        Status::Saving | Status::Waiting | Status::Delivering { .. }
            if (attempt.wish == Action::CheckIn || attempt.entrance.verdict.is_some())
                && let Some(at) = desk.came_before(attempt, shared) =>
        {
            let detail = format!(
                "since {} at {}",
                local(at),
                desk.desk_of(attempt.guest, at, shared)
            );
            (Mark::Again, "ALREADY CHECKED IN", detail)
        }
        Status::Saving | Status::Waiting | Status::Delivering { .. } => (
            Mark::Waiting,
            "WAITING",
            format!(
                "{} at {}; saved here, {} once the host answers",
                if attempt.leaves() { "left" } else { "came" },
                local(attempt.at),
                match attempt.is_added() {
                    true => "added",
                    false => "delivered",
                }
            ),
        ),
        Status::In { .. } if attempt.is_reversal() => {
            (Mark::Good, "UNDONE", "is inside, as before".to_owned())
        }
        Status::Out { .. } if attempt.is_reversal() => {
            (Mark::Good, "UNDONE", "is outside, as before".to_owned())
        }
        Status::In {
            at,
            was_before: false,
        } => {
            let key = shared.settings.keymap.key("guest.undo");
            let undo = match (attempt.is_undoable() && !key.is_empty(), attempt.is_added()) {
                (true, true) => format!(" · a new guest · {key} undoes it"),
                (true, false) => format!(" · {key} undoes it"),
                (false, _) => String::new(),
            };
            let at = clock_seconds(*at, &shared.locale);
            (Mark::Good, "CHECKED IN", format!("at {at}{undo}"))
        }
        Status::Out { at } => {
            let key = shared.settings.keymap.key("guest.undo");
            let is_once = shared
                .place(desk.event)
                .is_some_and(|known| known.place.once);
            let again = if is_once { "" } else { " · may come in again" };
            let at = clock_seconds(*at, &shared.locale);
            (
                Mark::Good,
                "OUT",
                format!("at {at}{again} · {key} undoes it"),
            )
        }
        Status::In {
            at,
            was_before: true,
        } => {
            let place = desk.desk_of(attempt.guest, *at, shared);
            let detail = format!("since {} at {place}", local(*at));
            (Mark::Again, "ALREADY CHECKED IN", detail)
        }
        Status::Refused { .. }
            if attempt.turns_away()
                && let Some(verdict) = attempt.entrance.verdict =>
        {
            let (words, why) = desk.rule(verdict, shared);
            (Mark::Bad, words, format!("{why}{}", desk.may_admit(shared)))
        }
        Status::Refused { why } => {
            let verdict = match matches!(attempt.subject, Subject::Scanned) {
                true => "UNKNOWN TICKET",
                false => "NOT CHECKED IN",
            };
            (Mark::Bad, verdict, clean(why).into_owned())
        }
        Status::Undone
            if attempt.is_added()
                && is_undo
                && attempt.guest.is_some_and(|id| desk.roll.get(id).is_some()) =>
        {
            (
                Mark::Good,
                "UNDONE",
                format!("stays on the list as “{ADDED_BY_MISTAKE}”"),
            )
        }
        Status::Undone if attempt.is_added() => (Mark::Good, "UNDONE", "was not added".to_owned()),
        Status::Undone if matches!(attempt.wish, Action::Enter | Action::Leave) => {
            (Mark::Good, "UNDONE", "nothing was recorded".to_owned())
        }
        Status::Undone => (Mark::Good, "UNDONE", "is not checked in".to_owned()),
    };
    let guest = attempt.guest.and_then(|id| desk.roll.get(id));
    let note = match guest.and_then(|guest| alert(&guest.tags)) {
        Some(Alert::Note(note) | Alert::Blocked(note)) if !is_undo => Some(note),
        _ => None,
    };
    let host = guest.and_then(|guest| desk.roll.get(guest_of(&guest.tags)?));
    let host = host.map(|host| format!("guest of {}", host.name));
    let is_noted = note.is_some() && !matches!(mark, Mark::Bad | Mark::Again | Mark::Busy);
    let has_note = note.is_some();
    let about = note.into_iter().chain(host);
    let about = about.map(|text| clean(&text).into_owned());
    let details: Vec<String> = about
        .chain([detail])
        .filter(|text| !text.is_empty())
        .collect();
    Words {
        mark: if is_noted { Mark::Warn } else { mark },
        verdict,
        who: attempt.label(),
        apart: None,
        has_note,
        detail: details.join(" · "),
    }
}
