//! Video lessons.

use frontdesk_protocol::studio::video_lesson::{
    CreateVideoLesson, GetVideoLesson, ListVideoLessons, UpdateVideoLesson, VideoLesson,
};

use crate::call::{SqlByName, Stored};
use crate::hosts::routes;

impl Stored for VideoLesson {
    const TABLE: &'static str = "studio.video_lessons";
    const ORDER: &'static str = "t.created_at desc, t.id";
    const FILTERS: SqlByName = &[("search", "t.found_by like (select app.search_pattern($))")];
    const COMPUTED: SqlByName = &[(
        "slide_count",
        "(select count(*)::integer from studio.slides s where s.video_lesson_id = t.id)",
    )];
}

routes![
    ListVideoLessons,
    GetVideoLesson,
    CreateVideoLesson,
    UpdateVideoLesson
];
