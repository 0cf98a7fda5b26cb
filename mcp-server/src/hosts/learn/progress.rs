//! Progress of members.

use frontdesk_protocol::ToolError;
use frontdesk_protocol::id::LessonId;
use frontdesk_protocol::learn::lesson::Lesson;
use frontdesk_protocol::learn::progress::{
    CourseProgress, GetMyCourseProgress, GetMyLessonProgress, GetProgramMemberProgress,
    LessonProgress, MarkLessonComplete, MarkLessonViewed, MemberProgress, SetMemberProgress,
};
use frontdesk_protocol::record::{All, List, Maybe, One, Record};
use uuid::Uuid;

use crate::call::{Call, Filter, Handler, Outcome, SqlByName, Stored, columns};
use crate::database::params;
use crate::hosts::routes;

impl Stored for MemberProgress {
    const TABLE: &'static str = "learn.cohort_members";
    const FILTERS: SqlByName = &[
        (
            "user_id",
            "t.member_id = (select u.member_id from learn.profiles u where u.id = $)",
        ),
        (
            "program_id",
            "t.cohort_id = (select g.cohort_id from learn.programs g where g.id = $)",
        ),
    ];
}

impl Handler for GetProgramMemberProgress {
    /// Selects the page first, so that only its members' milestones are counted, all in one statement. They are counted
    /// member by member: grouped together, they would be sorted on disk.
    async fn handle(self, call: &mut Call) -> Outcome<List<MemberProgress>> {
        let filter = Filter::of::<MemberProgress>(&self);
        let rows = call.query("select app.caller_is_admin()", &[]).await?;
        let is_admin = rows.first().is_some_and(|row| row.get(0));
        let whose = match is_admin {
            true => "true",
            false => "t.member_id = (select app.caller_member())",
        };
        // An admin's unfiltered list reads all members in order, up to the end of the page.
        let members = match is_admin && filter.params().is_empty() {
            true => {
                "learn.members m cross join lateral (select c.member_id, c.cohort_id \
                   from learn.cohort_members c where c.member_id = m.id offset 0) t"
            }
            false => "learn.cohort_members t join learn.members m on m.id = t.member_id",
        };
        let select = |limit: &str, offset: &str| {
            format!(
                "with page as materialized ( \
                   select m.name as member_name, m.name_key, t.member_id, t.cohort_id, g.id as program_id \
                   from {members} join learn.programs g on g.cohort_id = t.cohort_id \
                   where {whose} and {} order by m.name_key, t.member_id, t.cohort_id limit {limit} + 1 offset {offset} \
                 ), milestone as materialized ( \
                   select s.program_id, n.id from learn.stages s join learn.milestones n on n.stage_id = s.id \
                   where s.program_id in (select program_id from page) \
                 ), total as materialized ( \
                   select program_id, count(*)::integer as total from milestone group by program_id \
                 ) \
                 select p.member_id, p.member_name, p.cohort_id, p.program_id, \
                        (select u.id from learn.profiles u where u.member_id = p.member_id) as user_id, \
                        coalesce(total, 0) as total, done, \
                        coalesce(round(100.0 * done / total, 1), 0)::double precision as percentage, \
                        last_completed_at \
                 from page p left join total using (program_id) cross join lateral ( \
                   select (count(*) filter (where n.program_id = p.program_id))::integer as done, \
                          max(d.completed_at) filter (where n.program_id = p.program_id) as last_completed_at \
                   from learn.milestone_completions d join milestone n on n.id = d.milestone_id \
                   where d.member_id = p.member_id \
                 ) o \
                 order by p.name_key, p.member_id, p.cohort_id",
                filter.conditions()
            )
        };
        call.page(select, filter.params(), self.limit, self.offset)
            .await
    }
}

impl Handler for SetMemberProgress {
    async fn handle(self, call: &mut Call) -> Outcome<One<MemberProgress>> {
        if self.milestone_id.is_some() == self.stage_id.is_some() {
            let message = "give milestone_id or stage_id, and not both";
            return Err(ToolError::invalid("milestone_id", message));
        }
        call.query("select learn.require_desk()", &[]).await?;
        // The milestones, as far as the member is in the cohort of their program.
        let milestones = "select n.id, s.program_id from learn.milestones n join learn.stages s on s.id = n.stage_id \
               join learn.programs g on g.id = s.program_id \
               join learn.cohort_members c on c.cohort_id = g.cohort_id and c.member_id = $1 \
             where n.id = $2 or n.stage_id = $3";
        let set = match self.is_completed {
            true => format!(
                "insert into learn.milestone_completions (milestone_id, member_id) \
                 select m.id, $1 from ({milestones}) m on conflict do nothing"
            ),
            false => format!(
                "delete from learn.milestone_completions d where d.member_id = $1 and d.milestone_id in (select m.id from ({milestones}) m)"
            ),
        };
        let params = params![self.member_id, self.milestone_id, self.stage_id];
        let program = format!("select p.program_id from ({milestones}) p limit 1");
        let program = call.query(&program, params).await?;
        let Some(program) = program.first().map(|row| row.get::<_, Uuid>(0)) else {
            let known = "select exists (select from learn.milestones n where n.id = $1) \
                   or exists (select from learn.stages s where s.id = $2)";
            let known = call.query(known, &params[1..]).await?;
            if !known.first().is_some_and(|row| row.get(0)) {
                let field = match self.milestone_id {
                    Some(_) => "milestone_id",
                    None => "stage_id",
                };
                return Err(ToolError::not_found(field.trim_end_matches("_id")).on(field));
            }
            let message = "must be in the cohort of a program with these milestones";
            return Err(ToolError::invalid("member_id", message));
        };
        call.query(&set, params).await?;
        let sql = "select json_build_object('member_progress', json_build_object( \
               'member_id', m.id, 'member_name', m.name, \
               'user_id', (select u.id from learn.profiles u where u.member_id = m.id), \
               'cohort_id', g.cohort_id, 'program_id', g.id, 'total', n.total, 'done', n.done, \
               'percentage', coalesce(round(100.0 * n.done / nullif(n.total, 0), 1), 0)::double precision, \
               'last_completed_at', n.last))::text \
             from learn.members m, learn.programs g, \
               lateral (select count(*) as total, count(d.milestone_id) as done, max(d.completed_at) as last \
                        from learn.stages s join learn.milestones x on x.stage_id = s.id \
                        left join learn.milestone_completions d on d.milestone_id = x.id and d.member_id = m.id \
                        where s.program_id = g.id) n \
             where m.id = $1 and g.id = $2";
        let progress = call
            .finally()
            .json(sql, params![self.member_id, program])
            .await?;
        progress.ok_or_else(|| ToolError::not_found("member").on("member_id"))
    }
}

impl Stored for LessonProgress {
    const TABLE: &'static str = "learn.lesson_progress";
}

impl Handler for GetMyCourseProgress {
    async fn handle(self, call: &mut Call) -> Outcome<Maybe<CourseProgress>> {
        let sql = format!(
            "select json_build_object('course_progress', (select json_build_object( \
               'course_id', c.id, 'total', count(l.id), 'viewed', count(t.first_viewed_at), \
               'completed', count(t.completed_at), \
               'percentage', coalesce(round(100.0 * count(t.completed_at) / nullif(count(l.id), 0), 1), 0), \
               'lessons', coalesce(json_agg((select r from (select {}) r) order by l.position, l.ordinal) \
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

/// Writes the caller's progress in a lesson: the columns of a new row, and the changes to an existing one.
async fn mark(
    call: &mut Call,
    lesson: LessonId,
    first: &str,
    change: &str,
) -> Outcome<One<LessonProgress>> {
    let times = first.split(", ").map(|_| "now()").collect::<Vec<_>>();
    let sql = format!(
        "with r as (insert into learn.lesson_progress as t (lesson_id, {first}) \
           select l.id, {} from learn.lessons l where l.id = $1 \
           on conflict (user_id, lesson_id, organization_id) do update set {change} \
           returning {}) \
         select json_build_object('lesson_progress', row_to_json(r))::text from r",
        times.join(", "),
        columns::<LessonProgress>()
    );
    let marked = call.finally().json(&sql, params![lesson]).await?;
    marked.ok_or_else(|| ToolError::not_found(Lesson::SINGULAR).on("lesson_id"))
}

impl Handler for MarkLessonViewed {
    /// A view that began earlier and ends later does not set a time back.
    async fn handle(self, call: &mut Call) -> Outcome<One<LessonProgress>> {
        let change = "first_viewed_at = coalesce(t.first_viewed_at, excluded.first_viewed_at), \
                      last_viewed_at = greatest(t.last_viewed_at, excluded.last_viewed_at)";
        mark(
            call,
            self.lesson_id,
            "first_viewed_at, last_viewed_at",
            change,
        )
        .await
    }
}

impl Handler for MarkLessonComplete {
    async fn handle(self, call: &mut Call) -> Outcome<One<LessonProgress>> {
        let change = "completed_at = coalesce(t.completed_at, excluded.completed_at)";
        mark(call, self.lesson_id, "completed_at", change).await
    }
}

routes![
    GetProgramMemberProgress => own,
    SetMemberProgress => own,
    GetMyCourseProgress => own,
    GetMyLessonProgress => own,
    MarkLessonViewed => own,
    MarkLessonComplete => own,
];
