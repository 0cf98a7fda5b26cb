//! Tasks of an event; late ones are marked.

use frontdesk_protocol::Host;

use crate::fields::cell;
use crate::fields::key::Key;
use crate::records::columns::Column;
use crate::records::view::View;

pub(crate) static VIEW: View = View {
    columns: &[
        Column::field("status", "State"),
        Column::field("title", "Task"),
        Column::own(
            "Due",
            |task, shared| {
                let is_open = task.text("status") != Some("done");
                cell::due(task.day("due_date"), is_open, shared)
            },
            |task, _| task.day("due_date").map_or(Key::Nothing, Key::Day),
        ),
        Column::field("start_date", "Starts"),
        Column::field("assignee_id", "Assignee"),
    ],
    covered: &["updated_at"],
    assignee: Some("assignee_id"),
    ..View::new(Host::Events, "tasks")
};
