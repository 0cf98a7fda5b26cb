//! The caller's own tasks that are not done, the late ones first.

use frontdesk_client::CallError;
use frontdesk_protocol::Host;
use frontdesk_protocol::Tool;
use frontdesk_protocol::value::{Limit, Offset, Whole};
use frontdesk_protocol::work::task::{ListTasks, TaskStatus};
use frontdesk_protocol::work::weekly::GetWeeklyUpdates;
use serde::Deserialize;
use serde_json::Value;

use super::part::{Next, Part, records};
use crate::app::shared::Shared;
use crate::fields::cell::{self, Cell};
use crate::records::record::Record;
use crate::ui::table::Column;

/// The states of tasks that are not done.
const OPEN: [TaskStatus; 3] = [
    TaskStatus::InProgress,
    TaskStatus::ToDo,
    TaskStatus::Blocked,
];

pub(super) static TASKS: Part = Part {
    title: "My open tasks",
    none: "no open tasks",
    host: Host::Work,
    kind: "work_task",
    is_for: |role| role.is_some_and(|role| ListTasks::AUDIENCE.contains(role)),
    next,
    // The account is no member's: it has no tasks.
    ends: false,
    is_nothing: |error| match error {
        CallError::Tool(error) => error.field.as_deref() == Some("member_id"),
        _ => false,
    },
    note: |tasks, shared| {
        let late = tasks.iter().filter(|task| is_late(task, shared)).count();
        (late > 0).then(|| format!("{late} late"))
    },
    columns: |_| vec![Column::name(""), Column::whole(""), Column::whole("")],
    cells: |task, _, shared| {
        let text = |field: &str| task.text(field).unwrap_or_default();
        vec![
            Cell::new(format!("{} {}", text("identifier"), text("name"))),
            cell::due(task.day("estimated_date"), true, shared),
            cell::state(text("status")),
        ]
    },
};

/// Who the caller is at the host, then the tasks of each state that is open.
fn next(shared: &Shared, answers: &[Value]) -> Next {
    let Some((who, pages)) = answers.split_first() else {
        return Next::ask(&GetWeeklyUpdates {
            member_id: None,
            days: Whole::new(1),
        });
    };
    let owner = who
        .get("member_id")
        .and_then(|id| Deserialize::deserialize(id).ok());
    if let Some(status) = OPEN.get(pages.len()) {
        return Next::ask(&ListTasks {
            epic_id: None,
            delivery_id: None,
            owner_id: owner,
            status: Some(*status),
            search: None,
            limit: Limit::new(100).unwrap_or_default(),
            offset: Offset::default(),
        });
    }
    let mut tasks = records(pages, "tasks");
    // Those that are late are the ones whose day is the earliest.
    tasks.sort_by_key(|task| {
        let due = task.day("estimated_date");
        (!is_late(task, shared), due.is_none(), due)
    });
    Next::Rows(tasks)
}

fn is_late(task: &Record, shared: &Shared) -> bool {
    let due = task.day("estimated_date");
    due.is_some_and(|due| cell::is_late(due, shared))
}
