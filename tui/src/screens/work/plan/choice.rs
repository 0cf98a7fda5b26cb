//! What is to be done to meetings, with the choices that the person has made.

use frontdesk_protocol::id::{MeetingId, OccurrenceId};
use frontdesk_protocol::value::{Flag, Name};
use frontdesk_protocol::work::meeting::MergeMeetings;
use frontdesk_protocol::work::occurrence::PromoteOccurrenceToStandalone;
use frontdesk_protocol::work::series::{OccurrencePolicy, RemoveMeetingSeries};

use crate::app::effects::effect::ToolCall;

/// What is to be done. Two that are equal ask a host for the same.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Choice {
    /// A series goes; its occurrences become meetings as the policy says.
    Removal {
        series: MeetingId,
        policy: OccurrencePolicy,
        allow_non_recurring: bool,
    },
    /// An occurrence becomes a meeting of its own.
    Promotion {
        occurrence: OccurrenceId,
        title: Option<Name>,
        keep: bool,
    },
    /// The skeleton is merged into the canonical meeting.
    Merge {
        canonical: MeetingId,
        skeleton: MeetingId,
    },
}

impl Choice {
    /// The call that tries it, and writes nothing.
    pub(super) fn trial(&self) -> ToolCall {
        let dry_run = Flag(true);
        match self.clone() {
            Choice::Removal {
                series,
                policy,
                allow_non_recurring,
            } => ToolCall::of(&RemoveMeetingSeries {
                series_meeting_id: series,
                occurrence_policy: policy,
                allow_non_recurring: Flag(allow_non_recurring),
                dry_run,
            }),
            Choice::Promotion {
                occurrence,
                title,
                keep,
            } => ToolCall::of(&PromoteOccurrenceToStandalone {
                occurrence_id: occurrence,
                title_override: title,
                keep_occurrence: Flag(keep),
                dry_run,
            }),
            Choice::Merge {
                canonical,
                skeleton,
            } => ToolCall::of(&MergeMeetings {
                canonical_meeting_id: canonical,
                skeleton_meeting_id: skeleton,
                dry_run,
            }),
        }
    }

    /// One word for it: `Remove`.
    pub(super) fn verb(&self) -> &'static str {
        match self {
            Choice::Removal { .. } => "Remove",
            Choice::Promotion { .. } => "Promote",
            Choice::Merge { .. } => "Merge",
        }
    }
}
