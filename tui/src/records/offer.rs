//! Which tools the hosts offer the caller.

use frontdesk_protocol::Declaration;

use crate::app::peer::Peer;
use crate::app::shared::Shared;

/// Why the caller cannot use the tool, if its host does not list it; `None` also while the list is
/// unknown.
pub(crate) fn not_offered(tool: &Declaration, shared: &Shared) -> Option<String> {
    let offered = shared.tools.get(&Peer::Host(tool.host))?;
    if offered.iter().any(|info| info.name == tool.name) {
        return None;
    }
    let role = shared.account().and_then(|account| account.role);
    let role = role.map_or("no role", |role| role.name());
    Some(format!("{} is not offered to you ({role})", tool.name))
}
