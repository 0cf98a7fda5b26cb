//! Slides of a video lesson.

use super::{MAKERS, STAFF};
use crate::id::{SlideId, VideoLessonId};
use crate::record::{All, record};
use crate::tool::tool;
use crate::value::{Name, Text, UpTo};
use crate::wire::Wire;

record! {
    /// A slide.
    Slide = "slide", "slides" (parent: video_lesson_id, name: title, position: position) {
        id: SlideId,
        video_lesson_id: VideoLessonId,
        /// Position in the video lesson, from 1.
        position: u32,
        title: String,
        /// Text on the slide.
        body: Option<String>,
        /// Speaker notes.
        notes: Option<String>,
    }
    /// Lists a video lesson's slides in their order.
    list ListSlides = "list_slides" on Studio for STAFF {
        req {
            video_lesson_id: VideoLessonId,
        }
    }
    other SetSlides;
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
    /// Replaces all slides of a video lesson.
    SetSlides = "set_slides" on Studio, DELETE, for MAKERS => All<Slide> {
        req {
            video_lesson_id: VideoLessonId,
            /// In order.
            slides: UpTo<SlideText, 100>,
        }
    }
}
