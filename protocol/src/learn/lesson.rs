//! Lessons of a course.

use super::{ADMINS, EVERYBODY};
use crate::id::{CourseId, LessonId};
use crate::record::record;
use crate::value::{Name, Natural, Patch, Position, Prose, Text, WebUrl};
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

record! {
    /// A lesson.
    Lesson = "lesson", "lessons" (parent: course_id, name: title, state: status, position: position) {
        id: LessonId,
        course_id: CourseId [create],
        title: Name [create, change],
        description: Option<Prose> [create, change],
        video_url: Option<WebUrl> [create, change],
        /// Seconds.
        duration: Option<Natural> [create, change],
        /// Lower comes first.
        position: Position [create = 0, change],
        status: LessonStatus [create = "draft", change],
        is_searchable: bool [change],
        /// Transcript.
        transcription: Option<String>,
        /// Title outside its course.
        standalone_title: Option<Name> [change],
    }
    /// Lists a course's lessons by position.
    list ListLessons = "list_lessons" on Learn for EVERYBODY {
        req {
            course_id: CourseId,
        }
        opt {
            status: Option<LessonStatus>,
        }
    }
    /// Gets a lesson.
    get GetLesson = "get_lesson" on Learn for EVERYBODY;
    /// Adds a lesson to a course. Global admins only.
    create CreateLesson = "create_lesson" on Learn for ADMINS;
    /// Changes a lesson. Global admins only.
    change UpdateLesson = "update_lesson" on Learn for ADMINS {
        opt {
            transcription: Patch<Transcription>,
        }
    }
    /// Deletes a lesson. Global admins only.
    delete DeleteLesson = "delete_lesson" on Learn for ADMINS;
}
