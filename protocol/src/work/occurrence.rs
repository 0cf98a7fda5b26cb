//! Occurrences of a series, and promoting one to a meeting of its own.

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ADMINS;
use super::meeting::Meeting;
use super::plan::Plan;
use crate::id::OccurrenceId;
use crate::tool::{tool, tools};
use crate::value::{Flag, Name};

/// One occurrence of a series.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Occurrence {
    /// Identifies the occurrence.
    pub id: OccurrenceId,
    /// Its day, in the organisation's zone.
    pub occurrence_date: Date,
    /// What became of it: a free string, such as `scheduled` or `held`.
    pub status: String,
    /// Whether it has transcript text.
    pub has_transcript: bool,
    /// The transcriber's transcript.
    pub transcriber_transcript_id: Option<String>,
}

/// What promoting does, or did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Promotion {
    /// Whether this was only tried, and nothing was written.
    pub dry_run: bool,
    /// The meeting that the occurrence became, or that had its transcript before.
    pub meeting: Meeting,
    /// Whether that meeting had been there before, so that nothing was written.
    pub already_there: bool,
    /// Whether the occurrence is still there.
    pub occurrence_kept: bool,
    /// What becomes of the occurrence.
    #[serde(flatten)]
    pub plan: Plan,
}

tool! {
    /// Makes one occurrence of a series a meeting of its own, which fires a webhook.
    PromoteOccurrenceToStandalone = "promote_occurrence_to_standalone" on Work, DELETE,
        for ADMINS => Promotion {
        req {
            /// The occurrence.
            occurrence_id: OccurrenceId,
        }
        opt {
            /// Instead of the series' title.
            title_override: Option<Name>,
            /// Leave the occurrence where it is, too.
            keep_occurrence: Flag<false>,
            /// Say what would happen, and write nothing.
            dry_run: Flag<false>,
        }
    }
}

tools![PromoteOccurrenceToStandalone];
