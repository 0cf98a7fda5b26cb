//! Tasks of an event.

use frontdesk_client::CallError;
use frontdesk_protocol::events::task::{ListEventTasks, Task, TaskStatus};
use frontdesk_protocol::id::EventId;
use frontdesk_protocol::record::List;
use frontdesk_protocol::value::{Limit, Line, Offset};
use jiff::civil::Date;
use uuid::Uuid;

use crate::app::effect::{Answer, ToolCall};
use crate::app::shared::Shared;
use crate::screens::listing::{Key, Listed};
use crate::ui::mark::Mark;
use crate::ui::table::{Column, Row};

impl Listed for Task {
    type Scope = EventId;
    const NAMES: (&'static str, &'static str) = ("task", "tasks");

    fn id(&self) -> Uuid {
        self.id.0
    }

    fn text(&self) -> &str {
        &self.title
    }

    fn columns() -> Vec<Column> {
        vec![
            Column::fixed("State", 13),
            Column::share("Task", 3),
            Column::fixed("Begins", 10),
            Column::fixed("Due", 19),
        ]
    }

    fn column_names() -> &'static [&'static str] {
        &["state", "task", "begin", "due date"]
    }

    fn row(&self, shared: &Shared) -> Row {
        let theme = &shared.theme;
        let (words, style) = match self.status {
            TaskStatus::Todo => ("○ to do", theme.dim),
            TaskStatus::InProgress => ("… in progress", theme.busy),
            TaskStatus::Done => ("✓ done", theme.good),
        };
        let today = shared.now.to_zoned(shared.zone.clone()).date();
        let day = |date: Option<Date>| date.map(|date| date.to_string()).unwrap_or_default();
        let is_late =
            self.status != TaskStatus::Done && self.due_date.is_some_and(|due| due < today);
        let row = Row::new()
            .styled(words, style)
            .cell(self.title.clone())
            .cell(day(self.start_date));
        match is_late {
            true => row.styled(
                format!("{} {} late", day(self.due_date), Mark::Warn.glyph()),
                Mark::Warn.style(theme),
            ),
            false => row.cell(day(self.due_date)),
        }
    }

    fn key(&self, column: usize) -> Key<'_> {
        match column {
            0 => Key::Number(self.status as usize),
            1 => Key::Text(Some(&self.title)),
            2 => Key::Date(self.start_date),
            _ => Key::Date(self.due_date),
        }
    }

    fn ask(event: EventId, search: Option<Line>, limit: Limit, offset: Offset) -> ToolCall {
        ToolCall::of(&ListEventTasks {
            event_id: event,
            assignee_id: None,
            status: None,
            search,
            limit,
            offset,
        })
    }

    fn take(answer: &Answer) -> Option<Result<List<Self>, CallError>> {
        answer.of::<ListEventTasks>()
    }
}

/// What a task is about, line by line.
pub(crate) fn details(task: &Task) -> Vec<(&'static str, String)> {
    let assignee = task.assignee_id.map(|id| format!("member {id}"));
    vec![
        ("To do", task.description.clone().unwrap_or_default()),
        ("By", assignee.unwrap_or_else(|| "nobody yet".to_owned())),
    ]
}
