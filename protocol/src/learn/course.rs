//! Courses.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ADMINS, EVERYBODY};
use crate::id::{CourseId, MemberId, UserId};
use crate::record::{List, Maybe, One};
use crate::resource::resource;
use crate::tool::tool;
use crate::value::{Change, Limit, Line, Name, Nullable, Offset, Patch, Position, Prose, WebUrl};

/// A course.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Course {
    pub id: CourseId,
    pub title: String,
    /// Short description.
    pub description: Option<String>,
    /// Full description.
    pub about: Option<String>,
    /// Address of a picture.
    pub thumbnail: Option<String>,
    /// Display position; lower comes first.
    pub position: f64,
    /// The member who taught it.
    pub tutor_id: Option<MemberId>,
    pub tutor_name: Option<String>,
    /// The user who created it.
    pub author_id: Option<UserId>,
    pub author_name: Option<String>,
    /// Number of lessons visible to the caller.
    pub lesson_count: u32,
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
    /// Adds a course. Global admins only.
    CreateCourse = "create_course" on Learn, CREATE, for ADMINS => One<Course> {
        req {
            title: Name,
        }
        opt {
            description: Option<Prose>,
            /// Full description.
            about: Option<Prose>,
            /// Address of a picture.
            thumbnail: Option<WebUrl>,
            /// Lower comes first.
            position: Option<Position> = 0,
        }
    }
}

tool! {
    /// Changes a course. Global admins only.
    UpdateCourse = "update_course" on Learn, UPDATE, for ADMINS => One<Course> {
        req {
            id: CourseId,
        }
        opt {
            title: Change<Name>,
            description: Patch<Prose>,
            /// Full description.
            about: Patch<Prose>,
            /// Address of a picture.
            thumbnail: Patch<WebUrl>,
            /// Lower comes first.
            position: Change<Position>,
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
