//! The caller's courses with the next lesson of each, those that were begun first.

use frontdesk_protocol::learn::course::ListCourses;
use frontdesk_protocol::learn::lesson::{LessonStatus, ListLessons};
use frontdesk_protocol::learn::progress::GetMyLessonProgress;
use frontdesk_protocol::value::{Limit, Offset, UpTo};
use frontdesk_protocol::{Host, Role, Tool};
use serde::Deserialize;
use serde_json::{Value, json};

use super::part::{Next, Part, progress, progress_columns};
use crate::app::shared::Shared;
use crate::fields::cell::Cell;
use crate::records::record::Record;

/// Maximum number of courses that are read.
const MOST: usize = 5;
/// Lessons whose progress can be requested at once.
const AT_ONCE: usize = 500;

pub(super) static LESSONS: Part = Part {
    title: "My lessons",
    none: "no lessons left",
    host: Host::Learn,
    kind: "lesson",
    is_for: |role| {
        role.is_some_and(|role| role == Role::Fellow && ListLessons::AUDIENCE.contains(role))
    },
    next,
    ends: false,
    is_nothing: |_| false,
    note: |_, _| None,
    columns: progress_columns,
    cells: |lesson, is_narrow, _| {
        vec![
            Cell::new(lesson.text("course").unwrap_or_default()),
            Cell::new(format!(
                "next: {}",
                lesson.text("title").unwrap_or_default()
            )),
            progress(lesson, is_narrow),
        ]
    },
};

/// The courses, then the lessons of each, then the caller's progress in them.
fn next(_: &Shared, answers: &[Value]) -> Next {
    let Some((courses, more)) = answers.split_first() else {
        return Next::ask(&ListCourses {
            search: None,
            limit: Limit::default(),
            offset: Offset::default(),
        });
    };
    let courses = courses["courses"].as_array().map_or(&[][..], Vec::as_slice);
    let courses = &courses[..courses.len().min(MOST)];
    if let Some(course) = courses.get(more.len())
        && let Ok(course_id) = Deserialize::deserialize(&course["id"])
    {
        return Next::ask(&ListLessons {
            course_id,
            status: Some(LessonStatus::Published),
            limit: Limit::new(100).unwrap_or_default(),
            offset: Offset::default(),
        });
    }
    let (lessons, progress) = more.split_at(more.len().min(courses.len()));
    let ids = lessons.iter().flat_map(of_course);
    let ids = ids.filter_map(|lesson| Deserialize::deserialize(&lesson["id"]).ok());
    let ids: Vec<_> = ids.take(AT_ONCE).collect();
    if progress.is_empty()
        && !ids.is_empty()
        && let Some(lesson_ids) = UpTo::new(ids)
    {
        return Next::ask(&GetMyLessonProgress { lesson_ids });
    }
    let progress = progress.first();
    let progress = progress.and_then(|answer| answer["lesson_progress"].as_array());
    let progress = progress.map_or(&[][..], Vec::as_slice);
    let rows = courses.iter().zip(lessons);
    let mut rows: Vec<Record> = rows
        .filter_map(|(course, lessons)| row(course, of_course(lessons), progress))
        .collect();
    rows.sort_by_key(|row| row.number("done") == Some(0.0));
    Next::Rows(rows)
}

fn of_course(answer: &Value) -> &[Value] {
    answer["lessons"].as_array().map_or(&[], Vec::as_slice)
}

/// The first lesson of a course that is not completed.
fn row(course: &Value, lessons: &[Value], progress: &[Value]) -> Option<Record> {
    let is_completed = |lesson: &&Value| {
        let mut own = progress
            .iter()
            .filter(|one| one["lesson_id"] == lesson["id"]);
        own.any(|one| !one["completed_at"].is_null())
    };
    let next = lessons.iter().find(|lesson| !is_completed(lesson))?;
    let mut row = next.clone();
    let row = row.as_object_mut()?;
    row.insert("course".to_owned(), course["title"].clone());
    row.insert(
        "done".to_owned(),
        json!(lessons.iter().filter(is_completed).count()),
    );
    row.insert("total".to_owned(), json!(lessons.len()));
    Record::new(&Value::Object(row.clone()))
}
