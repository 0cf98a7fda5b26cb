//! The routes of all hosts.

use frontdesk_protocol::Host;

use super::Route;

/// The routes of a host by resource, in listing order.
pub type Routes = &'static [&'static [Route]];

/// The tools of each host, with their handlers.
#[derive(Debug, Clone, Copy)]
pub struct Hosts([Routes; Host::ALL.len()]);

impl Hosts {
    /// Hosts without tools.
    pub(crate) const NONE: Hosts = Hosts([&[]; Host::ALL.len()]);

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

    /// The message that a host does not have this tool; it names the host that has it.
    pub fn without(&self, host: Host, tool: &str) -> String {
        let mut others = Host::ALL.into_iter();
        let other = others.find(|other| self.route(*other, tool).is_some());
        let other = other.map_or(String::new(), |other| format!("; host {other} has it"));
        format!("host {host} has no tool `{tool}`{other}")
    }
}
