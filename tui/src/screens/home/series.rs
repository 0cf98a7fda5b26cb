//! Meeting series that need attention, the gravest first.

use frontdesk_protocol::value::{Flag, Limit, Offset};
use frontdesk_protocol::work::series::ListMeetingSeries;
use frontdesk_protocol::{Host, Tool};
use serde_json::Value;

use super::part::{Next, Part, next_page, records};
use crate::app::shared::Shared;
use crate::fields::cell::Cell;
use crate::screens::work::series::{marks, needing_attention};
use crate::ui::table::Column;

pub(super) static SERIES: Part = Part {
    title: "Meeting series that need attention",
    none: "no meeting series needs attention",
    host: Host::Work,
    kind: "meeting",
    is_for: |role| role.is_some_and(|role| ListMeetingSeries::AUDIENCE.contains(role)),
    next,
    ends: false,
    is_nothing: |_| false,
    note: |_, _| None,
    columns: |_| vec![Column::name(""), Column::whole("")],
    cells: |series, _, shared| {
        let title = series.text("title").unwrap_or_default();
        vec![Cell::new(title), marks(series, shared)]
    },
};

fn next(_: &Shared, answers: &[Value]) -> Next {
    if let Some(offset) = next_page(answers, "series") {
        return Next::ask(&ListMeetingSeries {
            created_after: None,
            created_before: None,
            title_contains: None,
            transcriber_calendar_id_contains: None,
            include_occurrences: Flag(false),
            limit: Limit::new(100).unwrap_or_default(),
            offset: Offset::new(offset),
        });
    }
    Next::Rows(needing_attention(records(answers, "series")))
}
