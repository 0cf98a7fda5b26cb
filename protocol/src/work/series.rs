//! Series of meetings: their list, and their removal.

use jiff::Timestamp;
use jiff::civil::Date;

use super::meeting::{Meeting, Template};
use super::occurrence::Occurrence;
use super::plan::Plan;
use super::{ADMINS, STAFF};
use crate::id::MeetingId;
use crate::record::{List, record};
use crate::tool::tool;
use crate::value::{Day, Flag, Limit, Line, Name, Offset, TimeOfDay, Whole};
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
        /// The rule of its occurrences (RFC 5545): `FREQ=WEEKLY;BYDAY=MO`.
        recurrence_rule: Option<String>,
        /// The zone of the rule, whose clock its times keep to; null: `time_zone`.
        recurrence_zone: Option<String>,
        /// The organisation's.
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
    create CreateMeetingSeries;
    other AddMeetingOccurrences(series_meeting_id);
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

/// A new series, or new occurrences of one; or their preview.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Scheduled {
    /// True if this was a dry run: nothing was written.
    pub dry_run: bool,
    pub meeting: Meeting,
    /// The days of the new occurrences.
    pub dates: Vec<Date>,
    /// Whether the rule has later days.
    pub has_later: bool,
}

tool! {
    /// Creates a series of meetings with its first occurrences. Fires a webhook.
    CreateMeetingSeries = "create_meeting_series" on Work, CREATE, for ADMINS => Scheduled {
        req {
            title: Name,
            /// The day of the first occurrence.
            first_on: Day,
            /// Start, in the organisation's time zone.
            recurrence_start_time: TimeOfDay,
            /// End. If earlier than the start, it is on the next day.
            recurrence_end_time: TimeOfDay,
        }
        opt {
            /// RFC 5545 RRULE by days: `FREQ=MONTHLY;BYDAY=1MO`. Default: each week.
            recurrence_rule: Option<Line>,
            /// Number of occurrences. Default: 12.
            occurrences: Option<Whole<1, 366>>,
            template: Option<Template>,
            transcriber_calendar_id: Option<Name>,
            /// Write nothing.
            dry_run: Flag<false>,
        }
    }
}

tool! {
    /// Adds the next occurrences of a series by its rule.
    AddMeetingOccurrences = "add_meeting_occurrences" on Work, CREATE, for ADMINS => Scheduled {
        req {
            /// The series.
            series_meeting_id: MeetingId,
        }
        opt {
            /// Number of occurrences. Default: 12.
            occurrences: Option<Whole<1, 366>>,
            /// Write nothing.
            dry_run: Flag<false>,
        }
    }
}
