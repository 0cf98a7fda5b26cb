//! The handlers of Lesson Studio.

pub(super) mod draw;
mod slide;
mod thumbnail;
mod video_lesson;

use super::Routes;

/// The routes by resource, in the order of their declarations.
pub(super) const ROUTES: Routes = &[video_lesson::ROUTES, slide::ROUTES, thumbnail::ROUTES];
