//! One check-in, from the key press to the host's answer.

use frontdesk_client::{Account, Action, CallError, Entrance, Entry, WalkIn};
use frontdesk_protocol::events::guest::Guest;
use frontdesk_protocol::id::{EventId, GuestId};
use frontdesk_protocol::value::Line;
use jiff::Timestamp;

use super::Arrival;
use super::journal::Append;
use crate::app::owner::RequestId;
use crate::look::text::clean;

/// The state of a check-in or its undo.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Status {
    /// Being written to disk.
    Saving,
    /// On disk, not delivered.
    Waiting,
    /// Not on disk because of this error: only in memory, not delivered.
    Unsaved { why: String },
    /// Being delivered; `was_saved` tells whether it is on disk.
    Delivering { was_saved: bool },
    /// Being removed from the journal.
    Withdrawing,
    /// The guest is in since `at`. With `was_before`, another desk was earlier.
    In { at: Timestamp, was_before: bool },
    /// The host refused it.
    Refused { why: String },
    /// The guest has left since this time.
    Out { at: Timestamp },
    /// Undone.
    Undone,
}

/// Who arrives.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Subject {
    /// A guest of the list.
    Listed,
    /// A guest whose id was scanned, and whom this desk does not know.
    Scanned,
    /// A code that no known guest has.
    Code {
        text: String,
        /// The desk asks the host about it before it decides: until then it is only kept.
        is_asked: bool,
    },
    /// A guest without an entry in the list.
    WalkIn {
        data: Box<WalkIn>,
        /// Whether it may be a listed guest, so that the host is asked first.
        asks: bool,
    },
}

impl Subject {
    /// A person has decided whether a walk-in is listed: the host is not asked.
    pub(super) fn decide(&mut self) {
        if let Subject::WalkIn { asks, .. } = self {
            *asks = false;
        }
    }

    fn of(entry: &Entry) -> Self {
        match (&entry.walk_in, &entry.code) {
            (Some(data), _) => Subject::WalkIn {
                data: Box::new(data.clone()),
                asks: entry.asks,
            },
            (None, Some(code)) => Subject::Code {
                text: code.clone(),
                is_asked: false,
            },
            (None, None) if entry.scanned => Subject::Scanned,
            (None, None) => Subject::Listed,
        }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Attempt {
    /// Identifies the check-in; later ones have higher ids.
    pub(crate) id: RequestId,
    pub(crate) event: EventId,
    /// The guest; `None` for a code or a walk-in until it is on disk.
    pub(crate) guest: Option<GuestId>,
    pub(crate) subject: Subject,
    pub(crate) name: String,
    /// The time at this desk.
    pub(crate) at: Timestamp,
    pub(crate) status: Status,
    /// The goal: the guest in, or out again.
    pub(crate) wish: Action,
    /// Where it happens, with the verdict of this desk, then of the host.
    pub(crate) entrance: Entrance,
    /// Why nobody is known by the code, or why the walk-in may be listed.
    pub(crate) why: String,
    /// The listed guest who may be the walk-in: a person decides.
    pub(crate) listed: Option<GuestId>,
    /// Why a guest was admitted who is blocked, or whom the place's rules keep out.
    pub(super) reason: Option<String>,
    /// The recorded time of the check-in that is undone; `None` if any is.
    pub(super) undoes: Option<Timestamp>,
    /// Undone while being written or delivered.
    pub(super) is_unwanted: bool,
    /// The host may have executed it although its answer was lost.
    pub(super) may_be_done: bool,
    /// The timer after which the banner reports the wait.
    pub(super) patience: Option<RequestId>,
    /// The work in progress: writing, removing or delivering.
    pub(super) request: Option<RequestId>,
    /// Its journal entry.
    pub(super) entry: Option<Entry>,
    /// The host's refusal.
    pub(super) refusal: Option<CallError>,
    /// It could not be delivered at once.
    pub(super) has_waited: bool,
    /// Its delivery asks the host for the verdict.
    pub(super) asks_host: bool,
}

impl Attempt {
    pub(super) fn new(id: RequestId, arrival: Arrival, at: Timestamp) -> Self {
        Attempt {
            id,
            event: arrival.event,
            guest: arrival.guest,
            subject: arrival.subject,
            name: arrival.name,
            at,
            status: Status::Saving,
            wish: Action::CheckIn,
            entrance: Entrance::default(),
            why: String::new(),
            listed: None,
            reason: None,
            undoes: None,
            is_unwanted: false,
            may_be_done: false,
            patience: None,
            request: None,
            entry: None,
            refusal: None,
            has_waited: false,
            asks_host: false,
        }
    }

    /// A check-in found in the journal.
    pub(super) fn found(id: RequestId, entry: Entry) -> Self {
        let (guest, subject) = (Some(entry.guest_id), Subject::of(&entry));
        let arrival = Arrival::of(entry.event_id, guest, &entry.guest_name, subject);
        let at = entry.at;
        Attempt {
            status: Status::Waiting,
            wish: entry.action,
            undoes: entry.undoes,
            // The app may have ended during the host's answer.
            may_be_done: true,
            has_waited: true,
            reason: entry.reason.clone(),
            entrance: entry.entrance.clone(),
            entry: Some(entry),
            ..Attempt::new(id, arrival, at)
        }
    }

    /// The guest's name, safe to draw.
    pub(crate) fn label(&self) -> String {
        clean(&self.name).into_owned()
    }

    /// Its data for the journal.
    pub(super) fn append(&self, account: Option<Account>) -> Append {
        Append {
            account,
            entry: self.entry.as_ref().map(|entry| entry.id),
            action: self.wish,
            event: self.event,
            guest: self.guest,
            name: self.name.clone(),
            at: self.at,
            walk_in: match &self.subject {
                Subject::WalkIn { data, .. } => Some(WalkIn::clone(data)),
                _ => None,
            },
            scanned: matches!(self.subject, Subject::Scanned),
            code: self.code().map(str::to_owned),
            asks: matches!(self.subject, Subject::WalkIn { asks: true, .. })
                && self.wish == Action::Add,
            reason: self.reason.clone(),
            entrance: self.entrance.clone(),
            undoes: self.undoes,
        }
    }

    /// The action that undoes the goal.
    pub(super) fn opposite(&self) -> Action {
        match self.wish {
            Action::CheckIn => Action::Undo,
            Action::Undo => Action::CheckIn,
            Action::Add => Action::TakeBack,
            Action::TakeBack => Action::Add,
            Action::Enter => Action::Leave,
            Action::Leave => Action::Enter,
        }
    }

    /// Whether a guest was admitted for a reason.
    pub(crate) fn is_admitted(&self) -> bool {
        self.reason.is_some()
    }

    /// The code, if no known guest has it.
    pub(super) fn code(&self) -> Option<&str> {
        match &self.subject {
            Subject::Code { text, .. } => Some(text),
            _ => None,
        }
    }

    /// Whether the desk asks the host about the code before it decides.
    pub(super) fn is_asked(&self) -> bool {
        matches!(self.subject, Subject::Code { is_asked: true, .. })
    }

    /// Whether no known guest has the code.
    pub(crate) fn is_of_unknown(&self) -> bool {
        matches!(self.subject, Subject::Scanned | Subject::Code { .. })
    }

    /// Whether the goal is the guest out.
    pub(crate) fn is_undo(&self) -> bool {
        self.is_unwanted || self.wish_is_out()
    }

    /// Whether its journal entry has the guest out.
    pub(super) fn wish_is_out(&self) -> bool {
        matches!(self.wish, Action::Undo | Action::TakeBack)
    }

    /// Whether the guest leaves, and may come in again.
    pub(crate) fn leaves(&self) -> bool {
        self.wish == Action::Leave
    }

    /// Whether it takes back an exit or a re-entry.
    pub(crate) fn is_reversal(&self) -> bool {
        matches!(self.wish, Action::Enter | Action::Leave) && self.undoes.is_some()
    }

    /// Whether the guest is a walk-in.
    pub(crate) fn is_added(&self) -> bool {
        matches!(self.wish, Action::Add | Action::TakeBack)
    }

    /// A guest that may not be at the host yet, for the list.
    pub(crate) fn walk_in(&self) -> Option<Guest> {
        let Subject::WalkIn { data: walk_in, .. } = &self.subject else {
            return None;
        };
        let id = self.guest.filter(|_| self.is_pending())?;
        let text = |line: &Option<Line>| line.as_ref().map(|line| line.as_str().to_owned());
        Some(Guest {
            email: text(&walk_in.email),
            phone_number: text(&walk_in.phone_number),
            role: text(&walk_in.role),
            tags: walk_in.tags(),
            ..Guest::new(id, self.event, &self.name)
        })
    }

    /// Whether the host may answer in a moment.
    pub(crate) fn is_fresh(&self) -> bool {
        self.is_pending() && !self.has_waited
    }

    pub(crate) fn refusal(&self) -> Option<&CallError> {
        self.refusal.as_ref()
    }

    /// Whether it is listed among the arrivals: in progress, or refused without anybody looking.
    pub(crate) fn is_listed(&self) -> bool {
        let is_refused = matches!(self.status, Status::Refused { .. }) && self.has_waited;
        !self.is_asked()
            && !matches!(self.wish, Action::Undo | Action::TakeBack)
            && (self.is_pending() || is_refused && self.is_added())
    }

    /// Whether it is not delivered yet.
    pub(crate) fn is_pending(&self) -> bool {
        matches!(
            self.status,
            Status::Saving
                | Status::Waiting
                | Status::Unsaved { .. }
                | Status::Delivering { .. }
                | Status::Withdrawing
        )
    }

    /// Whether the rules of the place keep the guest out, as far as the desk knows.
    pub(crate) fn turns_away(&self) -> bool {
        self.entrance.turns_away() && !self.is_admitted()
    }

    /// Whether the guest is in, but for the host's answer.
    pub(crate) fn is_expected(&self) -> bool {
        self.is_pending() && !self.is_undo() && !self.leaves() && !self.turns_away()
    }

    /// Whether it has been pending for so long that the desk counts it as waiting.
    pub(crate) fn is_waiting(&self) -> bool {
        self.is_pending() && self.has_waited
    }

    /// Whether it is neither at the host nor on disk.
    pub(super) fn is_unsaved(&self) -> bool {
        matches!(
            self.status,
            Status::Saving | Status::Unsaved { .. } | Status::Delivering { was_saved: false }
        )
    }

    /// Whether its delivery is in progress.
    pub(super) fn is_on_its_way(&self) -> bool {
        matches!(self.status, Status::Delivering { .. })
    }

    /// Whether it can be undone.
    pub(crate) fn is_undoable(&self) -> bool {
        !self.is_undo()
            && !self.turns_away()
            && !self.is_reversal()
            && !self.is_asked()
            && match self.status {
                Status::In { was_before, .. } => !was_before,
                Status::Out { .. }
                | Status::Saving
                | Status::Waiting
                | Status::Unsaved { .. }
                | Status::Delivering { .. } => true,
                Status::Withdrawing | Status::Refused { .. } | Status::Undone => false,
            }
    }
}

#[cfg(test)]
mod tests;
