//! Thumbnails: images of 1280 x 720 pixels that YouTube shows for a video.

use jiff::Timestamp;

use super::{MAKERS, STAFF};
use crate::content::Contents;
use crate::id::{ThumbnailId, VideoLessonId};
use crate::record::record;
use crate::tool::tool;
use crate::value::{Color, Text};

record! {
    /// A stored thumbnail; `get_thumbnail` returns the image.
    Thumbnail = "thumbnail", "thumbnails" (parent: video_lesson_id, name: title) {
        id: ThumbnailId,
        /// The main text.
        title: String,
        /// A smaller text below.
        subtitle: Option<String>,
        /// The video lesson it belongs to.
        video_lesson_id: Option<VideoLessonId>,
        /// Size of the PNG in bytes.
        bytes: u32,
        /// When it was generated.
        created_at: Timestamp,
    }
    create GenerateThumbnail;
    /// Lists stored thumbnails, latest first.
    list ListThumbnails = "list_thumbnails" on Studio for STAFF {
        opt {
            video_lesson_id: Option<VideoLessonId>,
        }
    }
    other GetThumbnail;
}

tool! {
    /// Draws and stores a thumbnail: a PNG of 1280x720, at most 2 MB. The same input gives the same image.
    GenerateThumbnail = "generate_thumbnail" on Studio, UPDATE, for MAKERS => Contents as content {
        req {
            title: Text<1, 150>,
        }
        opt {
            subtitle: Option<Text<1, 150>>,
            background: Option<Color>,
            text_color: Option<Color>,
            accent: Option<Color>,
            /// Background image behind the text: PNG, JPEG or WebP, Base64.
            picture: Option<Text<1, 980_000>>,
            video_lesson_id: Option<VideoLessonId>,
        }
    }
}

tool! {
    /// Gets the image of a stored thumbnail.
    GetThumbnail = "get_thumbnail" on Studio, READ, for STAFF => Contents as content {
        req {
            id: ThumbnailId,
        }
    }
}
