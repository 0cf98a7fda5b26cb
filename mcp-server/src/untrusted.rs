//! Validates a tool's arguments and reads what they contain, for `fuzz/` and for the test that replays its findings. Not part of the
//! service.

use frontdesk_protocol::{ErrorCode, Host};

use crate::hosts::Hosts;
use crate::permits::Permit;

/// Reads a foreign format: the first byte selects which.
pub fn formats(bytes: &[u8]) {
    crate::hosts::read_foreign(&Permit::ALONE, bytes);
}

/// Validates arguments: the first byte selects the tool, the rest are its arguments.
///
/// # Panics
/// If a refusal does not say what is wrong.
pub fn arguments(bytes: &[u8]) {
    let Some((&which, rest)) = bytes.split_first() else {
        return;
    };
    let Ok(text) = std::str::from_utf8(rest) else {
        return;
    };
    let hosts = Hosts::default();
    let tools = || Host::ALL.into_iter().flat_map(|host| hosts.routes(host));
    let Some(tool) = tools().nth(usize::from(which) % tools().count()) else {
        return;
    };
    if let Err(error) = tool.tool.check(text) {
        assert_eq!(error.code, ErrorCode::InvalidArgument);
        assert!(!error.message.is_empty());
        assert!(!error.message.contains('\0'));
    }
}
