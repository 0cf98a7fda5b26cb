//! Forms that wait for the caller's response.

use frontdesk_protocol::quiz::dispatch::ListDispatches;
use frontdesk_protocol::value::{Limit, Offset};
use frontdesk_protocol::{Host, Role};
use serde_json::Value;

use super::part::{Next, Part, next_page, records};
use crate::app::shared::Shared;
use crate::fields::cell::Cell;
use crate::look::time::moment;
use crate::ui::table::Column;

pub(super) static FORMS: Part = Part {
    title: "Forms to answer",
    none: "",
    host: Host::Quiz,
    kind: "dispatch",
    is_for: |role| role == Some(Role::Fellow),
    next,
    ends: false,
    is_nothing: |_| false,
    note: |_, _| None,
    columns: |_| vec![Column::name(""), Column::whole("").right()],
    cells: |form, _, shared| {
        let sent = form.time("created_at");
        let sent = sent.map(|at| format!("sent {}", moment(at, shared.now, &shared.locale)));
        vec![
            Cell::new(form.text("form_title").unwrap_or_default()),
            Cell::new(sent.unwrap_or_default()),
        ]
    },
};

fn next(_: &Shared, answers: &[Value]) -> Next {
    match next_page(answers, "dispatches") {
        Some(offset) => Next::ask(&ListDispatches {
            form_id: None,
            guest_id: None,
            is_answered: Some(false),
            limit: Limit::new(100).unwrap_or_default(),
            offset: Offset::new(offset),
        }),
        None => Next::Rows(records(answers, "dispatches")),
    }
}
