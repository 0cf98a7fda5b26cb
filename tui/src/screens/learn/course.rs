//! Courses with the reader's progress.

use frontdesk_protocol::Host;
use ratatui::text::{Line, Span};
use serde_json::Map;

use super::lesson::is_completed;
use crate::app::input::command::{Context, commands};
use crate::record_screens::{self, ShowsRecords};
use crate::records::columns::Column;
use crate::records::contexts::RECORDS;
use crate::records::kind::Kind;
use crate::records::record::Record;
use crate::records::related::Related;
use crate::records::view::View;
use crate::ui::gauge;

static COURSE: Context = Context::above("One course", &RECORDS);

pub(crate) static VIEW: View = View {
    columns: &[
        Column::field("title", "Course"),
        Column::field("lesson_count", "Lessons"),
        Column::field("tutor_id", "Tutor"),
        Column::field("description", "About"),
    ],
    tabs: &["lessons"],
    related: &[Related {
        title: "Your progress",
        host: Host::Learn,
        tool: "get_my_course_progress",
        arguments: |course, _| {
            vec![Map::from_iter([(
                "course_id".to_owned(),
                course.id().into(),
            )])]
        },
        keep: |_, result| vec![result["course_progress"].clone()],
        names: &[],
        lines: |rows, shared| {
            let Some(progress) = rows.first() else {
                return Vec::new();
            };
            let number = |field: &str| progress[field].as_u64().unwrap_or_default();
            let (completed, total) = (number("completed"), number("total"));
            let mut line: Line = gauge::line(&shared.settings.theme, 20, completed, total);
            line.push_span(Span::raw(format!(", {} viewed", number("viewed"))));
            vec![line]
        },
    }],
    record: &COURSE,
    ..View::new(Host::Learn, "courses")
};

commands! {
    /// Commands for the reader of a course.
    pub(crate) const COMMANDS;

    COURSE: "course.next", ["n"], "Open the first lesson that you have not completed",
        run |state, out| {
            record_screens::act(state, out, |screen, cx| {
                if let Some((kind, next)) = next(screen) {
                    let (next, at) = (next.clone(), cx.now());
                    record_screens::open_record(cx, kind, &next, at);
                }
            });
        }, hint("next lesson"),
        hinted_if(|state| record_screens::shown(state).is_some_and(|screen| next(screen).is_some())),
        unless(|state| match next(record_screens::shown(state)?) {
            Some(_) => None,
            None => Some("no lesson is left in this list".to_owned()),
        });
}

/// The first lesson in the visible list that the reader has not completed.
fn next(screen: &dyn ShowsRecords) -> Option<(&'static Kind, &Record)> {
    let list = screen.list().filter(|list| list.kind.id == "lesson")?;
    let lesson = list.shown().find(|lesson| !is_completed(lesson))?;
    Some((list.kind, lesson))
}
