//! Lessons of a course: their length and the reader's progress.

use frontdesk_protocol::learn::lesson::ListLessons;
use frontdesk_protocol::learn::progress::GetMyLessonProgress;
use frontdesk_protocol::{Host, Tool};
use ratatui::text::{Line, Span};
use serde_json::{Map, Value, json};

use crate::app::input::command::{Context, commands};
use crate::app::shared::Shared;
use crate::fields::cell::Cell;
use crate::fields::key::Key;
use crate::look::mark::Mark;
use crate::look::time::moment;
use crate::record_screens::{self, ShowsRecords};
use crate::records::columns::Column;
use crate::records::contexts::RECORDS;
use crate::records::kind::Kind;
use crate::records::record::Record;
use crate::records::related::Related;
use crate::records::view::{NOTE, NotesFrom, View};

/// Maximum number of lessons among which the next one is looked for.
const MOST: u32 = 100;

static LESSON: Context = Context::above("One lesson", &RECORDS);

pub(crate) static VIEW: View = View {
    columns: &[
        Column::field("position", "No."),
        Column::field("title", "Lesson"),
        Column::own("Duration", takes, |lesson, _| {
            Key::number(lesson.number("duration"))
        })
        .right(),
        Column::own("Progress", progress, |lesson, _| {
            Key::Rank(usize::from(is_completed(lesson)))
        }),
        Column::field("status", "State"),
    ],
    facts: &[("Duration", takes)],
    covered: &["duration"],
    related: &[
        Related {
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
        },
        Related {
            title: "Next lesson",
            host: Host::Learn,
            tool: ListLessons::NAME,
            arguments: |lesson, _| {
                vec![Map::from_iter([
                    ("course_id".to_owned(), lesson.get("course_id").clone()),
                    ("limit".to_owned(), json!(MOST)),
                ])]
            },
            keep: following,
            names: &[],
            lines: |rows, shared| {
                let next = rows.iter().filter_map(Record::new);
                let lines = next.map(|lesson| {
                    let title = Cell::new(lesson.text("title").unwrap_or_default()).text;
                    let takes = takes(&lesson, shared).text;
                    Line::from(vec![
                        Span::raw(format!("{title}  ")),
                        Span::styled(takes, shared.settings.theme.dim),
                    ])
                });
                lines.collect()
            },
        },
    ],
    notes_from: Some(&NotesFrom {
        host: Host::Learn,
        tool: GetMyLessonProgress::NAME,
        argument: "lesson_ids",
        key: "lesson_progress",
        id: "lesson_id",
        most: 500,
    }),
    foot: Some(foot),
    record: &LESSON,
    ..View::new(Host::Learn, "lessons")
};

commands! {
    /// Commands for the reader of a lesson.
    pub(crate) const COMMANDS;

    LESSON: "lesson.viewed", ["v"], "Record a view of this lesson",
        run |state, out| {
            record_screens::act(state, out, |screen, cx| {
                record_screens::act_now(
                    screen,
                    cx,
                    "mark_lesson_viewed",
                    "marked as viewed",
                    "Not recorded",
                );
            });
        }, writes;
    LESSON: "lesson.complete", ["c"], "Mark this lesson as completed",
        run |state, out| {
            record_screens::act(state, out, |screen, cx| {
                record_screens::act_now(
                    screen,
                    cx,
                    "mark_lesson_complete",
                    "marked as completed",
                    "Not recorded",
                );
            });
        }, writes, hint("completed");
    LESSON: "lesson.next", ["n"], "Open the next lesson of the course",
        run |state, out| {
            record_screens::act(state, out, |screen, cx| {
                if let Some((kind, next)) = next(screen) {
                    let at = cx.now();
                    cx.back();
                    record_screens::open_record(cx, kind, &next, at);
                }
            });
        }, hint("next lesson"), unless(|state| match next(record_screens::shown(state)?) {
            Some(_) => None,
            None => Some("this is the last lesson of the course".to_owned()),
        });
}

/// The next lesson, as found beside the one on screen.
fn next(screen: &dyn ShowsRecords) -> Option<(&'static Kind, Record)> {
    let found = screen.found(ListLessons::NAME);
    Some((screen.about()?.0, Record::new(found.first()?)?))
}

/// The lesson after this one in the list of its course.
fn following(lesson: &Record, result: &Value) -> Vec<Value> {
    let lessons = result["lessons"].as_array().into_iter().flatten();
    let mut after = lessons.skip_while(|one| one["id"] != lesson.id());
    after.nth(1).into_iter().cloned().collect()
}

/// Whether the reader has completed the lesson, as noted in a list.
pub(super) fn is_completed(lesson: &Record) -> bool {
    !lesson.get(NOTE)["completed_at"].is_null()
}

fn progress(lesson: &Record, _: &Shared) -> Cell {
    match lesson.get(NOTE) {
        _ if is_completed(lesson) => Cell::marked(Mark::Good, "completed"),
        Value::Null => Cell::dim(""),
        _ => Cell::marked(Mark::Busy, "viewed"),
    }
}

/// The number of completed lessons, and the duration of all.
fn foot(lessons: &[Record], has_more: bool, shared: &Shared) -> Line<'static> {
    let more = if has_more { "+" } else { "" };
    let completed = lessons.iter().filter(|one| is_completed(one)).count();
    let seconds = lessons.iter().filter_map(|one| one.number("duration"));
    let words = format!(
        " {completed} of {}{more} completed · {}{more} in total",
        lessons.len(),
        duration(seconds.sum::<f64>() as u64)
    );
    Line::styled(words, shared.settings.theme.dim)
}

fn takes(lesson: &Record, _: &Shared) -> Cell {
    let seconds = lesson.number("duration");
    let text = seconds.map(|seconds| duration(seconds as u64));
    Cell::new(text.unwrap_or_default())
}

/// A duration in seconds as hours, minutes and seconds: `0:12:30`.
fn duration(seconds: u64) -> String {
    let (minutes, seconds) = (seconds / 60, seconds % 60);
    format!("{}:{:02}:{seconds:02}", minutes / 60, minutes % 60)
}

fn seen(progress: Option<&Value>, shared: &Shared) -> Line<'static> {
    let at = |field: &str| {
        let at = progress?[field].as_str()?.parse().ok()?;
        Some(moment(at, shared.now, &shared.locale))
    };
    match (at("completed_at"), at("last_viewed_at")) {
        (Some(completed), Some(viewed)) => {
            let words = format!("completed {completed}, last viewed {viewed}");
            Mark::Good.span(&shared.settings.theme, &words).into()
        }
        (_, Some(viewed)) => {
            let words = format!("last viewed {viewed}, not completed");
            Line::raw(format!("{} {words}", Mark::Busy.glyph()))
        }
        _ => Line::styled("○ not viewed yet", shared.settings.theme.dim),
    }
}
