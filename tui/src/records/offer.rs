//! Which tools the hosts offer the caller.

use frontdesk_protocol::{Declaration, Host};

use crate::app::cx::Cx;
use crate::app::effects::effect::{Owner, Work};
use crate::app::peer::Peer;
use crate::app::shared::{Session, Shared};

/// Requests the tools that a host offers the caller, unless they are known.
pub(crate) fn want_offer(cx: &mut Cx, host: Host) {
    let peer = Peer::Host(host);
    let is_in = matches!(cx.shared.session, Session::In(_));
    if is_in && !cx.shared.tools.contains_key(&peer) {
        cx.on_behalf(Owner::App).run(Work::Tools(peer));
    }
}

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
