//! The campaigns host: posts, their review and their metrics.

pub mod metric;
pub mod post;

use crate::resource::Resource;
use crate::role::{Role, Roles};

/// The resources of the host, in listing order.
pub const RESOURCES: &[Resource] = &[post::RESOURCE, metric::RESOURCE];

/// Roles that write posts; teachers only write their own.
const WRITERS: Roles = Roles::DESK.and(&[Role::Teacher]);
/// Roles that record where a post was published and how it did.
const RECORDERS: Roles = Roles::DESK.and(&[Role::Automation]);
/// Roles that read posts: everyone except fellows.
const READERS: Roles = WRITERS.and(&[Role::Finance, Role::Automation]);
