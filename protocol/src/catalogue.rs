//! What each host declares.

use crate::host::Host;
use crate::resource::{Kind, Resource};
use crate::tool::Declaration;

impl Host {
    /// The resources of this host, in listing order.
    pub const fn resources(self) -> &'static [Resource] {
        match self {
            Host::Staff => crate::staff::RESOURCES,
            Host::Studio => crate::studio::RESOURCES,
            Host::Events => crate::events::RESOURCES,
            Host::Learn => crate::learn::RESOURCES,
            Host::Work => crate::work::RESOURCES,
            Host::Plans => crate::plans::RESOURCES,
            Host::Engineering => crate::engineering::RESOURCES,
            Host::Payments => crate::payments::RESOURCES,
            Host::Financing => crate::financing::RESOURCES,
            Host::Campaigns => crate::campaigns::RESOURCES,
            Host::Strategy => crate::strategy::RESOURCES,
            Host::Proposals => crate::proposals::RESOURCES,
            Host::Quiz => crate::quiz::RESOURCES,
            Host::Ops => crate::ops::RESOURCES,
            Host::Skills => crate::skills::RESOURCES,
        }
    }

    /// The tools declared for this host, in listing order.
    pub fn tools(self) -> impl Iterator<Item = &'static Declaration> {
        self.resources().iter().flat_map(|one| one.tools)
    }

    /// The kinds of records of this host.
    pub fn kinds(self) -> impl Iterator<Item = &'static Kind> {
        self.resources().iter().flat_map(|one| one.kinds)
    }

    /// The declaration of one tool of this host.
    pub fn tool(self, name: &str) -> Option<&'static Declaration> {
        self.tools().find(|tool| tool.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tool_names_are_unique_within_a_host() {
        for host in Host::ALL {
            let mut names: Vec<_> = host.tools().map(|tool| tool.name).collect();
            names.sort_unstable();
            let all = names.len();
            names.dedup();
            assert_eq!(names.len(), all, "{host} declares a tool twice");
        }
    }
}
