//! Courses.

use super::{ADMINS, EVERYBODY};
use crate::id::{CourseId, MemberId, UserId};
use crate::record::{List, Maybe, One, record};
use crate::resource::resource;
use crate::tool::tool;
use crate::value::{Limit, Line, Name, Nullable, Offset, Position, Prose, WebUrl};

record! {
    /// A course.
    Course {
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
    /// Adds a course. Global admins only.
    create CreateCourse = "create_course" on Learn for ADMINS;
    /// Changes a course. Global admins only.
    change UpdateCourse = "update_course" on Learn for ADMINS;
}

resource! {
    Course = "course", "courses" (name: title, position: position) {
        list: ListCourses,
        get: GetCourse,
        create: CreateCourse,
        change: UpdateCourse,
        delete: DeleteCourse,
        other: SetCourseTutor,
    }
}

tool! {
    /// Lists courses by position.
    ListCourses = "list_courses" on Learn, READ, for EVERYBODY => List<Course> {
        opt {
            /// Part of the title or description.
            search: Option<Line>,
            limit: Limit,
            offset: Offset,
        }
    }
}

tool! {
    /// Gets a course.
    GetCourse = "get_course" on Learn, READ, for EVERYBODY => Maybe<Course> {
        req {
            id: CourseId,
        }
    }
}

tool! {
    /// Deletes a course and its lessons. Global admins only.
    DeleteCourse = "delete_course" on Learn, DELETE, for ADMINS => One<Course> {
        req {
            id: CourseId,
        }
    }
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
