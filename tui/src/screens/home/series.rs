//! Meeting series that need attention: those with transcript text without an id, which is in the way of a
//! removal, then those that carry nothing.

use frontdesk_protocol::value::{Flag, Limit, Offset};
use frontdesk_protocol::work::series::ListMeetingSeries;
use frontdesk_protocol::{Host, Tool};
use serde_json::Value;

use super::part::{Next, Part, next_page, records};
use crate::app::effect::ToolCall;
use crate::app::shared::Shared;
use crate::records::cell::Cell;
use crate::records::record::Record;
use crate::ui::mark::Mark;
use crate::ui::table::Column;

pub(super) static SERIES: Part = Part {
    title: "Meeting series that need attention",
    none: "no meeting series needs attention",
    host: Host::Work,
    kind: "meeting",
    is_for: |role| role.is_some_and(|role| ListMeetingSeries::AUDIENCE.contains(role)),
    next,
    is_nothing: |_| false,
    note: |_, _| None,
    columns: |_| vec![Column::share("", 1), Column::fixed("", 17)],
    cells: |series, _, _| {
        let mark = match is_without_id(series) {
            true => Cell::marked(Mark::Warn, "text without id"),
            false => Cell::dim("○ empty"),
        };
        vec![Cell::new(series.text("title").unwrap_or_default()), mark]
    },
};

fn next(_: &Shared, answers: &[Value]) -> Next {
    if let Some(offset) = next_page(answers, "series") {
        return Next::Ask(ToolCall::of(&ListMeetingSeries {
            created_after: None,
            created_before: None,
            title_contains: None,
            transcriber_calendar_id_contains: None,
            include_occurrences: Flag(false),
            limit: Limit::new(100).unwrap_or_default(),
            offset: Offset::new(offset),
        }));
    }
    let mut series = records(answers, "series");
    series.retain(|series| is_without_id(series) || is_empty(series));
    series.sort_by_key(|series| !is_without_id(series));
    Next::Rows(series)
}

fn is_without_id(series: &Record) -> bool {
    series.number("occurrences_with_transcript_without_id") > Some(0.0)
}

fn is_empty(series: &Record) -> bool {
    let counts = [
        "occurrences_with_transcript",
        "occurrences_with_transcript_id",
    ];
    counts.iter().all(|count| series.number(count) == Some(0.0))
}
