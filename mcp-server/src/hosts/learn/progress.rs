//! How far people are.

use frontdesk_protocol::ToolError;
use frontdesk_protocol::id::LessonId;
use frontdesk_protocol::learn::lesson::Lesson;
use frontdesk_protocol::learn::progress::{
    CourseProgress, GetMyCourseProgress, GetMyLessonProgress, GetProgramMemberProgress,
    LessonProgress, MarkLessonComplete, MarkLessonViewed, MemberProgress,
};
use frontdesk_protocol::record::{All, Maybe, One, Record};

use crate::call::{Call, Handler, Outcome, Stored, columns};
use crate::database::params;
use crate::hosts::routes;

impl Stored for MemberProgress {
    const TABLE: &'static str = "learn.program_member_progress";
    const ORDER: &'static str = "t.name_key, t.member_id, t.cohort_id";
}

impl Stored for LessonProgress {
    const TABLE: &'static str = "learn.lesson_progress";
}

impl Handler for GetMyCourseProgress {
    async fn handle(self, call: &mut Call) -> Outcome<Maybe<CourseProgress>> {
        let sql = format!(
            "select json_build_object('course_progress', (select json_build_object( \
               'course_id', c.id, 'total', count(l.id), 'viewed', count(t.lesson_id), \
               'completed', count(t.completed_at), \
               'percentage', coalesce(round(100.0 * count(t.completed_at) / nullif(count(l.id), 0), 1), 0), \
               'lessons', coalesce(json_agg((select r from (select {}) r) order by l.position, l.id) \
                                   filter (where t.lesson_id is not null), '[]')) \
             from learn.courses c left join learn.lessons l on l.course_id = c.id \
             left join learn.lesson_progress t on t.lesson_id = l.id \
             where c.id = $1 group by c.id))::text",
            columns::<LessonProgress>()
        );
        let progress = call.json(&sql, params![self.course_id]).await?;
        progress.ok_or_else(|| ToolError::not_found(CourseProgress::SINGULAR))
    }
}

impl Handler for GetMyLessonProgress {
    async fn handle(self, call: &mut Call) -> Outcome<All<LessonProgress>> {
        let select = format!(
            "select {} from learn.lesson_progress t where t.lesson_id = any ($1) \
             order by array_position($1, t.lesson_id)",
            columns::<LessonProgress>()
        );
        call.records(&select, params![self.lesson_ids]).await
    }
}

/// Notes a view of a lesson, and with `completed_at` that it is completed; the first time is kept.
async fn mark(
    call: &mut Call,
    lesson: LessonId,
    completed_at: &str,
) -> Outcome<One<LessonProgress>> {
    let sql = format!(
        "with r as (insert into learn.lesson_progress as t (lesson_id, completed_at) \
           select l.id, {completed_at} from learn.lessons l where l.id = $1 \
           on conflict (user_id, lesson_id, organization_id) do update set last_viewed_at = now(), \
             completed_at = coalesce(t.completed_at, excluded.completed_at) \
           returning {}) \
         select json_build_object('lesson_progress', row_to_json(r))::text from r",
        columns::<LessonProgress>()
    );
    let marked = call.json(&sql, params![lesson]).await?;
    marked.ok_or_else(|| ToolError::not_found(Lesson::SINGULAR).on("lesson_id"))
}

impl Handler for MarkLessonViewed {
    async fn handle(self, call: &mut Call) -> Outcome<One<LessonProgress>> {
        mark(call, self.lesson_id, "null::timestamptz").await
    }
}

impl Handler for MarkLessonComplete {
    async fn handle(self, call: &mut Call) -> Outcome<One<LessonProgress>> {
        mark(call, self.lesson_id, "now()").await
    }
}

routes![
    GetProgramMemberProgress => list,
    GetMyCourseProgress,
    GetMyLessonProgress,
    MarkLessonViewed,
    MarkLessonComplete,
];
