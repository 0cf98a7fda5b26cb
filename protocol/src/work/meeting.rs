//! Meetings: the record, their template and time, and merging two of them.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ADMINS;
use super::plan::{Action, Plan};
use crate::id::MeetingId;
use crate::record::{One, record};
use crate::tool::{tool, tools};
use crate::value::{Flag, TimeOfDay};
use crate::words::words;

words! {
    /// The form in which a meeting's notes are written.
    Template {
        Default = "default",
        WeeklyLeaders = "weekly_leaders",
    }
}

/// A meeting: one that stands alone, or a series, which is the parent of its occurrences.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Meeting {
    /// Identifies the meeting.
    pub id: MeetingId,
    /// Title.
    pub title: String,
    /// Null is as good as default.
    pub template: Option<Template>,
    /// Whether it is a series.
    pub is_recurring: bool,
    /// Time of day, in the organisation's zone.
    pub recurrence_start_time: Option<TimeOfDay>,
    /// Time of day; before the start: on the next day.
    pub recurrence_end_time: Option<TimeOfDay>,
    /// In English, lower case: `monday`.
    pub recurrence_day_of_week: Option<String>,
    /// When it takes place, or for a series took place first.
    pub meeting_date: Option<Timestamp>,
    /// When the row was made.
    pub created_at: Timestamp,
    /// The transcriber's calendar entry.
    pub transcriber_calendar_id: Option<String>,
    /// The transcriber's transcript.
    pub transcriber_transcript_id: Option<String>,
}
record!(Meeting, "meeting", "meetings");

/// A meeting with its template.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Templated {
    /// Identifies the meeting.
    pub id: MeetingId,
    /// Title.
    pub title: String,
    /// The template that it has now.
    pub template: Template,
}
record!(Templated, "meeting", "meetings");

/// What merging does, or did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Merge {
    /// Whether this was only tried, and nothing was written.
    pub dry_run: bool,
    /// The meeting that stays, as it is after the merge.
    pub canonical: Meeting,
    /// The meeting that is merged into it, as it was before.
    pub skeleton: Meeting,
    /// Whether the skeleton is gone: it stays while there is a conflict.
    pub skeleton_removed: bool,
    /// What becomes of the skeleton's own transcript, if it has one: `reparent` or `conflict`.
    pub transcript: Option<Action>,
    /// The template that the canonical meeting took over from the skeleton.
    pub template_taken: Option<Template>,
    /// What hung on the skeleton's side and hangs on the canonical one now.
    pub children: Children,
    /// What becomes of the occurrences of both, by date.
    #[serde(flatten)]
    pub plan: Plan,
}

/// Rows that hang on meetings or occurrences, by kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct Children {
    /// Participants.
    pub participants: u32,
    /// Participants who were on both sides, and are there once now.
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
    /// Merges the skeleton meeting into the canonical one and removes it. Where both have a transcript
    /// for a date both stay, a conflict is reported, and the skeleton is kept.
    MergeMeetings = "merge_meetings" on Work, DELETE, for ADMINS => Merge {
        req {
            /// The meeting that stays.
            canonical_meeting_id: MeetingId,
            /// The meeting that is merged into it.
            skeleton_meeting_id: MeetingId,
        }
        opt {
            /// Say what would happen, and write nothing.
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
            /// From, in the organisation's zone.
            recurrence_start_time: TimeOfDay,
            /// To; before the start: on the next day.
            recurrence_end_time: TimeOfDay,
        }
    }
}

tool! {
    /// Sets the template of a meeting.
    SetMeetingTemplate = "set_meeting_template" on Work, UPDATE, for ADMINS => One<Templated> {
        req {
            /// The meeting.
            meeting_id: MeetingId,
            /// Its template.
            template: Template,
        }
    }
}

tools![MergeMeetings, SetMeetingRecurrenceTime, SetMeetingTemplate];
