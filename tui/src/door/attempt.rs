//! One check-in, from the press of a key to the host's word.

use frontdesk_client::{Action, Entry};
use frontdesk_protocol::id::{EventId, GuestId};
use jiff::Timestamp;

use super::Arrival;
use crate::app::effect::RequestId;
use crate::app::journal::Happening;
use crate::ui::text::clean;

/// How a check-in stands, or the undoing of one.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Stage {
    /// Sent; the host has not answered yet.
    Sending,
    /// The host could not take it; it is being written to disk.
    Saving,
    /// On disk, to be delivered.
    Waiting,
    /// The disk would not take it: it is only in memory, still to be delivered.
    Unsaved { why: String },
    /// Being delivered from the journal; `was_saved` says whether it is on disk.
    Delivering { was_saved: bool },
    /// Being struck out of the journal.
    Withdrawing,
    /// The guest is in, as of `at`. With `was_before`, another desk was earlier.
    In { at: Timestamp, was_before: bool },
    /// The host will not have it.
    Refused { why: String },
    /// Undone.
    Undone,
}

/// One check-in.
#[derive(Debug, Clone)]
pub(crate) struct Attempt {
    /// Identifies it, and orders it among the others.
    pub(crate) id: RequestId,
    pub(crate) event: EventId,
    pub(crate) guest: GuestId,
    pub(crate) name: String,
    /// When it happened at this desk.
    pub(crate) at: Timestamp,
    pub(crate) stage: Stage,
    /// What the stages work towards: to have the guest in, or out again.
    pub(crate) wish: Action,
    /// It was undone before the host had answered.
    pub(super) is_unwanted: bool,
    /// The host may have taken it although it did not say so.
    pub(super) may_be_done: bool,
    /// The call of the host that is under way.
    pub(super) call: Option<RequestId>,
    /// The timer after which it is written to disk although the call is under way.
    pub(super) patience: Option<RequestId>,
    /// What is under way with the journal.
    pub(super) request: Option<RequestId>,
    /// As it stands in the journal.
    pub(super) entry: Option<Entry>,
}

impl Attempt {
    /// A check-in that is being sent.
    pub(super) fn new(id: RequestId, arrival: Arrival, at: Timestamp) -> Self {
        Attempt {
            id,
            event: arrival.event,
            guest: arrival.guest,
            name: arrival.name,
            at,
            stage: Stage::Sending,
            wish: Action::CheckIn,
            is_unwanted: false,
            may_be_done: false,
            call: None,
            patience: None,
            request: None,
            entry: None,
        }
    }

    /// One that was found in the journal.
    pub(super) fn found(id: RequestId, entry: Entry) -> Self {
        let arrival = Arrival {
            event: entry.event_id,
            guest: entry.guest_id,
            name: entry.guest_name.clone(),
        };
        Attempt {
            stage: Stage::Waiting,
            wish: entry.action,
            // Nobody knows why it had to wait.
            may_be_done: true,
            entry: Some(entry),
            ..Attempt::new(id, arrival, Timestamp::UNIX_EPOCH)
        }
        .at_its_time()
    }

    fn at_its_time(mut self) -> Self {
        if let Some(entry) = &self.entry {
            self.at = entry.at;
        }
        self
    }

    /// The guest's name, safe to draw.
    pub(crate) fn label(&self) -> String {
        clean(&self.name).into_owned()
    }

    /// What the journal is to hold of it.
    pub(super) fn happening(&self) -> Happening {
        Happening {
            action: self.wish,
            event: self.event,
            guest: self.guest,
            name: self.name.clone(),
            at: self.at,
        }
    }

    /// Whether it is still to reach the host.
    pub(crate) fn is_pending(&self) -> bool {
        self.stage == Stage::Sending || self.is_queued()
    }

    /// Whether it waits for its delivery, or is being delivered.
    pub(crate) fn is_queued(&self) -> bool {
        matches!(
            self.stage,
            Stage::Saving
                | Stage::Waiting
                | Stage::Unsaved { .. }
                | Stage::Delivering { .. }
                | Stage::Withdrawing
        )
    }

    /// Whether it was undone before the host had answered.
    pub(crate) fn is_unwanted(&self) -> bool {
        self.is_unwanted
    }

    /// Whether it is neither at the host nor on disk.
    pub(super) fn is_unsaved(&self) -> bool {
        match self.stage {
            Stage::Sending => !self.is_unwanted,
            Stage::Saving | Stage::Unsaved { .. } => true,
            Stage::Delivering { was_saved } => !was_saved,
            _ => false,
        }
    }

    /// Whether the host is being asked right now.
    pub(super) fn is_on_its_way(&self) -> bool {
        matches!(self.stage, Stage::Sending | Stage::Delivering { .. })
    }

    /// Whether there is something to undo.
    pub(crate) fn is_undoable(&self) -> bool {
        self.wish == Action::CheckIn
            && !self.is_unwanted
            && match self.stage {
                Stage::Sending => true,
                Stage::In { was_before, .. } => !was_before,
                Stage::Waiting | Stage::Unsaved { .. } => true,
                _ => false,
            }
    }
}
