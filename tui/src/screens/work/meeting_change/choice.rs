//! The subject and choices of a plan.

use frontdesk_protocol::id::{MeetingId, OccurrenceId};
use frontdesk_protocol::value::{Flag, Name};
use frontdesk_protocol::work::meeting::MergeMeetings;
use frontdesk_protocol::work::occurrence::PromoteOccurrenceToStandalone;
use frontdesk_protocol::work::series::{OccurrencePolicy, RemoveMeetingSeries};

use crate::app::effects::call::ToolCall;

/// A change of meetings. Equal choices lead to the same call.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Choice {
    /// Removes a series; the policy decides which occurrences become meetings.
    Removal {
        series: MeetingId,
        policy: OccurrencePolicy,
        allow_non_recurring: bool,
    },
    /// Promotes an occurrence to a meeting.
    Promotion {
        occurrence: OccurrenceId,
        title: Option<Name>,
        keep: bool,
    },
    /// Merges the source into the kept meeting.
    Merge {
        canonical: MeetingId,
        skeleton: MeetingId,
    },
}

impl Choice {
    /// The dry run.
    pub(super) fn dry_run(&self) -> ToolCall {
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

    /// The verb: `Remove`.
    pub(super) fn verb(&self) -> &'static str {
        match self {
            Choice::Removal { .. } => "Remove",
            Choice::Promotion { .. } => "Promote",
            Choice::Merge { .. } => "Merge",
        }
    }
}
