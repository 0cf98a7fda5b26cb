//! Lesson Studio: video lessons, slides, thumbnails. `generate_thumbnail` is the specification's (section 1), the
//! other tools are ours.

pub mod slide;
pub mod thumbnail;
pub mod video_lesson;

use crate::role::{Role, Roles};
use crate::tool::Declaration;

/// The tools of the host, by resource.
pub const TOOLS: &[&[Declaration]] = &[video_lesson::TOOLS, slide::TOOLS, thumbnail::TOOLS];

/// The staff of an organisation; machines are none.
const STAFF: Roles = MAKERS.and(&[Role::Finance]);
/// Who makes video lessons.
const MAKERS: Roles = Roles::DESK.and(&[Role::Teacher]);
