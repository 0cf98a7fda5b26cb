//! Video lessons, from draft to publication.

use jiff::Timestamp;

use super::{MAKERS, STAFF};
use crate::id::{LessonId, VideoLessonId};
use crate::record::record;
use crate::value::{Line, Name, Prose, WebUrl};
use crate::words::words;

words! {
    /// The status of a video lesson.
    VideoLessonStatus {
        Draft = "draft",
        Recording = "recording",
        Editing = "editing",
        Published = "published",
    }
}

record! {
    /// A video lesson.
    VideoLesson = "video_lesson", "video_lessons" (name: title, state: status) {
        id: VideoLessonId,
        title: Name [create, change],
        description: Option<Prose> [create, change],
        lesson_id: Option<LessonId> [create, change],
        status: VideoLessonStatus [create = "draft", change],
        /// Required to publish.
        video_url: Option<WebUrl> [create, change],
        /// Number of slides.
        slide_count: u32,
        /// When it was created.
        created_at: Timestamp,
    }
    /// Lists video lessons, latest first.
    list ListVideoLessons = "list_video_lessons" on Studio for STAFF {
        opt {
            status: Option<VideoLessonStatus>,
            lesson_id: Option<LessonId>,
            /// Part of the title or description.
            search: Option<Line>,
        }
    }
    /// Gets one video lesson.
    get GetVideoLesson = "get_video_lesson" on Studio for STAFF;
    /// Adds a video lesson.
    create CreateVideoLesson = "create_video_lesson" on Studio for MAKERS;
    /// Changes a video lesson.
    change UpdateVideoLesson = "update_video_lesson" on Studio for MAKERS;
}
