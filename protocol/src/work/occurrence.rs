//! Occurrences of a series, and their promotion to standalone meetings.

use jiff::civil::Date;

use super::ADMINS;
use super::meeting::Meeting;
use super::plan::Plan;
use crate::id::OccurrenceId;
use crate::record::{One, keys};
use crate::tool::{tool, tools};
use crate::value::{Flag, Name, Text};
use crate::wire::Wire;

/// One occurrence of a series.
#[derive(Debug, Clone, PartialEq, Eq, Wire)]
pub struct Occurrence {
    pub id: OccurrenceId,
    /// Its day, in the organisation's time zone.
    pub occurrence_date: Date,
    /// Status as free text, for example `scheduled` or `held`.
    pub status: String,
    /// Whether it has a transcript text.
    pub has_transcript: bool,
    /// Transcript id in the transcription service.
    pub transcriber_transcript_id: Option<String>,
}

/// The result of a promotion, or its preview.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Promotion {
    /// True if this was a dry run: nothing was written.
    pub dry_run: bool,
    /// The new meeting, or the existing one with the same transcript.
    pub meeting: Meeting,
    /// True if that meeting already existed: nothing was written.
    pub already_there: bool,
    /// Whether the occurrence was kept.
    pub occurrence_kept: bool,
    /// What happens to the occurrence.
    #[wire(flatten)]
    pub plan: Plan,
}

tool! {
    /// Turns an occurrence of a series into a standalone meeting. Fires a webhook.
    PromoteOccurrenceToStandalone = "promote_occurrence_to_standalone" on Work, DELETE,
        for ADMINS => Promotion {
        req {
            occurrence_id: OccurrenceId,
        }
        opt {
            /// Default: the title of the series.
            title_override: Option<Name>,
            /// Also keep the occurrence in the series.
            keep_occurrence: Flag<false>,
            /// Write nothing.
            dry_run: Flag<false>,
        }
    }
}

tool! {
    /// Stores the transcript of an occurrence. It is never returned.
    SetOccurrenceTranscript = "set_occurrence_transcript" on Work, REPLACE, for ADMINS => One<Occurrence> {
        req {
            occurrence_id: OccurrenceId,
            transcript: Text<1, 1_000_000>,
        }
        opt {
            /// Its id in the transcription service. An occurrence with a transcript and no id blocks the removal of its
            /// series.
            transcriber_transcript_id: Option<Name>,
        }
    }
}

tools![PromoteOccurrenceToStandalone, SetOccurrenceTranscript];
keys!(Occurrence, "occurrence", "occurrences");
