//! Lessons of a course.

use frontdesk_protocol::learn::lesson::{
    CreateLesson, DeleteLesson, GetLesson, Lesson, ListLessons, UpdateLesson,
};

use crate::call::Stored;
use crate::hosts::routes;

impl Stored for Lesson {
    const TABLE: &'static str = "learn.lessons";
    const ORDER: &'static str = "t.position, t.ordinal";
}

routes![
    ListLessons,
    GetLesson,
    CreateLesson,
    UpdateLesson,
    DeleteLesson
];
