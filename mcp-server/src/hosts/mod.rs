//! The hosts' handlers: one folder a host, one file a resource, as in `protocol`.

pub mod events;
pub mod work;

use frontdesk_protocol::Host;

use crate::call::Route;

/// The routes of one resource: `routes![ListEvents, GetEvent]`.
macro_rules! routes {
    ($($tool:ident),+ $(,)?) => {
        /// The handlers of this resource.
        pub(super) const ROUTES: &[crate::call::Route] = &[$(crate::call::Route::to::<$tool>()),+];
    };
}
pub(crate) use routes;

/// The routes of a host, by resource.
pub fn of(host: Host) -> &'static [&'static [Route]] {
    match host {
        Host::Events => events::ROUTES,
        Host::Work => work::ROUTES,
        _ => &[],
    }
}

/// The route to one tool of a host.
pub fn route(host: Host, tool: &str) -> Option<&'static Route> {
    of(host)
        .iter()
        .copied()
        .flatten()
        .find(|route| route.tool.name == tool)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_declared_tool_has_a_handler() {
        for host in Host::ALL {
            let declared: Vec<_> = host.tools().map(|tool| tool.name).collect();
            let handled: Vec<_> = of(host)
                .iter()
                .copied()
                .flatten()
                .map(|route| route.tool.name)
                .collect();
            assert_eq!(declared, handled, "the tools of {host} and their handlers");
        }
    }
}
