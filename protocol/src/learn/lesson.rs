//! Lessons of a course.

use super::{ADMINS, EVERYBODY};
use crate::id::{CourseId, LessonId};
use crate::record::{List, Maybe, One, record};
use crate::resource::resource;
use crate::tool::tool;
use crate::value::{Limit, Name, Natural, Offset, Patch, Position, Prose, Text, WebUrl};
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
    Lesson {
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
    /// Adds a lesson to a course. Global admins only.
    create CreateLesson = "create_lesson" on Learn for ADMINS;
    /// Changes a lesson. Global admins only.
    change UpdateLesson = "update_lesson" on Learn for ADMINS {
        opt {
            transcription: Patch<Transcription>,
        }
    }
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
    /// Deletes a lesson. Global admins only.
    DeleteLesson = "delete_lesson" on Learn, DELETE, for ADMINS => One<Lesson> {
        req {
            id: LessonId,
        }
    }
}
