//! The programs that the caller goes through, with the next milestone of each.

use frontdesk_protocol::Host;
use frontdesk_protocol::Tool;
use frontdesk_protocol::learn::program::GetProgram;
use frontdesk_protocol::learn::progress::{GetMyLessonProgress, GetProgramMemberProgress};
use frontdesk_protocol::value::{Limit, Offset, UpTo};
use serde::Deserialize;
use serde_json::{Value, json};

use super::part::{Next, Part, progress, progress_columns};
use crate::app::shared::Shared;
use crate::fields::cell::Cell;
use crate::records::record::Record;

/// Programs of one caller that are shown.
const MOST: usize = 5;
/// Lessons that can be asked for at once.
const LESSONS: usize = 500;

pub(super) static PROGRAMS: Part = Part {
    title: "My programs",
    none: "",
    host: Host::Learn,
    kind: "program",
    is_for: |role| role.is_some_and(|role| GetProgramMemberProgress::AUDIENCE.contains(role)),
    next,
    ends: false,
    is_nothing: |_| false,
    note: |_, _| None,
    columns: progress_columns,
    cells: |program, is_narrow, _| {
        vec![
            Cell::new(program.text("name").unwrap_or_default()),
            match program.text("next_milestone") {
                Some(next) => Cell::new(format!("next: {next}")),
                None => Cell::dim("no milestone is left"),
            },
            progress(program, is_narrow),
        ]
    },
};

/// How far the caller is in which programs, then each program, then what the caller has seen of the lessons
/// that their milestones stand for.
fn next(shared: &Shared, answers: &[Value]) -> Next {
    let Some((progress, more)) = answers.split_first() else {
        return Next::ask(&GetProgramMemberProgress {
            cohort_id: None,
            program_id: None,
            user_id: shared.account().map(|account| account.id),
            limit: Limit::default(),
            offset: Offset::default(),
        });
    };
    let rows = progress["progress"]
        .as_array()
        .map_or(&[][..], Vec::as_slice);
    let rows = &rows[..rows.len().min(MOST)];
    if let Some(row) = rows.get(more.len()) {
        return Next::ask(&GetProgram {
            id: Deserialize::deserialize(&row["program_id"]).ok(),
            slug: None,
        });
    }
    let (programs, lessons) = more.split_at(rows.len());
    let programs = programs.iter().map(|answer| &answer["program"]);
    let linked = programs.clone().flat_map(milestones);
    let linked = linked.filter_map(|one| Deserialize::deserialize(&one["linked_material_id"]).ok());
    let linked: Vec<_> = linked.take(LESSONS).collect();
    if lessons.is_empty()
        && !linked.is_empty()
        && let Some(lesson_ids) = UpTo::new(linked)
    {
        return Next::ask(&GetMyLessonProgress { lesson_ids });
    }
    let seen = lessons
        .first()
        .and_then(|answer| answer["lesson_progress"].as_array());
    let completed = seen
        .into_iter()
        .flatten()
        .filter(|one| !one["completed_at"].is_null());
    let completed: Vec<&Value> = completed.map(|one| &one["lesson_id"]).collect();
    let rows = rows.iter().zip(programs).filter_map(|(row, program)| {
        let left = milestones(program).filter(|one| {
            one["status"] != "done" && !completed.contains(&&one["linked_material_id"])
        });
        // What waits for something else comes after what does not.
        let next = left.min_by_key(|one| one["gated"] == true);
        Record::new(&json!({
            "id": program["id"],
            "name": program["name"],
            "kind": program["kind"],
            "status": program["status"],
            "next_milestone": next.map(|one| &one["title"]),
            "done": row["done"],
            "total": row["total"],
        }))
    });
    Next::Rows(rows.collect())
}

/// All milestones of a program, in its order.
fn milestones(program: &Value) -> impl Iterator<Item = &Value> {
    let stages = program["stages"].as_array().into_iter().flatten();
    stages
        .filter_map(|stage| stage["milestones"].as_array())
        .flatten()
}
