//! The campaigns host: posts, their review, and how they do.

pub mod metric;
pub mod post;

use crate::role::{Role, Roles};
use crate::tool::Declaration;

/// The tools of the host, by resource.
pub const TOOLS: &[&[Declaration]] = &[post::TOOLS, metric::TOOLS];

/// Who writes posts; a teacher's are the own ones.
const WRITERS: Roles = Roles::DESK.and(&[Role::Teacher]);
/// Who reads them: everybody but fellows.
const READERS: Roles = WRITERS.and(&[Role::Finance, Role::Automation]);
