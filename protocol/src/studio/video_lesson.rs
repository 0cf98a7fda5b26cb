//! Video lessons on their way from a draft to their publication.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{MAKERS, STAFF};
use crate::id::{LessonId, VideoLessonId};
use crate::record::{List, Maybe, One, record};
use crate::tool::{tool, tools};
use crate::value::{Change, Limit, Line, Name, Offset, Patch, Prose, WebUrl};
use crate::words::words;

words! {
    /// How far a video lesson is.
    VideoLessonStatus {
        Draft = "draft",
        Recording = "recording",
        Editing = "editing",
        Published = "published",
    }
}

/// A video lesson.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct VideoLesson {
    /// Identifies the video lesson.
    pub id: VideoLessonId,
    /// Title.
    pub title: String,
    /// What it is about.
    pub description: Option<String>,
    /// The lesson that it is for.
    pub lesson_id: Option<LessonId>,
    /// How far it is.
    pub status: VideoLessonStatus,
    /// Where the video is.
    pub video_url: Option<String>,
    /// How many slides it has.
    pub slide_count: u32,
    /// When it was begun.
    pub created_at: Timestamp,
}
record!(VideoLesson, "video_lesson", "video_lessons");

tool! {
    /// Lists video lessons, the latest first.
    ListVideoLessons = "list_video_lessons" on Studio, READ, for STAFF => List<VideoLesson> {
        opt {
            /// Only those of this status.
            status: Option<VideoLessonStatus>,
            /// Only those for this lesson.
            lesson_id: Option<LessonId>,
            /// Part of the title or description.
            search: Option<Line>,
            /// Most video lessons to return.
            limit: Limit,
            /// Video lessons to skip.
            offset: Offset,
        }
    }
}

tool! {
    /// Gets one video lesson.
    GetVideoLesson = "get_video_lesson" on Studio, READ, for STAFF => Maybe<VideoLesson> {
        req {
            /// The video lesson.
            id: VideoLessonId,
        }
    }
}

tool! {
    /// Adds a video lesson.
    CreateVideoLesson = "create_video_lesson" on Studio, CREATE, for MAKERS => One<VideoLesson> {
        req {
            /// Title.
            title: Name,
        }
        opt {
            /// What it is about.
            description: Option<Prose>,
            /// The lesson that it is for.
            lesson_id: Option<LessonId>,
            /// draft where left out.
            status: Option<VideoLessonStatus>,
            /// Where the video is; needed to publish.
            video_url: Option<WebUrl>,
        }
    }
}

tool! {
    /// Changes a video lesson. Fields left out stay; null clears.
    UpdateVideoLesson = "update_video_lesson" on Studio, UPDATE, for MAKERS => One<VideoLesson> {
        req {
            /// The video lesson.
            id: VideoLessonId,
        }
        opt {
            /// Title.
            title: Change<Name>,
            /// What it is about.
            description: Patch<Prose>,
            /// The lesson that it is for.
            lesson_id: Patch<LessonId>,
            /// How far it is.
            status: Change<VideoLessonStatus>,
            /// Where the video is; needed to publish.
            video_url: Patch<WebUrl>,
        }
    }
}

tools![
    ListVideoLessons,
    GetVideoLesson,
    CreateVideoLesson,
    UpdateVideoLesson
];
