//! The routes of all hosts.

use std::sync::Arc;

use frontdesk_protocol::Host;

use super::{Offers, Route};
use crate::database::quoted;

/// The word of a [`Narrow`] that leaves the tools that write out.
const READ_ONLY: &str = "read-only";

/// The routes of a host by resource, in listing order.
pub type Routes = &'static [&'static [Route]];

/// The tools of each host, with their handlers.
#[derive(Debug, Clone)]
pub struct Hosts {
    routes: [Routes; Host::ALL.len()],
    /// What they offer beside their tools.
    pub(crate) offers: Offers,
    narrow: Option<Arc<Narrow>>,
}

/// Some of the tools: a caller can do without the others, and never gets more in this way.
#[derive(Debug, Clone, Default)]
struct Narrow {
    /// The words of the request, for refusals.
    words: String,
    read_only: bool,
    /// Whether that is a token's, which only reads.
    is_token: bool,
    /// All hosts, if neither hosts nor tools are named.
    hosts: Vec<Host>,
    tools: Vec<(Host, &'static str)>,
}

impl Hosts {
    /// Hosts without tools.
    pub(crate) const NONE: Hosts = Hosts {
        routes: [&[]; Host::ALL.len()],
        offers: Offers::NONE,
        narrow: None,
    };

    /// Replaces the tools of one host with these.
    #[must_use]
    pub fn with(mut self, host: Host, routes: Routes) -> Self {
        self.routes[host as usize] = routes;
        self
    }

    /// Replaces what they offer beside their tools and the records of these.
    #[must_use]
    pub fn offering(self, offers: Offers) -> Self {
        Hosts { offers, ..self }
    }

    /// Only these tools: words separated by commas, which are `read-only`, areas of hosts, and tools as `area.tool`.
    ///
    /// # Errors
    /// A sentence about the first word that is none of these.
    pub fn narrowed(&self, words: &str) -> Result<Hosts, String> {
        let mut narrow = Narrow {
            words: words.trim().to_owned(),
            ..Narrow::default()
        };
        for word in words.split(',').map(str::trim) {
            let (area, tool) = match word.split_once('.') {
                Some((area, tool)) => (area, Some(tool)),
                None => (word, None),
            };
            let host = area.parse::<Host>().ok();
            let route = |host| self.route(host, tool?);
            match (host, tool, host.and_then(route)) {
                _ if word == READ_ONLY => narrow.read_only = true,
                (Some(host), None, _) => narrow.hosts.push(host),
                (Some(host), Some(_), Some(route)) => narrow.tools.push((host, route.tool.name)),
                _ => {
                    return Err(format!(
                        "`{word}` is neither {READ_ONLY}, nor an area, nor a tool as `area.tool`"
                    ));
                }
            }
        }
        let narrow = Some(Arc::new(narrow));
        Ok(Hosts {
            routes: self.routes,
            offers: self.offers,
            narrow,
        })
    }

    /// Of these, the tools that a token which only reads can use.
    #[must_use]
    pub fn reading(mut self) -> Hosts {
        let narrow = self.narrow.as_deref().cloned().unwrap_or_default();
        self.narrow = Some(Arc::new(Narrow {
            read_only: true,
            is_token: true,
            ..narrow
        }));
        self
    }

    /// The routes of a host, in listing order.
    pub fn routes(&self, host: Host) -> impl Iterator<Item = &'static Route> {
        let all = self.routes[host as usize].iter().copied().flatten();
        all.filter(move |route| self.offers(host, route.tool.name, route.tool.effect.read_only))
    }

    /// The route of one tool.
    pub fn route(&self, host: Host, tool: &str) -> Option<&'static Route> {
        self.routes(host).find(|route| route.tool.name == tool)
    }

    /// Whether a tool of a host is among these.
    pub fn offers(&self, host: Host, tool: &str, is_read_only: bool) -> bool {
        self.narrow.as_deref().is_none_or(|narrow| {
            let is_all = narrow.hosts.is_empty() && narrow.tools.is_empty();
            let is_named = narrow.hosts.contains(&host) || narrow.tools.contains(&(host, tool));
            (is_all || is_named) && (is_read_only || !narrow.read_only)
        })
    }

    /// Why a tool that the host has is not among these.
    pub fn hides(&self, host: Host, tool: &str) -> Option<String> {
        let narrow = self.narrow.as_deref()?;
        let mut all = self.routes[host as usize].iter().copied().flatten();
        let hidden = all.find(|route| route.tool.name == tool);
        let hidden = hidden.filter(|_| self.route(host, tool).is_none())?;
        if narrow.is_token && !hidden.tool.effect.read_only {
            return Some(format!("{host}.{tool} is hidden: this token only reads"));
        }
        Some({
            let words = quoted(&narrow.words);
            format!("{host}.{tool} is hidden: this connection asked for {words} only")
        })
    }

    /// The message that a host does not have this tool; it names the host that has it.
    pub fn without(&self, host: Host, tool: &str) -> String {
        if let Some(hidden) = self.hides(host, tool) {
            return hidden;
        }
        let mut others = Host::ALL.into_iter();
        let other = others.find(|other| self.route(*other, tool).is_some());
        let other = other.map_or(String::new(), |other| format!("; host {other} has it"));
        format!("host {host} has no tool `{tool}`{other}")
    }
}
