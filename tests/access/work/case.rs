//! Every work tool, as it is tried on an organisation's meetings.

use serde_json::{Value, json};

use super::stage::Rows;

/// A call of a tool.
pub(crate) struct Case {
    pub(crate) tool: &'static str,
    pub(crate) act: Act,
    pub(crate) arguments: fn(&Rows) -> Value,
}

/// What the call does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Act {
    /// Lists the series.
    List,
    /// Tries a change, and writes nothing. The argument names what it begins with.
    Try(&'static str),
    /// Changes. The argument names what it begins with.
    Change(&'static str),
}

use Act::{Change, List, Try};

macro_rules! cases {
    ($($tool:literal, $act:expr, |$rows:ident| $arguments:tt;)+) => {
        &[$(Case { tool: $tool, act: $act, arguments: |$rows| json!($arguments) }),+]
    };
}

/// Every tool at least once, and what can be tried is tried first.
pub(crate) const CASES: &[Case] = cases![
    "list_meeting_series", List, |_rows| {};
    "list_meeting_series", List, |_rows| { "include_occurrences": true, "title_contains": "" };
    "set_meeting_template", Change("meeting_id"), |rows| {
        "meeting_id": rows.series, "template": "weekly_leaders",
    };
    "set_meeting_recurrence_time", Change("meeting_id"), |rows| {
        "meeting_id": rows.series,
        "recurrence_start_time": "09:00", "recurrence_end_time": "09:45",
    };
    "add_meeting_occurrences", Try("series_meeting_id"), |rows| {
        "series_meeting_id": rows.series, "dry_run": true,
    };
    "add_meeting_occurrences", Change("series_meeting_id"), |rows| {
        "series_meeting_id": rows.series, "occurrences": 2,
    };
    "set_occurrence_transcript", Change("occurrence_id"), |rows| {
        "occurrence_id": rows.promoted, "transcript": "Hello.", "transcriber_transcript_id": "t-hello",
    };
    "promote_occurrence_to_standalone", Try("occurrence_id"), |rows| {
        "occurrence_id": rows.promoted, "dry_run": true,
    };
    "promote_occurrence_to_standalone", Change("occurrence_id"), |rows| {
        "occurrence_id": rows.promoted, "title_override": "Promoted",
    };
    "promote_occurrence_to_standalone", Change("occurrence_id"), |rows| {
        "occurrence_id": rows.kept, "keep_occurrence": true,
    };
    "merge_meetings", Try("canonical_meeting_id"), |rows| {
        "canonical_meeting_id": rows.canonical, "skeleton_meeting_id": rows.skeleton,
        "dry_run": true,
    };
    "merge_meetings", Change("canonical_meeting_id"), |rows| {
        "canonical_meeting_id": rows.canonical, "skeleton_meeting_id": rows.skeleton,
    };
    "remove_meeting_series", Try("series_meeting_id"), |rows| {
        "series_meeting_id": rows.series, "dry_run": true,
    };
    "remove_meeting_series", Change("series_meeting_id"), |rows| {
        "series_meeting_id": rows.series,
    };
];
