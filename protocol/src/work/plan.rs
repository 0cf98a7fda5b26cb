//! The effect of a series change on each occurrence, and the guards that block it.

use std::fmt;

use jiff::Timestamp;
use jiff::civil::Date;
use serde_json::Value;
use uuid::Uuid;

use crate::error::ToolError;
use crate::id::{MeetingId, OccurrenceId};
use crate::wire::{Reader, Schemas, Wire};
use crate::words::words;

words! {
    /// What happens to an occurrence.
    Action {
        /// It becomes a standalone meeting.
        Promote = "promote",
        /// It is empty and is deleted.
        DiscardEmpty = "discard_empty",
        /// A meeting with its transcript already exists; none is created.
        SkipExisting = "skip_existing",
        /// It moves to the canonical meeting.
        Reparent = "reparent",
        /// Both sides have a transcript for the date; both are kept.
        Conflict = "conflict",
        /// It is unchanged.
        Keep = "keep",
    }
}

/// A numbered rule of the specification's section 4.5: `remove_meeting_series rule 4`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Rule(pub String);

impl Wire for Rule {
    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        String::read(value, reader).map(Rule)
    }

    fn write(&self) -> Value {
        self.0.write()
    }

    fn schema(schemas: &mut Schemas) -> Value {
        String::schema(schemas)
    }
}

impl Rule {
    /// Rule `number` of this tool.
    pub fn of(tool: &str, number: u8) -> Rule {
        Rule(format!("{tool} rule {number}"))
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What happens to one occurrence, and why.
#[derive(Debug, Clone, PartialEq, Eq, Wire)]
pub struct Planned {
    pub id: OccurrenceId,
    /// The series it belongs or belonged to.
    pub meeting_id: MeetingId,
    /// Its day, in the organisation's time zone.
    pub occurrence_date: Date,
    /// Status, as free text.
    pub status: String,
    /// Whether it has a transcript text.
    pub has_transcript: bool,
    /// Transcript id in the transcription service.
    pub transcriber_transcript_id: Option<String>,
    /// What happens to it.
    pub action: Action,
    /// The rule that decided.
    pub rule: Rule,
    /// The reason, as a sentence.
    pub reason: String,
    /// The meeting that has its content after the change, or already had it. The meeting of a promoted
    /// occurrence has the occurrence's id.
    pub standalone_meeting_id: Option<MeetingId>,
    /// When that new meeting takes place.
    pub meeting_date: Option<Timestamp>,
}

/// Number of occurrences per action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Wire)]
#[wire(inline)]
pub struct Totals {
    /// Become standalone meetings.
    pub promote: u32,
    /// Are empty and are deleted.
    pub discard_empty: u32,
    /// Already have a meeting.
    pub skip_existing: u32,
    /// Move to the canonical meeting.
    pub reparent: u32,
    /// Have a transcript on both sides.
    pub conflict: u32,
    /// Are unchanged.
    pub keep: u32,
}

impl Totals {
    /// Counts the occurrences by action.
    pub fn of(occurrences: &[Planned]) -> Totals {
        let mut totals = Totals::default();
        for occurrence in occurrences {
            *totals.at(occurrence.action) += 1;
        }
        totals
    }

    /// Number of occurrences with this action.
    pub fn count(mut self, action: Action) -> u32 {
        *self.at(action)
    }

    fn at(&mut self, action: Action) -> &mut u32 {
        match action {
            Action::Promote => &mut self.promote,
            Action::DiscardEmpty => &mut self.discard_empty,
            Action::SkipExisting => &mut self.skip_existing,
            Action::Reparent => &mut self.reparent,
            Action::Conflict => &mut self.conflict,
            Action::Keep => &mut self.keep,
        }
    }
}

/// The effect of a change. A dry run and a real run on the same data give the same plan.
#[derive(Debug, Clone, PartialEq, Eq, Wire)]
pub struct Plan {
    /// What happens to each occurrence, by date.
    pub occurrences: Vec<Planned>,
    /// Number of occurrences per action.
    pub totals: Totals,
    /// Number of outbound webhooks: one for each new meeting (specification, section 6).
    pub automation_webhook_inserts: u32,
    /// A hash of the fields above and of the tool's arguments. Send it as
    /// `_meta."frontdesk/expectedPlan"` with the real run: the tool then executes exactly this plan or
    /// fails without writing.
    pub digest: String,
}

words! {
    /// A rule that blocks a change.
    Guard {
        /// The meeting does not recur.
        NotRecurring = "not_recurring",
        /// The series has occurrences and the policy requires that it has none.
        NotEmpty = "not_empty",
        /// An occurrence has a transcript text but no transcript id.
        TranscriptWithoutId = "transcript_without_id",
        /// A meeting has the same transcript id but a different text, so this text would be lost.
        ExistingDiffers = "existing_differs",
        /// The series itself has a transcript, which would be lost.
        SeriesHasTranscript = "series_has_transcript",
        /// It has participants, concepts, expertise, tools, segments or underlines.
        HasChildren = "has_children",
        /// An occurrence has no standalone meeting after its promotion.
        NotPromoted = "not_promoted",
    }
}

/// A guard that blocks the change.
#[derive(Debug, Clone, PartialEq, Eq, Wire)]
pub struct Violation {
    pub guard: Guard,
    /// The rule behind it.
    pub rule: Rule,
    /// What is wrong, as a sentence.
    pub message: String,
    /// The affected meetings, occurrences or child records.
    pub ids: Vec<Uuid>,
    /// What to do about it.
    pub way_out: String,
}

/// All guards that block a change, and the effect it would have had on each occurrence: the
/// `details` of a tool error with the code `refused`.
#[derive(Debug, Clone, PartialEq, Eq, Wire)]
pub struct Refusal {
    /// The title of the unchanged meeting.
    pub title: String,
    /// The organisation's time zone.
    pub time_zone: String,
    /// All guards that block the change.
    pub violations: Vec<Violation>,
    /// The occurrences, by date. Those protected by a guard have the action `keep`.
    pub occurrences: Vec<Planned>,
}

impl Refusal {
    /// The refusal in the details of a tool error, if it has one.
    pub fn of(error: &ToolError) -> Option<Refusal> {
        error.details()
    }
}
