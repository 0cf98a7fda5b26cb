//! Lesson Studio: video lessons, slides, thumbnails. The specification names `generate_thumbnail` (sections 1.5 and
//! 4.2); the other tools are additions.

pub mod slide;
pub mod thumbnail;
pub mod video_lesson;

use crate::resource::Resource;
use crate::role::{Role, Roles};

/// The resources of the host, in listing order.
pub const RESOURCES: &[Resource] = &[video_lesson::RESOURCE, slide::RESOURCE, thumbnail::RESOURCE];

/// The staff of an organisation, without machine accounts.
const STAFF: Roles = MAKERS.and(&[Role::Finance]);
/// Roles that make video lessons.
const MAKERS: Roles = Roles::DESK.and(&[Role::Teacher]);
