//! The work host: business units and meetings, so far (specification, section 4.5).

pub mod business_unit;
pub mod meeting;
pub mod occurrence;
pub mod plan;
pub mod series;

use crate::role::{Role, Roles};
use crate::tool::Declaration;

/// The tools of the host, by resource.
pub const TOOLS: &[&[Declaration]] = &[
    series::TOOLS,
    meeting::TOOLS,
    occurrence::TOOLS,
    business_unit::TOOLS,
];

/// Who reads meetings: the organisation's staff.
const STAFF: Roles = Roles::DESK.and(&[Role::Teacher, Role::Finance]);
/// Whom tools that change meetings are offered to: the owner, and those who are global admins as a
/// rule. The database asks for the level.
const ADMINS: Roles = Roles::of(&[Role::Owner, Role::Admin]);
