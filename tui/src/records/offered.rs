//! Which tools the hosts offer the caller.

use super::kind::Tool;
use crate::app::cx::Cx;
use crate::app::effects::server_jobs::FetchTools;
use crate::app::owner::Owner;
use crate::app::peer::Peer;
use crate::app::shared::{Session, Shared};

/// Requests the tools that a host offers the caller, unless they are known.
pub(crate) fn want_offer(cx: &mut Cx, peer: &Peer) {
    let is_in = matches!(cx.shared.session, Session::In(_));
    if is_in && !cx.shared.tools.contains_key(peer) {
        cx.on_behalf(Owner::App).run(FetchTools(peer.clone()));
    }
}

/// Why the caller cannot use the tool, if its host does not list it; `None` also while the list is
/// unknown.
pub(crate) fn not_offered(peer: &Peer, tool: &str, shared: &Shared) -> Option<String> {
    let offered = shared.tools.get(peer)?;
    if offered.iter().any(|info| info.name == tool) {
        return None;
    }
    let role = shared.account().and_then(|account| account.role);
    let role = role.map_or("no role", |role| role.name());
    Some(format!("{tool} is not offered to you ({role})"))
}

impl Tool {
    /// Why the caller cannot use it.
    pub(crate) fn not_offered(&self, shared: &Shared) -> Option<String> {
        not_offered(&self.peer, &self.name, shared)
    }
}
