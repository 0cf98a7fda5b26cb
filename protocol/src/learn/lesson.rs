//! Lessons of a course.

use super::{ADMINS, EVERYBODY};
use crate::id::{CourseId, LessonId};
use crate::record::{List, Maybe, One};
use crate::resource::resource;
use crate::tool::tool;
use crate::value::{Change, Limit, Name, Natural, Offset, Patch, Position, Prose, Text, WebUrl};
use crate::wire::Wire;
use crate::words::words;

words! {
    /// Whether fellows can see a lesson.
    LessonStatus {
        Draft = "draft",
        Published = "published",
    }
}

/// The transcript of a lesson.
pub type Transcription = Text<0, 200_000>;

/// A lesson.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Lesson {
    pub id: LessonId,
    pub course_id: CourseId,
    pub title: String,
    pub description: Option<String>,
    /// Address of the video.
    pub video_url: Option<String>,
    /// Length in seconds.
    pub duration: Option<f64>,
    /// Position in the course; lower comes first.
    pub position: f64,
    /// Fellows see published lessons only.
    pub status: LessonStatus,
    /// Whether searches find it.
    pub is_searchable: bool,
    /// Transcript.
    pub transcription: Option<String>,
    /// Title outside its course.
    pub standalone_title: Option<String>,
}

resource! {
    Lesson = "lesson", "lessons" (parent: course_id, name: title, state: status, position: position) {
        list: ListLessons,
        get: GetLesson,
        create: CreateLesson,
        change: UpdateLesson,
        delete: DeleteLesson,
    }
}

tool! {
    /// Lists a course's lessons by position.
    ListLessons = "list_lessons" on Learn, READ, for EVERYBODY => List<Lesson> {
        req {
            course_id: CourseId,
        }
        opt {
            status: Option<LessonStatus>,
            limit: Limit,
            offset: Offset,
        }
    }
}

tool! {
    /// Gets a lesson.
    GetLesson = "get_lesson" on Learn, READ, for EVERYBODY => Maybe<Lesson> {
        req {
            id: LessonId,
        }
    }
}

tool! {
    /// Adds a lesson to a course. Global admins only.
    CreateLesson = "create_lesson" on Learn, CREATE, for ADMINS => One<Lesson> {
        req {
            course_id: CourseId,
            title: Name,
        }
        opt {
            description: Option<Prose>,
            video_url: Option<WebUrl>,
            /// Seconds.
            duration: Option<Natural>,
            /// Lower comes first.
            position: Option<Position> = 0,
            status: Option<LessonStatus> = "draft",
        }
    }
}

tool! {
    /// Changes a lesson. Global admins only.
    UpdateLesson = "update_lesson" on Learn, UPDATE, for ADMINS => One<Lesson> {
        req {
            id: LessonId,
        }
        opt {
            title: Change<Name>,
            description: Patch<Prose>,
            video_url: Patch<WebUrl>,
            /// Seconds.
            duration: Patch<Natural>,
            /// Lower comes first.
            position: Change<Position>,
            status: Change<LessonStatus>,
            is_searchable: Change<bool>,
            transcription: Patch<Transcription>,
            /// Title outside its course.
            standalone_title: Patch<Name>,
        }
    }
}

tool! {
    /// Deletes a lesson. Global admins only.
    DeleteLesson = "delete_lesson" on Learn, DELETE, for ADMINS => One<Lesson> {
        req {
            id: LessonId,
        }
    }
}
