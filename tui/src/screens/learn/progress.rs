//! Members' progress in their programs, as bars.

use frontdesk_protocol::Host;
use serde_json::json;

use crate::app::cx::Cx;
use crate::app::shared::Shared;
use crate::fields::cell::{Cell, name};
use crate::fields::key::Key;
use crate::record_screens::open_record;
use crate::records::columns::Column;
use crate::records::kind;
use crate::records::record::Record;
use crate::records::view::View;
use crate::ui::gauge;

/// How progress is shown.
pub(crate) static VIEW: View = View {
    columns: &[
        Column::field("member_name", "Member"),
        Column::own(
            "Done",
            |progress, _| Cell::new(bar(progress)),
            |progress, _| Key::number(progress.number("percentage")),
        ),
        Column::field("last_completed_at", "Last completed"),
        Column::own("Cohort", cohort, |progress, shared| {
            Key::text(
                progress
                    .text("cohort_id")
                    .and_then(|id| shared.names.get(id)),
            )
        }),
    ],
    // A row of progress opens its member.
    open: Some(|cx: &mut Cx, progress, at| {
        let member =
            json!({ "id": progress.get("member_id"), "name": progress.get("member_name") });
        if let Some(kind) = kind::find(Host::Learn, "member")
            && let Some(member) = Record::new(&member)
        {
            open_record(cx, kind, &member, at);
        }
    }),
    ..View::new(Host::Learn, "progress")
};

/// `█████░░░ 21 of 44 · 47.7 %`.
pub(crate) fn bar(progress: &Record) -> String {
    let number = |field: &str| progress.number(field).unwrap_or_default();
    let (done, total) = (number("done") as u64, number("total") as u64);
    let percentage = number("percentage");
    format!(
        "{} {done} of {total} · {percentage} %",
        gauge::bar(10, done, total)
    )
}

fn cohort(progress: &Record, shared: &Shared) -> Cell {
    progress
        .text("cohort_id")
        .map_or(Cell::new(""), |id| name(id, shared))
}
