//! What a change of a series does to each occurrence, and what stands in its way.

use std::fmt;

use jiff::Timestamp;
use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::error::ToolError;
use crate::id::{MeetingId, OccurrenceId};
use crate::words::words;

words! {
    /// What happens to an occurrence.
    Action {
        /// It becomes a meeting of its own.
        Promote = "promote",
        /// It carries nothing, and goes.
        DiscardEmpty = "discard_empty",
        /// A meeting has its transcript already; no second one is made.
        SkipExisting = "skip_existing",
        /// It moves to the canonical meeting.
        Reparent = "reparent",
        /// Both sides carry a transcript for the date; both stay.
        Conflict = "conflict",
        /// It stays as it is.
        Keep = "keep",
    }
}

/// A numbered rule of the specification's section 4.5: `remove_meeting_series rule 4`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Rule(pub String);

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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Planned {
    /// The occurrence.
    pub id: OccurrenceId,
    /// The meeting whose occurrence it is, or was.
    pub meeting_id: MeetingId,
    /// Its day, in the organisation's zone.
    pub occurrence_date: Date,
    /// What became of it: a free string.
    pub status: String,
    /// Whether it has transcript text.
    pub has_transcript: bool,
    /// The transcriber's transcript.
    pub transcriber_transcript_id: Option<String>,
    /// What happens to it.
    pub action: Action,
    /// The rule that decided.
    pub rule: Rule,
    /// Why, in words.
    pub reason: String,
    /// The meeting that has its content afterwards, or had it before. A promoted occurrence's meeting
    /// has the occurrence's own id.
    pub standalone_meeting_id: Option<MeetingId>,
    /// When that new meeting takes place.
    pub meeting_date: Option<Timestamp>,
}

/// How many occurrences each action concerns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct Totals {
    /// Become meetings of their own.
    pub promote: u32,
    /// Carry nothing, and go.
    pub discard_empty: u32,
    /// Have a meeting already.
    pub skip_existing: u32,
    /// Move to the canonical meeting.
    pub reparent: u32,
    /// Carry a transcript on both sides.
    pub conflict: u32,
    /// Stay as they are.
    pub keep: u32,
}

impl Totals {
    /// Counts them.
    pub fn of(occurrences: &[Planned]) -> Totals {
        let mut totals = Totals::default();
        for occurrence in occurrences {
            *totals.at(occurrence.action) += 1;
        }
        totals
    }

    /// How many occurrences this action concerns.
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

/// What a change does. A dry run and the real run of the same data give the same plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Plan {
    /// What happens to each occurrence, by date.
    pub occurrences: Vec<Planned>,
    /// How many occurrences each action concerns.
    pub totals: Totals,
    /// How many outbound webhooks this fires: one for each new meeting (specification, section 6).
    pub automation_webhook_inserts: u32,
    /// Stands for all of the above and for what the tool was asked. Sent as
    /// `_meta."frontdesk/expectedPlan"` with the real run, it makes sure that this is what happens, or
    /// nothing.
    pub digest: String,
}

words! {
    /// A rule that stands in the way of a change.
    Guard {
        /// The meeting does not recur.
        NotRecurring = "not_recurring",
        /// There are occurrences where none may be.
        NotEmpty = "not_empty",
        /// There is transcript text without a transcript id.
        TranscriptWithoutId = "transcript_without_id",
        /// A meeting has the same transcript id, and not the same text: the text would be lost.
        ExistingDiffers = "existing_differs",
        /// The series itself carries a transcript, which would be lost.
        SeriesHasTranscript = "series_has_transcript",
        /// Participants, concepts, expertise, tools, segments or underlines hang on it.
        HasChildren = "has_children",
        /// After the promotion an occurrence had no meeting of its own.
        NotPromoted = "not_promoted",
    }
}

/// A guard that refuses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Violation {
    /// Which guard.
    pub guard: Guard,
    /// The rule behind it.
    pub rule: Rule,
    /// What is wrong, in words.
    pub message: String,
    /// The meetings, occurrences or meetings' children concerned.
    pub ids: Vec<Uuid>,
    /// What to do instead.
    pub way_out: String,
}

/// Everything that stands in the way, and what would have happened to each occurrence otherwise: the
/// `details` of a tool error with the code `refused`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Refusal {
    /// The title of the meeting that stays as it is.
    pub title: String,
    /// Every guard that refuses.
    pub violations: Vec<Violation>,
    /// The occurrences, by date. Those that a guard protects are kept.
    pub occurrences: Vec<Planned>,
}

impl Refusal {
    /// The refusal that a tool error carries, if it carries one.
    pub fn of(error: &ToolError) -> Option<Refusal> {
        error.details()
    }
}
