//! Meetings: their template and time, and merging two of them.

use jiff::Timestamp;

use super::plan::{Action, Plan};
use super::{ADMINS, STAFF};
use crate::id::MeetingId;
use crate::record::{One, record};
use crate::tool::tool;
use crate::value::{Change, Flag, Line, Name, Text, TimeOfDay};
use crate::wire::Wire;
use crate::words::words;

words! {
    /// The template for a meeting's notes.
    Template {
        Default = "default",
        WeeklyLeaders = "weekly_leaders",
    }
}

record! {
    /// A single meeting, or a series: the parent of its occurrences.
    Meeting = "meeting", "meetings" (name: title) {
        id: MeetingId,
        title: String,
        /// Null means default.
        template: Option<Template>,
        /// Whether it is a series.
        is_recurring: bool,
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
        /// When it takes place; for a series, the first time.
        meeting_date: Option<Timestamp>,
        /// When the record was created.
        created_at: Timestamp,
        /// Calendar id in the transcription service.
        transcriber_calendar_id: Option<String>,
        /// Transcript id in the transcription service.
        transcriber_transcript_id: Option<String>,
    }
    form Templated;
    /// Lists meetings, latest first: single ones and series.
    list ListMeetings = "list_meetings" on Work for STAFF {
        opt {
            is_recurring: Option<bool>,
            /// Inclusive.
            from: Option<Timestamp>,
            /// Exclusive.
            to: Option<Timestamp>,
            search: Option<Line>,
        }
    }
    /// Creates a single meeting. Fires a webhook.
    create CreateMeeting = "create_meeting" on Work for ADMINS {
        req {
            title: Name,
            meeting_date: Timestamp,
        }
        opt {
            template: Option<Template>,
            transcriber_calendar_id: Option<Name>,
        }
    }
    change UpdateMeeting;
    other ImportCalendar;
    other MergeMeetings;
    other SetMeetingRecurrenceTime;
    other SetMeetingTemplate;
}

/// A meeting with its template.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Templated {
    pub id: MeetingId,
    pub title: String,
    /// Its current template.
    pub template: Template,
}

/// The result of a merge, or its preview.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Merge {
    /// True if this was a dry run: nothing was written.
    pub dry_run: bool,
    /// The meeting that is kept, as it is after the merge.
    pub canonical: Meeting,
    /// The meeting that is merged into it, as it was before the merge.
    pub skeleton: Meeting,
    /// Whether the skeleton was removed. A conflict keeps it.
    pub skeleton_removed: bool,
    /// The action on the skeleton's own transcript, if it has one: `reparent` or `conflict`.
    pub transcript: Option<Action>,
    /// The template that the canonical meeting took over from the skeleton.
    pub template_taken: Option<Template>,
    /// Child records that moved from the skeleton to the canonical meeting.
    pub children: Children,
    /// What happens to the occurrences of both, by date.
    #[wire(flatten)]
    pub plan: Plan,
}

/// Number of child records of meetings and occurrences, by kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Wire)]
#[wire(inline)]
pub struct Children {
    /// Participants.
    pub participants: u32,
    /// Participants of both meetings, who are kept once.
    pub participants_already_there: u32,
    /// Concepts.
    pub concepts: u32,
    /// Expertise.
    pub expertise: u32,
    /// Tools.
    pub tools: u32,
    /// Transcript segments.
    pub transcript_segments: u32,
    /// Underlines.
    pub underlines: u32,
}

tool! {
    /// Changes a single meeting, or the title of a series.
    UpdateMeeting = "update_meeting" on Work, UPDATE, for ADMINS => One<Meeting> {
        req {
            id: MeetingId,
        }
        opt {
            title: Change<Name>,
            meeting_date: Change<Timestamp>,
        }
    }
}

tool! {
    /// Merges the skeleton meeting into the canonical one and removes it. If both have a transcript
    /// for the same date, reports a conflict and keeps both transcripts and the skeleton.
    MergeMeetings = "merge_meetings" on Work, DELETE, for ADMINS => Merge {
        req {
            /// The meeting to keep.
            canonical_meeting_id: MeetingId,
            /// The meeting to merge into it.
            skeleton_meeting_id: MeetingId,
        }
        opt {
            /// Write nothing.
            dry_run: Flag<false>,
        }
    }
}

tool! {
    /// Sets the time of day of a series.
    SetMeetingRecurrenceTime = "set_meeting_recurrence_time" on Work, UPDATE, for ADMINS => One<Meeting> {
        req {
            /// The series.
            meeting_id: MeetingId,
            /// Start, in the organisation's time zone.
            recurrence_start_time: TimeOfDay,
            /// End. If earlier than the start, it is on the next day.
            recurrence_end_time: TimeOfDay,
        }
    }
}

tool! {
    /// Sets the template of a meeting.
    SetMeetingTemplate = "set_meeting_template" on Work, UPDATE, for ADMINS => One<Templated> {
        req {
            meeting_id: MeetingId,
            template: Template,
        }
    }
}

/// What came of the entries of a calendar.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct ImportedCalendar {
    /// True if this was a dry run: nothing was written.
    pub dry_run: bool,
    /// The new meetings and series.
    pub added: Vec<Meeting>,
    /// The days of the new series.
    pub series: Vec<ImportedSeries>,
    /// Number of entries that were imported before, by their UID. They stay as they are.
    pub known: u32,
    /// Entries that were not imported.
    pub skipped: Vec<SkippedEntry>,
}

/// A new series of a calendar.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(inline)]
pub struct ImportedSeries {
    pub title: String,
    pub recurrence_rule: String,
    /// The zone in which the rule is counted.
    pub recurrence_zone: String,
    /// Its time of day there, if it is not of whole days.
    pub local_start: Option<TimeOfDay>,
    /// Its first days and times in the organisation's zone.
    pub starts: Vec<String>,
}

/// A calendar entry that was not imported.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(inline)]
pub struct SkippedEntry {
    /// Its first line in the file.
    pub line: u32,
    pub title: String,
    pub reason: String,
}

tool! {
    /// Adds the meetings and series of a calendar file (iCalendar). Entries that were imported before stay as they are.
    /// Each new meeting fires a webhook.
    ImportCalendar = "import_calendar" on Work, CREATE, for ADMINS => ImportedCalendar {
        req {
            /// The text of the .ics file.
            calendar: Text<1, 1_000_000>,
        }
        opt {
            /// Write nothing.
            dry_run: Flag<false>,
        }
    }
}
