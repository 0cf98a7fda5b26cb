//! Video lessons, from draft to publication.

use jiff::Timestamp;

use super::{MAKERS, STAFF};
use crate::id::{LessonId, VideoLessonId};
use crate::record::{List, Maybe, One};
use crate::resource::resource;
use crate::tool::tool;
use crate::value::{Change, Limit, Line, Name, Offset, Patch, Prose, WebUrl};
use crate::wire::Wire;
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

/// A video lesson.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct VideoLesson {
    pub id: VideoLessonId,
    pub title: String,
    pub description: Option<String>,
    /// The lesson it belongs to.
    pub lesson_id: Option<LessonId>,
    pub status: VideoLessonStatus,
    /// Address of the video.
    pub video_url: Option<String>,
    /// Number of slides.
    pub slide_count: u32,
    /// When it was created.
    pub created_at: Timestamp,
}

resource! {
    VideoLesson = "video_lesson", "video_lessons" (name: title, state: status) {
        list: ListVideoLessons,
        get: GetVideoLesson,
        create: CreateVideoLesson,
        change: UpdateVideoLesson,
    }
}

tool! {
    /// Lists video lessons, latest first.
    ListVideoLessons = "list_video_lessons" on Studio, READ, for STAFF => List<VideoLesson> {
        opt {
            status: Option<VideoLessonStatus>,
            lesson_id: Option<LessonId>,
            /// Part of the title or description.
            search: Option<Line>,
            limit: Limit,
            offset: Offset,
        }
    }
}

tool! {
    /// Gets one video lesson.
    GetVideoLesson = "get_video_lesson" on Studio, READ, for STAFF => Maybe<VideoLesson> {
        req {
            id: VideoLessonId,
        }
    }
}

tool! {
    /// Adds a video lesson.
    CreateVideoLesson = "create_video_lesson" on Studio, CREATE, for MAKERS => One<VideoLesson> {
        req {
            title: Name,
        }
        opt {
            description: Option<Prose>,
            lesson_id: Option<LessonId>,
            status: Option<VideoLessonStatus> = "draft",
            /// Required to publish.
            video_url: Option<WebUrl>,
        }
    }
}

tool! {
    /// Changes a video lesson.
    UpdateVideoLesson = "update_video_lesson" on Studio, UPDATE, for MAKERS => One<VideoLesson> {
        req {
            id: VideoLessonId,
        }
        opt {
            title: Change<Name>,
            description: Patch<Prose>,
            lesson_id: Patch<LessonId>,
            status: Change<VideoLessonStatus>,
            /// Required to publish.
            video_url: Patch<WebUrl>,
        }
    }
}
