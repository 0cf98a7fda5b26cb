//! Slides of a video lesson.

use super::{MAKERS, STAFF};
use crate::id::{SlideId, VideoLessonId};
use crate::record::{All, List};
use crate::resource::resource;
use crate::tool::tool;
use crate::value::{Limit, Name, Offset, Text, UpTo};
use crate::wire::Wire;

/// A slide.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Slide {
    pub id: SlideId,
    pub video_lesson_id: VideoLessonId,
    /// Position in the video lesson, from 1.
    pub position: u32,
    pub title: String,
    /// Text on the slide.
    pub body: Option<String>,
    /// Speaker notes.
    pub notes: Option<String>,
}

resource! {
    Slide = "slide", "slides" (parent: video_lesson_id, name: title, position: position) {
        list: ListSlides,
        other: SetSlides,
    }
}

/// A slide to write.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(strict, inline)]
pub struct SlideText {
    pub title: Name,
    /// Text on the slide.
    #[wire(optional)]
    pub body: Option<Text<0, 2000>>,
    /// Speaker notes.
    #[wire(optional)]
    pub notes: Option<Text<0, 2000>>,
}

tool! {
    /// Lists a video lesson's slides in their order.
    ListSlides = "list_slides" on Studio, READ, for STAFF => List<Slide> {
        req {
            video_lesson_id: VideoLessonId,
        }
        opt {
            limit: Limit,
            offset: Offset,
        }
    }
}

tool! {
    /// Replaces all slides of a video lesson.
    SetSlides = "set_slides" on Studio, DELETE, for MAKERS => All<Slide> {
        req {
            video_lesson_id: VideoLessonId,
            /// In order.
            slides: UpTo<SlideText, 100>,
        }
    }
}
