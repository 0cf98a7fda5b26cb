//! Lessons of a course: their length and the reader's progress.

use frontdesk_protocol::Host;
use ratatui::text::Line;
use serde_json::{Map, Value, json};

use crate::app::input::command::{Command, Context};
use crate::app::shared::Shared;
use crate::browse;
use crate::fields::cell::Cell;
use crate::fields::key::Key;
use crate::records::columns::Column;
use crate::records::contexts::RECORDS;
use crate::records::record::Record;
use crate::records::related::Related;
use crate::records::view::View;
use crate::ui::mark::Mark;
use crate::ui::time::moment;

static LESSON: Context = Context::above("One lesson", &RECORDS);

pub(crate) static VIEW: View = View {
    columns: &[
        Column::field("position", "No."),
        Column::field("title", "Lesson"),
        Column::fixed("Duration", 7, takes, |lesson, _| {
            Key::number(lesson.number("duration"))
        }),
        Column::field("status", "State"),
    ],
    facts: &[("Duration", takes)],
    told: &["duration"],
    related: &[Related {
        title: "Viewed",
        host: Host::Learn,
        tool: "get_my_lesson_progress",
        arguments: |lesson, _| {
            vec![Map::from_iter([(
                "lesson_ids".to_owned(),
                json!([lesson.id()]),
            )])]
        },
        keep: |_, result| {
            result["lesson_progress"]
                .as_array()
                .cloned()
                .unwrap_or_default()
        },
        names: &[],
        lines: |rows, shared| vec![seen(rows.first(), shared)],
    }],
    record: &LESSON,
    ..View::new(Host::Learn, "lessons")
};

/// Commands for the reader of a lesson.
pub(crate) const COMMANDS: &[Command] = &[
    Command::new(
        &LESSON,
        "lesson.viewed",
        "Record a view of this lesson",
        &["v"],
        |state, out| {
            browse::act(state, out, |screen, cx| {
                browse::act_now(
                    screen,
                    cx,
                    "mark_lesson_viewed",
                    "marked as viewed",
                    "Not recorded",
                );
            });
        },
    )
    .writes(),
    Command::new(
        &LESSON,
        "lesson.complete",
        "Mark this lesson as completed",
        &["c"],
        |state, out| {
            browse::act(state, out, |screen, cx| {
                browse::act_now(
                    screen,
                    cx,
                    "mark_lesson_complete",
                    "marked as completed",
                    "Not recorded",
                );
            });
        },
    )
    .writes()
    .hint("completed"),
];

/// Hours and started minutes: `1:05`, `0:12`.
fn takes(lesson: &Record, _: &Shared) -> Cell {
    let minutes = lesson
        .number("duration")
        .map(|seconds| (seconds as u64).div_ceil(60));
    let text = minutes.map(|minutes| format!("{}:{:02}", minutes / 60, minutes % 60));
    Cell::new(text.unwrap_or_default())
}

fn seen(progress: Option<&Value>, shared: &Shared) -> Line<'static> {
    let at = |field: &str| {
        let at = progress?[field].as_str()?.parse().ok()?;
        Some(moment(at, shared.now, &shared.zone))
    };
    match (at("completed_at"), at("last_viewed_at")) {
        (Some(completed), Some(viewed)) => {
            let words = format!("completed {completed}, last viewed {viewed}");
            Mark::Good.span(&shared.theme, &words).into()
        }
        (_, Some(viewed)) => Line::raw(format!("… last viewed {viewed}, not completed")),
        _ => Line::styled("○ not viewed yet", shared.theme.dim),
    }
}
