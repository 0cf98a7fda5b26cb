//! Series of meetings: their list, and their removal.

use jiff::Timestamp;

use super::meeting::{Meeting, Template};
use super::occurrence::Occurrence;
use super::plan::Plan;
use super::{ADMINS, STAFF};
use crate::id::MeetingId;
use crate::record::{List, record};
use crate::tool::tool;
use crate::value::{Flag, Limit, Line, Offset, TimeOfDay};
use crate::wire::Wire;
use crate::words::words;

record! {
    /// A series of meetings with counts of its occurrences. Transcript texts are never returned.
    Series = "series", "series" (name: title, state: template) {
        id: MeetingId,
        title: String,
        /// Null means default.
        template: Option<Template>,
        /// Calendar id in the transcription service.
        transcriber_calendar_id: Option<String>,
        /// When it first took place.
        meeting_date: Option<Timestamp>,
        /// When the record was created.
        created_at: Timestamp,
        /// Time of day, in `time_zone`.
        recurrence_start_time: Option<TimeOfDay>,
        /// Time of day. If earlier than the start, it is on the next day.
        recurrence_end_time: Option<TimeOfDay>,
        /// English, lower case: `monday`.
        recurrence_day_of_week: Option<String>,
        time_zone: String,
        /// Number of occurrences.
        occurrence_count: u32,
        /// Number of occurrences with a transcript text.
        occurrences_with_transcript: u32,
        /// Number of occurrences with a transcript id.
        occurrences_with_transcript_id: u32,
        /// Number of occurrences with a transcript text but no transcript id: these block removal.
        occurrences_with_transcript_without_id: u32,
        /// The occurrences by date, if requested.
        #[wire(optional)]
        occurrences: Option<Vec<Occurrence>>,
    }
    list ListMeetingSeries;
    delete RemoveMeetingSeries(series_meeting_id);
}

words! {
    /// What happens to the occurrences of a series that is removed.
    #[derive(Default)]
    OccurrencePolicy {
        /// Those with a transcript text or id become standalone meetings, empty ones are deleted.
        #[default]
        PromoteRealDiscardEmpty = "promote_real_discard_empty",
        /// All become standalone meetings.
        PromoteAll = "promote_all",
        /// The series must have no occurrences.
        RequireEmpty = "require_empty",
    }
}

/// The result of removing a series, or its preview.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct SeriesRemoval {
    /// True if this was a dry run: nothing was written.
    pub dry_run: bool,
    /// The series before its removal.
    pub meeting: Meeting,
    /// The requested policy.
    pub occurrence_policy: OccurrencePolicy,
    /// What happens to the occurrences, by date.
    #[wire(flatten)]
    pub plan: Plan,
}

tool! {
    /// Lists series of meetings, oldest first, with counts of their occurrences.
    ListMeetingSeries = "list_meeting_series" on Work, READ, for STAFF => List<Series> {
        opt {
            created_after: Option<Timestamp>,
            created_before: Option<Timestamp>,
            title_contains: Option<Line>,
            transcriber_calendar_id_contains: Option<Line>,
            include_occurrences: Flag<false>,
            limit: Limit<100, 500>,
            offset: Offset,
        }
    }
}

tool! {
    /// Removes a series. The policy decides which of its occurrences become standalone meetings. Each
    /// new meeting fires a webhook. Use dry_run first.
    RemoveMeetingSeries = "remove_meeting_series" on Work, DELETE, for ADMINS => SeriesRemoval {
        req {
            /// The series.
            series_meeting_id: MeetingId,
        }
        opt {
            /// What happens to its occurrences.
            occurrence_policy: OccurrencePolicy = default,
            /// Allow removing a meeting that does not recur.
            allow_non_recurring: Flag<false>,
            /// Write nothing.
            dry_run: Flag<false>,
        }
    }
}
