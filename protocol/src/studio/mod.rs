//! Lesson Studio: video lessons, slides, thumbnails. The specification names `generate_thumbnail` (section 1); the
//! other tools are additions.

pub mod slide;
pub mod thumbnail;
pub mod video_lesson;

use crate::role::{Role, Roles};
use crate::tool::Declaration;

/// The tools of the host, by resource.
pub const TOOLS: &[&[Declaration]] = &[video_lesson::TOOLS, slide::TOOLS, thumbnail::TOOLS];

/// The staff of an organisation, without machine accounts.
const STAFF: Roles = MAKERS.and(&[Role::Finance]);
/// Roles that make video lessons.
const MAKERS: Roles = Roles::DESK.and(&[Role::Teacher]);
