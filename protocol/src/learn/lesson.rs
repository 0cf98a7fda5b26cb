//! Lessons of a course.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ADMINS, EVERYBODY};
use crate::id::{CourseId, LessonId};
use crate::record::{List, Maybe, One, record};
use crate::tool::{tool, tools};
use crate::value::{Change, Limit, Name, Natural, Offset, Patch, Position, Prose, Text, WebUrl};
use crate::words::words;

words! {
    /// Whether a lesson is to be seen.
    LessonStatus {
        Draft = "draft",
        Published = "published",
    }
}

/// The text of a lesson, spoken or written.
pub type Transcription = Text<0, 200_000>;

/// A lesson.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Lesson {
    /// Identifies the lesson.
    pub id: LessonId,
    /// The course.
    pub course_id: CourseId,
    /// Title.
    pub title: String,
    /// What it is about.
    pub description: Option<String>,
    /// Address of the video.
    pub video_url: Option<String>,
    /// Length in seconds.
    pub duration: Option<f64>,
    /// Place in the course.
    pub position: f64,
    /// Fellows see published ones.
    pub status: LessonStatus,
    /// Whether searches find it.
    pub is_searchable: bool,
    /// What is said in it.
    pub transcription: Option<String>,
    /// Title outside its course.
    pub standalone_title: Option<String>,
}
record!(Lesson, "lesson", "lessons");

tool! {
    /// Lists a course's lessons by position.
    ListLessons = "list_lessons" on Learn, READ, for EVERYBODY => List<Lesson> {
        req {
            /// The course.
            course_id: CourseId,
        }
        opt {
            /// Only lessons of this status.
            status: Option<LessonStatus>,
            /// Most lessons to return.
            limit: Limit,
            /// Lessons to skip.
            offset: Offset,
        }
    }
}

tool! {
    /// Gets a lesson.
    GetLesson = "get_lesson" on Learn, READ, for EVERYBODY => Maybe<Lesson> {
        req {
            /// The lesson.
            id: LessonId,
        }
    }
}

tool! {
    /// Adds a lesson to a course. Global admins only.
    CreateLesson = "create_lesson" on Learn, CREATE, for ADMINS => One<Lesson> {
        req {
            /// The course.
            course_id: CourseId,
            /// Title.
            title: Name,
        }
        opt {
            /// What it is about.
            description: Option<Prose>,
            /// Address of the video.
            video_url: Option<WebUrl>,
            /// Length in seconds.
            duration: Option<Natural>,
            /// Place in the course.
            position: Option<Position>,
            /// draft where left out.
            status: Option<LessonStatus>,
        }
    }
}

tool! {
    /// Changes a lesson: null clears. Global admins only.
    UpdateLesson = "update_lesson" on Learn, UPDATE, for ADMINS => One<Lesson> {
        req {
            /// The lesson.
            id: LessonId,
        }
        opt {
            /// Title.
            title: Change<Name>,
            /// What it is about.
            description: Patch<Prose>,
            /// The video.
            video_url: Patch<WebUrl>,
            /// Length in seconds.
            duration: Patch<Natural>,
            /// Place.
            position: Change<Position>,
            /// draft or published.
            status: Change<LessonStatus>,
            /// To be found by searches.
            is_searchable: Change<bool>,
            /// What is said.
            transcription: Patch<Transcription>,
            /// Title elsewhere.
            standalone_title: Patch<Name>,
        }
    }
}

tool! {
    /// Deletes a lesson. Global admins only.
    DeleteLesson = "delete_lesson" on Learn, DELETE, for ADMINS => One<Lesson> {
        req {
            /// The lesson.
            id: LessonId,
        }
    }
}

tools![
    ListLessons,
    GetLesson,
    CreateLesson,
    UpdateLesson,
    DeleteLesson
];
