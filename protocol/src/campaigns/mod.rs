//! The campaigns host: posts, their review and their metrics.

pub mod metric;
pub mod post;

use crate::role::{Role, Roles};
use crate::tool::Declaration;

/// The tools of the host, by resource.
pub const TOOLS: &[&[Declaration]] = &[post::TOOLS, metric::TOOLS];

/// Roles that write posts; teachers only write their own.
const WRITERS: Roles = Roles::DESK.and(&[Role::Teacher]);
/// Roles that read posts: everyone except fellows.
const READERS: Roles = WRITERS.and(&[Role::Finance, Role::Automation]);
