//! One check-in, from the press of a key to the host's word.

use frontdesk_client::{Action, CallError, Entry, WalkIn};
use frontdesk_protocol::events::guest::Guest;
use frontdesk_protocol::id::{EventId, GuestId};
use frontdesk_protocol::value::Line;
use jiff::Timestamp;
use serde_json::Map;

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
    /// The guest, as long as the host may not know them.
    pub(super) walk_in: Option<WalkIn>,
    /// Why the host will not have it.
    pub(super) refusal: Option<CallError>,
    /// It could not be delivered at once.
    pub(super) has_waited: bool,
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
            walk_in: None,
            refusal: None,
            has_waited: false,
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
            has_waited: true,
            walk_in: entry.walk_in.clone(),
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
            // The journal gives an id to who is added.
            guest: (self.wish != Action::Add || self.entry.is_some()).then_some(self.guest),
            name: self.name.clone(),
            at: self.at,
            walk_in: self.walk_in.clone(),
        }
    }

    /// What undoes the wish.
    pub(super) fn opposite(&self) -> Action {
        match self.wish {
            Action::CheckIn => Action::Undo,
            Action::Undo => Action::CheckIn,
            Action::Add => Action::TakeBack,
            Action::TakeBack => Action::Add,
        }
    }

    /// Whether the guest is to be out again.
    pub(crate) fn is_undo(&self) -> bool {
        self.is_unwanted || matches!(self.wish, Action::Undo | Action::TakeBack)
    }

    /// Whether the guest is one who was on no list.
    pub(crate) fn is_added(&self) -> bool {
        matches!(self.wish, Action::Add | Action::TakeBack)
    }

    /// A guest whom the host does not know yet, as the desk lists them.
    pub(crate) fn walk_in(&self) -> Option<Guest> {
        let walk_in = self.walk_in.as_ref().filter(|_| self.is_pending())?;
        let text = |line: &Option<Line>| line.as_ref().map(|line| line.as_str().to_owned());
        Some(Guest {
            id: self.guest,
            event_id: self.event,
            name: self.name.clone(),
            email: text(&walk_in.email),
            phone_number: text(&walk_in.phone_number),
            role: text(&walk_in.role),
            member_id: None,
            chat_id: None,
            check_in_at: None,
            tags: Map::new(),
            similar: None,
        })
    }

    /// Whether the host may say in a moment what it makes of it.
    pub(crate) fn is_fresh(&self) -> bool {
        self.patience.is_some() && matches!(self.stage, Stage::Saving | Stage::Delivering { .. })
    }

    /// Why the host will not have it.
    pub(crate) fn refusal(&self) -> Option<&CallError> {
        self.refusal.as_ref()
    }

    /// Whether it stands among the arrivals: under way, or refused when nobody was looking.
    pub(crate) fn is_listed(&self) -> bool {
        let is_refused = matches!(self.stage, Stage::Refused { .. }) && self.has_waited;
        !matches!(self.wish, Action::Undo | Action::TakeBack)
            && (self.is_pending() || is_refused && self.is_added())
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
        !self.is_undo()
            && match self.stage {
                Stage::Sending => true,
                Stage::In { was_before, .. } => !was_before,
                Stage::Waiting | Stage::Unsaved { .. } => true,
                _ => false,
            }
    }
}
