//! What a change of a series does to each occurrence, and what stands in its way.

use std::fmt;

use jiff::Timestamp;
use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::error::ToolError;
use crate::id::{MeetingId, OccurrenceId};

/// What happens to an occurrence.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Action {
    /// It becomes a meeting of its own.
    Promote,
    /// It carries nothing, and goes.
    DiscardEmpty,
    /// A meeting has its transcript already; no second one is made.
    SkipExisting,
    /// It moves to the canonical meeting.
    Reparent,
    /// Both sides carry a transcript for the date; both stay.
    Conflict,
    /// It stays as it is.
    Keep,
}

impl Action {
    /// Every action.
    pub const ALL: [Action; 6] = [
        Action::Promote,
        Action::DiscardEmpty,
        Action::SkipExisting,
        Action::Reparent,
        Action::Conflict,
        Action::Keep,
    ];

    /// The action as it stands in answers.
    pub const fn name(self) -> &'static str {
        match self {
            Action::Promote => "promote",
            Action::DiscardEmpty => "discard_empty",
            Action::SkipExisting => "skip_existing",
            Action::Reparent => "reparent",
            Action::Conflict => "conflict",
            Action::Keep => "keep",
        }
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
    #[allow(missing_docs)]
    pub promote: u32,
    #[allow(missing_docs)]
    pub discard_empty: u32,
    #[allow(missing_docs)]
    pub skip_existing: u32,
    #[allow(missing_docs)]
    pub reparent: u32,
    #[allow(missing_docs)]
    pub conflict: u32,
    #[allow(missing_docs)]
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

/// A rule that stands in the way of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Guard {
    /// The meeting does not recur.
    NotRecurring,
    /// There are occurrences where none may be.
    NotEmpty,
    /// There is transcript text without a transcript id.
    TranscriptWithoutId,
    /// A meeting has the same transcript id, and not the same text: the text would be lost.
    ExistingDiffers,
    /// The series itself carries a transcript, which would be lost.
    SeriesHasTranscript,
    /// Participants, concepts, expertise, tools, segments or underlines hang on it.
    HasChildren,
    /// After the promotion an occurrence had no meeting of its own.
    NotPromoted,
}

impl Guard {
    /// The guard as it stands in answers.
    pub const fn name(self) -> &'static str {
        match self {
            Guard::NotRecurring => "not_recurring",
            Guard::NotEmpty => "not_empty",
            Guard::TranscriptWithoutId => "transcript_without_id",
            Guard::ExistingDiffers => "existing_differs",
            Guard::SeriesHasTranscript => "series_has_transcript",
            Guard::HasChildren => "has_children",
            Guard::NotPromoted => "not_promoted",
        }
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
