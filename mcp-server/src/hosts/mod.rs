//! The handlers of the hosts: one folder per host, one file per resource, as in `protocol`.

mod campaigns;
mod engineering;
pub mod events;
mod financing;
mod learn;
mod ops;
mod payments;
mod plans;
mod proposals;
mod quiz;
mod skills;
mod staff;
mod strategy;
mod studio;
pub mod work;

use frontdesk_protocol::Host;

use crate::call::Route;

/// The tools of one resource, in the order of their declarations. A tool that only performs one operation on a stored
/// record names it after `=>`; other tools implement [`Handler`] themselves.
///
/// [`Handler`]: crate::call::Handler
macro_rules! routes {
    ($($tool:ident $(=> $operation:ident)?),+ $(,)?) => {
        $($(crate::hosts::routes!(@$operation $tool);)?)+

        /// The handlers of this resource.
        pub(super) const ROUTES: &[crate::call::Route] = &[$(crate::call::Route::to::<$tool>()),+];
    };
    (@list $tool:ident) => {
        crate::hosts::routes!(@$tool, call, args => call.list(&args, args.limit, args.offset));
    };
    (@all $tool:ident) => {
        crate::hosts::routes!(@$tool, call, args => call.all(&args));
    };
    (@get $tool:ident) => {
        crate::hosts::routes!(@$tool, call, args => call.get(args.id));
    };
    (@create $tool:ident) => {
        crate::hosts::routes!(@$tool, call, args => call.create(&args));
    };
    (@change $tool:ident) => {
        crate::hosts::routes!(@$tool, call, args => call.change(args.id, &args));
    };
    (@delete $tool:ident) => {
        crate::hosts::routes!(@$tool, call, args => call.delete(args.id));
    };
    (@$tool:ident, $call:ident, $args:ident => $operation:expr) => {
        impl crate::call::Handler for $tool {
            async fn handle(
                self,
                $call: &mut crate::call::Call,
            ) -> crate::call::Outcome<<Self as frontdesk_protocol::Tool>::Output> {
                let $args = self;
                $operation.await
            }
        }
    };
}
pub(crate) use routes;

/// The routes of a host by resource, in listing order.
pub type Routes = &'static [&'static [Route]];

/// The tools of each host, with their handlers.
#[derive(Debug, Clone, Copy)]
pub struct Hosts([Routes; Host::ALL.len()]);

impl Default for Hosts {
    /// The tools declared in `protocol`.
    fn default() -> Self {
        Hosts([&[]; Host::ALL.len()])
            .with(Host::Staff, staff::ROUTES)
            .with(Host::Studio, studio::ROUTES)
            .with(Host::Learn, learn::ROUTES)
            .with(Host::Events, events::ROUTES)
            .with(Host::Work, work::ROUTES)
            .with(Host::Plans, plans::ROUTES)
            .with(Host::Engineering, engineering::ROUTES)
            .with(Host::Payments, payments::ROUTES)
            .with(Host::Financing, financing::ROUTES)
            .with(Host::Campaigns, campaigns::ROUTES)
            .with(Host::Strategy, strategy::ROUTES)
            .with(Host::Proposals, proposals::ROUTES)
            .with(Host::Quiz, quiz::ROUTES)
            .with(Host::Ops, ops::ROUTES)
            .with(Host::Skills, skills::ROUTES)
    }
}

impl Hosts {
    /// Replaces the tools of one host with these.
    #[must_use]
    pub fn with(mut self, host: Host, routes: Routes) -> Self {
        self.0[host as usize] = routes;
        self
    }

    /// The routes of a host, in listing order.
    pub fn routes(&self, host: Host) -> impl Iterator<Item = &'static Route> + use<> {
        self.0[host as usize].iter().copied().flatten()
    }

    /// The route of one tool.
    pub fn route(&self, host: Host, tool: &str) -> Option<&'static Route> {
        self.routes(host).find(|route| route.tool.name == tool)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_declared_tool_has_a_handler() {
        let hosts = Hosts::default();
        for host in Host::ALL {
            let declared: Vec<_> = host.tools().map(|tool| tool.name).collect();
            let handled: Vec<_> = hosts.routes(host).map(|route| route.tool.name).collect();
            assert_eq!(declared, handled, "the tools of {host} and their handlers");
        }
    }
}
