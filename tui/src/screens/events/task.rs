//! Tasks of an event: what is late is marked.

use frontdesk_protocol::Host;
use jiff::civil::Date;

use crate::app::shared::Shared;
use crate::records::cell::{Cell, Key, Tone};
use crate::records::columns::Column;
use crate::records::record::Record;
use crate::records::view::View;
use crate::ui::mark::Mark;
use crate::ui::time::day_alone;

/// How tasks are shown.
pub(crate) static VIEW: View = View {
    columns: &[
        Column::field("status", "State"),
        Column::field("title", "Task"),
        Column::fixed("Due", 19, due, |task, _| {
            task.day("due_date").map_or(Key::Nothing, Key::Day)
        }),
        Column::field("start_date", "Begins"),
        Column::field("assignee_id", "By"),
    ],
    ..View::new(Host::Events, "tasks")
};

fn due(task: &Record, shared: &Shared) -> Cell {
    let Some(due) = task.day("due_date") else {
        return Cell::new("");
    };
    let words = day_alone(due, shared.now, &shared.zone);
    let today: Date = shared.now.to_zoned(shared.zone.clone()).date();
    match task.text("status") != Some("done") && due < today {
        true => Cell {
            tone: Tone::Marked(Mark::Warn),
            ..Cell::new(format!("{words} {} late", Mark::Warn.glyph()))
        },
        false => Cell::new(words),
    }
}
