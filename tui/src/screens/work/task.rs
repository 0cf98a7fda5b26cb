//! Tasks: their due dates, and the board with a column for each stage.

use std::borrow::Cow;

use frontdesk_protocol::Host;
use serde_json::Value;

use crate::app::input::command::{Command, Context};
use crate::app::shared::Shared;
use crate::fields::cell::{self, Cell, Tone};
use crate::fields::key::Key;
use crate::look::mark::Mark;
use crate::look::text::{clean, count};
use crate::look::time::day_alone;
use crate::records::cards::{Cards, Lane};
use crate::records::columns::Column;
use crate::records::contexts::{BOARD, RECORDS};
use crate::records::record::Record;
use crate::records::view::{IndirectFilter, View};
use crate::screens::plans::adding;

static TASKS: Context = Context::above("Tasks", &RECORDS);
static TASK: Context = Context::above("One task", &RECORDS);
static TASK_BOARD: Context = Context::above("Board of tasks", &BOARD);

pub(crate) static VIEW: View = View {
    columns: &[
        Column::own("No.", identifier, |task, _| Key::number(number(task))),
        Column::field("name", "Task"),
        Column::field("status", "Status"),
        Column::own("Due", due, |task, _| {
            task.day("estimated_date").map_or(Key::Nothing, Key::Day)
        }),
        Column::field("owner_id", "Owner"),
        Column::own("Stage", stage, |task, _| Key::text(task.text("stage_id"))),
        Column::field("points", "Points"),
        Column::field("priority", "Priority"),
        Column::field("epic_id", "Epic"),
        Column::field("delivery_id", "Delivery"),
    ],
    facts: &[
        ("No.", identifier),
        ("Due", due),
        ("Stage", stage),
        ("Done when", criteria),
    ],
    covered: &[
        "identifier",
        "estimated_date",
        "stage_id",
        "acceptance_criteria",
        "updated_at",
    ],
    is_past: Some(|task, _| matches!(task.text("status"), Some("done" | "no_longer_needed"))),
    tree_text: Some(|task, _, shared| due_and_owner(task, shared)),
    board: Some(&CARDS),
    indirect_filters: &[IndirectFilter {
        kind: "project",
        holds: "epics",
        field: "epic_id",
    }],
    list: &TASKS,
    record: &TASK,
    assignee: Some("owner_id"),
    ..View::new(Host::Work, "tasks")
};

/// The board (specification, section 2): two stages share its last column and differ by a badge.
static CARDS: Cards = Cards {
    field: "stage_id",
    lanes: Cow::Borrowed(LANES),
    lines: 4,
    card,
    context: &TASK_BOARD,
};

const LANES: &[Lane] = &[
    Lane::new("Shaping", &[("spec", "")]),
    Lane::new("Ideation", &[("design", "")]),
    Lane::new("Ready to build", &[("execution", "")]),
    Lane::new("Design Review", &[("decision", "")]),
    Lane::new("QA / Test", &[("qa", "Design"), ("review", "Engineering")]),
];

/// Commands in addition to those of the tools.
pub(crate) const COMMANDS: &[Command] = &[
    adding(&TASK_BOARD, "board.plan"),
    adding(&TASKS, "tasks.plan"),
    adding(&TASK, "task.plan"),
];

fn identifier(task: &Record, _: &Shared) -> Cell {
    Cell::dim(task.text("identifier").unwrap_or_default())
}

/// The number in `CA-142`.
fn number(task: &Record) -> Option<f64> {
    task.text("identifier")?.rsplit('-').next()?.parse().ok()
}

/// The acceptance criteria, one per line.
fn criteria(task: &Record, _: &Shared) -> Cell {
    let criteria = task.get("acceptance_criteria").as_array();
    let criteria = criteria.into_iter().flatten().filter_map(Value::as_str);
    let lines: Vec<String> = criteria
        .map(|criterion| format!("· {}", clean(criterion)))
        .collect();
    Cell {
        text: lines.join("\n"),
        tone: Tone::Plain,
    }
}

/// The column on the board, and the badge.
fn stage(task: &Record, _: &Shared) -> Cell {
    let stage = task.text("stage_id");
    for lane in LANES {
        if let Some(badge) = stage.and_then(|word| lane.badge(word)) {
            return Cell::new(format!("{} {badge}", lane.title()).trim_end());
        }
    }
    match stage {
        Some(word) => Cell::new(cell::words(word)),
        None => Cell::dim("not on the board"),
    }
}

/// The number of days by which an open task is late.
pub(crate) fn days_late(task: &Record, shared: &Shared) -> Option<u32> {
    let is_open = matches!(
        task.text("status"),
        Some("to_do" | "in_progress" | "blocked")
    );
    let due = task.day("estimated_date").filter(|_| is_open)?;
    let today = shared.now.to_zoned(shared.locale.zone.clone()).date();
    let days = due.until(today).ok()?.get_days();
    u32::try_from(days).ok().filter(|days| *days > 0)
}

/// The due date, or the delay.
pub(crate) fn due(task: &Record, shared: &Shared) -> Cell {
    match (days_late(task, shared), task.day("estimated_date")) {
        (Some(days), _) => {
            let days = count(days as usize, "day", "days");
            Cell::marked(Mark::Warn, &format!("{days} late"))
        }
        (None, Some(day)) => Cell::new(day_alone(day, shared.now, &shared.locale)),
        (None, None) => Cell::new(""),
    }
}

fn due_and_owner(task: &Record, shared: &Shared) -> Cell {
    let due = due(task, shared);
    let owner = task.text("owner_id").map(|id| cell::name(id, shared).text);
    let tone = match due.tone {
        Tone::Plain => Tone::Dim,
        tone => tone,
    };
    let words = [Some(due.text), owner].into_iter().flatten();
    Cell {
        text: joined(words),
        tone,
    }
}

fn joined(words: impl Iterator<Item = String>) -> String {
    let words: Vec<String> = words.filter(|words| !words.is_empty()).collect();
    words.join(" · ")
}

/// A card: identifier, badge, name, priority, points, state, delay and assignee.
fn card(task: &Record, badge: &str, shared: &Shared) -> Vec<Cell> {
    let text = |field: &str| Cell::new(task.text(field).unwrap_or_default()).text;
    let number = |field: &str| task.number(field);
    let status = cell::state(task.text("status").unwrap_or_default());
    let worth = [
        number("priority").map(|priority| format!("P{priority}")),
        number("points").map(|points| format!("{points} pt")),
        Some(status.text),
    ];
    vec![
        Cell::dim(joined([text("identifier"), badge.to_owned()].into_iter())),
        Cell::new(text("name")),
        Cell {
            text: joined(worth.into_iter().flatten()),
            tone: status.tone,
        },
        due_and_owner(task, shared),
    ]
}
