//! Statement lines without a journal entry, the oldest first.

use frontdesk_protocol::financing::statement::ListUnreconciled;
use frontdesk_protocol::value::{Limit, Offset};
use frontdesk_protocol::{Host, Tool};
use serde_json::Value;

use super::part::{Next, Part, next_page, records};
use crate::app::shared::Shared;
use crate::fields::cell::{self, Cell};
use crate::look::time::day_alone;
use crate::ui::table::Column;

pub(super) static LINES: Part = Part {
    title: "Unreconciled statement lines",
    none: "no unreconciled lines",
    host: Host::Financing,
    kind: "statement_line",
    is_for: |role| role.is_some_and(|role| ListUnreconciled::AUDIENCE.contains(role)),
    next,
    ends: false,
    is_nothing: |_| false,
    note: |_, _| None,
    columns: |_| {
        vec![
            Column::whole(""),
            Column::name(""),
            Column::whole("").right(),
        ]
    },
    cells: |line, _, shared| {
        let day = line.day("posted_on");
        let day = day.map(|day| day_alone(day, shared.now, &shared.locale));
        let amount = line.number("amount").unwrap_or_default();
        vec![
            Cell::new(day.unwrap_or_default()),
            Cell::new(line.text("description").unwrap_or_default()),
            Cell::new(cell::amount(amount, shared)),
        ]
    },
};

fn next(_: &Shared, answers: &[Value]) -> Next {
    match next_page(answers, "statement_lines") {
        Some(offset) => Next::ask(&ListUnreconciled {
            account_id: None,
            search: None,
            limit: Limit::new(100).unwrap_or_default(),
            offset: Offset::new(offset),
        }),
        None => Next::Rows(records(answers, "statement_lines")),
    }
}
