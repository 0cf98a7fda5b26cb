//! Courses.

use super::{ADMINS, EVERYBODY};
use crate::id::{CourseId, MemberId, UserId};
use crate::record::{One, record};
use crate::tool::tool;
use crate::value::{Line, Name, Nullable, Position, Prose, WebUrl};

record! {
    /// A course.
    Course = "course", "courses" (name: title, position: position) {
        id: CourseId,
        title: Name [create, change],
        description: Option<Prose> [create, change],
        /// Full description.
        about: Option<Prose> [create, change],
        /// Address of a picture.
        thumbnail: Option<WebUrl> [create, change],
        /// Lower comes first.
        position: Position [create = 0, change],
        /// The member who taught it.
        tutor_id: Option<MemberId>,
        tutor_name: Option<String>,
        /// The user who created it.
        author_id: Option<UserId>,
        author_name: Option<String>,
        /// The number of lessons that the caller can see.
        lesson_count: u32,
    }
    /// Lists courses by position.
    list ListCourses = "list_courses" on Learn for EVERYBODY {
        opt {
            /// Part of the title or description.
            search: Option<Line>,
        }
    }
    /// Gets a course.
    get GetCourse = "get_course" on Learn for EVERYBODY;
    /// Adds a course. Global admins only.
    create CreateCourse = "create_course" on Learn for ADMINS;
    /// Changes a course. Global admins only.
    change UpdateCourse = "update_course" on Learn for ADMINS;
    /// Deletes a course and its lessons. Global admins only.
    delete DeleteCourse = "delete_course" on Learn for ADMINS;
    other SetCourseTutor;
}

tool! {
    /// Sets the member who taught a course. Global admins only.
    SetCourseTutor = "set_course_tutor" on Learn, UPDATE, for ADMINS => One<Course> {
        req {
            course_id: CourseId,
            /// null removes it.
            tutor_member_id: Nullable<MemberId>,
        }
    }
}
