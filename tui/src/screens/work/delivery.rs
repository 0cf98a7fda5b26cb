//! Deliveries with the number of tasks done.

use frontdesk_protocol::Host;

use super::board;
use super::states::{TASKS, states};
use crate::app::input::command::{Command, Context};
use crate::fields::cell::{self, Cell};
use crate::records::columns::Column;
use crate::records::contexts::{RECORDS, TREE};
use crate::records::view::View;

static DELIVERIES: Context = Context::above("Deliveries", &RECORDS);
static DELIVERY: Context = Context::above("One delivery", &TREE);

pub(crate) static VIEW: View = View {
    columns: &[
        Column::field("name", "Delivery"),
        Column::field("status", "Status"),
        Column::own(
            "Tasks",
            |delivery, _| TASKS.cell(delivery),
            |delivery, _| TASKS.key(delivery),
        ),
        Column::field("owner_id", "Owner"),
        Column::field("epic_id", "Epic"),
        Column::field("total_points", "Points"),
        Column::field("price", "Price"),
    ],
    facts: &[("Tasks", |delivery, _| TASKS.cell(delivery))],
    covered: &[TASKS.all, TASKS.done],
    head: Some(|delivery, shared, _| states(delivery, &["tasks"], &shared.settings.theme)),
    tree_text: Some(|delivery, _, shared| {
        let owner = delivery.text("owner_id");
        let owner = owner.map(|id| format!(" · {}", cell::name(id, shared).text));
        Cell::dim(format!(
            "{}{}",
            TASKS.words(delivery),
            owner.unwrap_or_default()
        ))
    }),
    list: &DELIVERIES,
    record: &DELIVERY,
    assignee: Some("owner_id"),
    ..View::new(Host::Work, "deliveries")
};

/// Commands in addition to those of the tools.
pub(crate) const COMMANDS: &[Command] = &[
    board::command(&DELIVERIES, "deliveries.tasks"),
    board::command(&DELIVERY, "delivery.tasks"),
];
