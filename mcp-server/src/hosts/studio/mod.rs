//! The handlers of Lesson Studio.

mod draw;
mod slide;
mod thumbnail;
mod video_lesson;

use super::Routes;

/// The routes of the host, by resource, as they are declared.
pub(super) const ROUTES: Routes = &[video_lesson::ROUTES, slide::ROUTES, thumbnail::ROUTES];
