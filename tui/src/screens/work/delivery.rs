//! Deliveries, and how many of their tasks are done.

use frontdesk_protocol::Host;

use super::board;
use super::states::states;
use crate::app::command::{Command, Context};
use crate::app::shared::Shared;
use crate::records::cell::{self, Cell, Key};
use crate::records::columns::Column;
use crate::records::record::Record;
use crate::records::screen::{RECORDS, TREE};
use crate::records::view::View;
use crate::ui::gauge;

static DELIVERIES: Context = Context::above("Deliveries", &RECORDS);
static DELIVERY: Context = Context::above("One delivery", &TREE);

/// How deliveries are shown.
pub(crate) static VIEW: View = View {
    columns: &[
        Column::field("name", "Delivery"),
        Column::field("status", "Status"),
        Column::fixed("Tasks", 14, tasks, |delivery, _| {
            let (done, all) = numbers(delivery);
            Key::number((all > 0).then(|| done as f64 / all as f64))
        }),
        Column::field("owner_id", "Owner"),
        Column::field("epic_id", "Epic"),
        Column::field("total_points", "Points"),
        Column::field("price", "Price"),
    ],
    facts: &[("Tasks", tasks)],
    told: &["number_of_tasks", "number_of_completed_tasks"],
    head: Some(|delivery, shared, _| states(delivery, &["tasks"], &shared.theme)),
    beside: Some(|delivery, _, shared| {
        let owner = delivery.text("owner_id");
        let owner = owner.map(|id| format!(" · {}", cell::name(id, shared).text));
        let (done, all) = numbers(delivery);
        Cell::dim(format!(
            "{done} of {all} tasks{}",
            owner.unwrap_or_default()
        ))
    }),
    list: &DELIVERIES,
    record: &DELIVERY,
    ..View::new(Host::Work, "deliveries")
};

/// What one can do with deliveries beside what their tools do.
pub(crate) const COMMANDS: &[Command] = &[
    board::command(&DELIVERIES, "deliveries.tasks"),
    board::command(&DELIVERY, "delivery.tasks"),
];

fn numbers(delivery: &Record) -> (u64, u64) {
    let number = |field: &str| delivery.number(field).unwrap_or_default() as u64;
    (
        number("number_of_completed_tasks"),
        number("number_of_tasks"),
    )
}

/// `███░░ 7 of 12`.
fn tasks(delivery: &Record, _: &Shared) -> Cell {
    let (done, all) = numbers(delivery);
    match all {
        0 => Cell::dim("none"),
        all => Cell::new(format!("{} {done} of {all}", gauge::bar(5, done, all))),
    }
}
