//! Courses.

use frontdesk_protocol::learn::course::{
    Course, CreateCourse, DeleteCourse, GetCourse, ListCourses, SetCourseTutor, UpdateCourse,
};
use frontdesk_protocol::record::One;
use serde_json::json;

use crate::call::{Call, Handler, Outcome, SqlByName, Stored, named};
use crate::hosts::routes;

impl Stored for Course {
    const TABLE: &'static str = "learn.courses";
    const ORDER: &'static str = "t.position, t.ordinal";
    const FILTERS: SqlByName = &[("search", "t.found_by like (select app.search_pattern($))")];
    const COMPUTED: SqlByName = &[
        named!("author_name": account "author_id"),
        named!("tutor_name": member "tutor_id"),
        (
            "lesson_count",
            "(select count(*)::integer from learn.lessons l where l.course_id = t.id)",
        ),
    ];
}

impl Handler for SetCourseTutor {
    async fn handle(self, call: &mut Call) -> Outcome<One<Course>> {
        let tutor = json!({ "tutor_id": self.tutor_member_id });
        let changed = call.finally().change(self.course_id, &tutor).await;
        changed.map_err(|refusal| {
            refusal
                .called("id", "course_id")
                .called("tutor_id", "tutor_member_id")
        })
    }
}

routes![
    ListCourses,
    GetCourse,
    CreateCourse,
    UpdateCourse,
    DeleteCourse,
    SetCourseTutor => own,
];
