//! Courses with the reader's progress.

use frontdesk_protocol::Host;
use ratatui::text::{Line, Span};
use serde_json::Map;

use crate::records::columns::Column;
use crate::records::related::Related;
use crate::records::view::View;
use crate::ui::gauge;

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
            let mut line: Line = gauge::line(&shared.theme, 20, completed, total);
            line.push_span(Span::raw(format!(", {} viewed", number("viewed"))));
            vec![line]
        },
    }],
    ..View::new(Host::Learn, "courses")
};
