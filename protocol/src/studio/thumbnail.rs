//! Thumbnails: pictures of 1280 by 720 that YouTube shows for a video.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{MAKERS, STAFF};
use crate::content::Contents;
use crate::id::{ThumbnailId, VideoLessonId};
use crate::record::{List, record};
use crate::tool::{tool, tools};
use crate::value::{Color, Limit, Offset, Text};

/// A thumbnail that is stored; get_thumbnail shows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Thumbnail {
    /// Identifies the thumbnail.
    pub id: ThumbnailId,
    /// What stands on it.
    pub title: String,
    /// What stands below that.
    pub subtitle: Option<String>,
    /// The video lesson that it is for.
    pub video_lesson_id: Option<VideoLessonId>,
    /// The size of the PNG.
    pub bytes: u32,
    /// When it was made.
    pub created_at: Timestamp,
}
record!(Thumbnail, "thumbnail", "thumbnails");

tool! {
    /// Draws a thumbnail of 1280x720, a PNG of at most 2 MB, and stores it. The same input gives the same picture.
    GenerateThumbnail = "generate_thumbnail" on Studio, UPDATE, for MAKERS => Contents as content {
        req {
            /// Wrapped and fitted.
            title: Text<1, 150>,
        }
        opt {
            /// A smaller text below.
            subtitle: Option<Text<1, 150>>,
            /// `#RRGGBB`.
            background: Option<Color>,
            /// `#RRGGBB`.
            text_color: Option<Color>,
            /// `#RRGGBB`.
            accent: Option<Color>,
            /// A PNG, JPEG or WebP behind the text, as Base64.
            picture: Option<Text<1, 980_000>>,
            /// The video lesson that it is for.
            video_lesson_id: Option<VideoLessonId>,
        }
    }
}

tool! {
    /// Lists stored thumbnails, the latest first.
    ListThumbnails = "list_thumbnails" on Studio, READ, for STAFF => List<Thumbnail> {
        opt {
            /// Only those for this video lesson.
            video_lesson_id: Option<VideoLessonId>,
            /// Most thumbnails to return.
            limit: Limit,
            /// Thumbnails to skip.
            offset: Offset,
        }
    }
}

tool! {
    /// Shows a stored thumbnail.
    GetThumbnail = "get_thumbnail" on Studio, READ, for STAFF => Contents as content {
        req {
            /// The thumbnail.
            id: ThumbnailId,
        }
    }
}

tools![GenerateThumbnail, ListThumbnails, GetThumbnail];
