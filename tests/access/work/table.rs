//! The rights to meetings.

use frontdesk_protocol::Role;

use crate::access::hosts::work::AREA;

/// What somebody may do with an organisation's meetings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Right {
    Nothing,
    Read,
    /// Changes, and reads.
    Change,
}

/// What the role may do in its own organisation, with this global level.
pub(crate) fn right(role: Role, level: u8) -> Right {
    let may = |tool: &str| {
        let mut stated = AREA.elsewhere.iter().filter(|(name, _)| *name == tool);
        stated.any(|(_, may)| may.includes(role, level.into()))
    };
    match (may("list_meeting_series"), may("set_meeting_template")) {
        (_, true) => Right::Change,
        (true, false) => Right::Read,
        (false, false) => Right::Nothing,
    }
}
