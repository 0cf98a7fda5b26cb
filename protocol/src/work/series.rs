//! Series of meetings: their list, and their removal.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::meeting::{Meeting, Template};
use super::occurrence::Occurrence;
use super::plan::Plan;
use super::{ADMINS, STAFF};
use crate::id::MeetingId;
use crate::record::{List, record};
use crate::tool::{tool, tools};
use crate::value::{Flag, Limit, Line, Offset, TimeOfDay, our_era};
use crate::words::words;

/// A series of meetings, with what its occurrences carry. Transcripts themselves are in no answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Series {
    /// Identifies the meeting that is the occurrences' parent.
    pub id: MeetingId,
    /// Title.
    pub title: String,
    /// Null is as good as default.
    pub template: Option<Template>,
    /// The transcriber's calendar entry.
    pub transcriber_calendar_id: Option<String>,
    /// When it took place first.
    pub meeting_date: Option<Timestamp>,
    /// When the row was made.
    pub created_at: Timestamp,
    /// Time of day, in the organisation's zone.
    pub recurrence_start_time: Option<TimeOfDay>,
    /// Time of day; before the start: on the next day.
    pub recurrence_end_time: Option<TimeOfDay>,
    /// In English, lower case: `monday`.
    pub recurrence_day_of_week: Option<String>,
    /// How many occurrences it has.
    pub occurrence_count: u32,
    /// How many of them have transcript text.
    pub occurrences_with_transcript: u32,
    /// How many of them have a transcript id.
    pub occurrences_with_transcript_id: u32,
    /// How many of them have transcript text and no transcript id: these are in the way of removal.
    pub occurrences_with_transcript_without_id: u32,
    /// The occurrences by date, where they were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub occurrences: Option<Vec<Occurrence>>,
}
record!(Series, "series", "series");

words! {
    /// What becomes of a series' occurrences when it is removed.
    #[derive(Default)]
    OccurrencePolicy {
        /// Those with transcript text or id become meetings of their own, empty ones go.
        #[default]
        PromoteRealDiscardEmpty = "promote_real_discard_empty",
        /// All become meetings of their own.
        PromoteAll = "promote_all",
        /// There must be none.
        RequireEmpty = "require_empty",
    }
}

impl crate::value::Omit for OccurrencePolicy {
    fn is_omitted(&self) -> bool {
        *self == OccurrencePolicy::default()
    }
}

/// What removing a series does, or did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SeriesRemoval {
    /// Whether this was only tried, and nothing was written.
    pub dry_run: bool,
    /// The series, as it was.
    pub meeting: Meeting,
    /// The policy that was asked for.
    pub occurrence_policy: OccurrencePolicy,
    /// What becomes of the occurrences, by date.
    #[serde(flatten)]
    pub plan: Plan,
}

tool! {
    /// Lists series of meetings, the oldest first, with what their occurrences carry.
    ListMeetingSeries = "list_meeting_series" on Work, READ, for STAFF => List<Series> {
        opt {
            /// Only series made after this time.
            #[serde(deserialize_with = "our_era")]
            created_after: Option<Timestamp>,
            /// Only series made before this time.
            #[serde(deserialize_with = "our_era")]
            created_before: Option<Timestamp>,
            /// Part of the title.
            title_contains: Option<Line>,
            /// Part of the calendar id.
            transcriber_calendar_id_contains: Option<Line>,
            /// List each occurrence, too.
            include_occurrences: Flag<false>,
            /// Most series to return.
            limit: Limit<100, 500>,
            /// Series to skip.
            offset: Offset,
        }
    }
}

tool! {
    /// Removes a series after its occurrences became meetings of their own, as the policy says. Each
    /// new meeting fires a webhook. Try it with dry_run first.
    RemoveMeetingSeries = "remove_meeting_series" on Work, DELETE, for ADMINS => SeriesRemoval {
        req {
            /// The series.
            series_meeting_id: MeetingId,
        }
        opt {
            /// What becomes of its occurrences.
            #[schemars(extend("default" = OccurrencePolicy::default()))]
            occurrence_policy: OccurrencePolicy,
            /// Also remove a meeting that does not recur.
            allow_non_recurring: Flag<false>,
            /// Say what would happen, and write nothing.
            dry_run: Flag<false>,
        }
    }
}

tools![ListMeetingSeries, RemoveMeetingSeries];
