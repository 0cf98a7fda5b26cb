//! The addresses of the hosts.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, Ipv6Addr};

use frontdesk_protocol::Host;
use url::Url;

use crate::http::Reach;

/// The address cannot belong to a host.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{address}` is not the address of a host: {reason}; write it like https://desk.example.org"
)]
pub struct AddressError {
    address: String,
    reason: String,
}

/// The base addresses of all hosts and of the identity provider, without trailing slashes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Addresses {
    url: String,
    hosts: BTreeMap<Host, String>,
}

impl Addresses {
    /// Every host at `{url}/{area}`, the identity provider at `{url}/auth/v1`.
    ///
    /// # Errors
    /// `url` is not an http or https address, or has a query, a fragment or a password.
    pub fn new(url: &str) -> Result<Self, AddressError> {
        Ok(Addresses {
            url: base(url)?,
            hosts: BTreeMap::new(),
        })
    }

    /// Sets the address of one host.
    ///
    /// # Errors
    /// As for [`Addresses::new`].
    pub fn with_host(mut self, host: Host, address: &str) -> Result<Self, AddressError> {
        self.hosts.insert(host, base(address)?);
        Ok(self)
    }

    /// The base address of the service. Credentials belong to this address.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The base address of a host.
    pub fn base(&self, host: Host) -> String {
        match self.hosts.get(&host) {
            Some(address) => address.clone(),
            None => format!("{}/{}", self.url, host.area()),
        }
    }

    /// The host's MCP endpoint.
    pub fn mcp(&self, host: Host) -> String {
        format!("{}/mcp", self.base(host))
    }

    /// The health endpoint of the host.
    pub fn health(&self, host: Host) -> String {
        format!("{}/health", self.base(host))
    }

    /// The endpoint of the host that refreshes tokens.
    pub fn refresh(&self, host: Host) -> String {
        format!("{}/auth/refresh", self.base(host))
    }

    /// An endpoint of the identity provider: `token`, `user`, `logout`.
    pub fn auth(&self, endpoint: &str) -> String {
        format!("{}/auth/v1/{endpoint}", self.url)
    }

    /// The reach that covers all addresses.
    pub(crate) fn reach(&self) -> Reach {
        match self.all().all(|address| is_loopback(address)) {
            false => Reach::Anywhere,
            true if self.all().all(|address| address.starts_with("http://")) => Reach::Plain,
            true => Reach::Local,
        }
    }

    /// Whether one of them is `http://` on another machine: passwords and tokens travel readable.
    pub fn is_readable_by_others(&self) -> bool {
        let mut all = self.all();
        all.any(|address| address.starts_with("http://") && !is_loopback(address))
    }

    fn all(&self) -> impl Iterator<Item = &String> {
        std::iter::once(&self.url).chain(self.hosts.values())
    }
}

/// Validates an address and removes trailing slashes.
pub(crate) fn base(address: &str) -> Result<String, AddressError> {
    let wrong = |reason: &str| AddressError {
        address: address.to_owned(),
        reason: reason.to_owned(),
    };
    let url = Url::parse(address).map_err(|error| wrong(&error.to_string()))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(wrong("it must begin with https:// or http://"));
    }
    if url.host().is_none() {
        return Err(wrong("it has no host name"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        // The message omits the address, which contains a password.
        return Err(AddressError {
            address: "…@…".to_owned(),
            reason: "it must not contain a user name or password".to_owned(),
        });
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(wrong("it must not have a query or a fragment"));
    }
    Ok(url.as_str().trim_end_matches('/').to_owned())
}

/// Whether the address is on this machine.
pub fn is_loopback(address: &str) -> bool {
    let Ok(url) = Url::parse(address) else {
        return false;
    };
    match url.host() {
        Some(url::Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(url::Host::Ipv4(ip)) => ip.is_loopback() || ip == Ipv4Addr::UNSPECIFIED,
        Some(url::Host::Ipv6(ip)) => ip.is_loopback() || ip == Ipv6Addr::UNSPECIFIED,
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_below_the_base_address_unless_told_otherwise() {
        let addresses = Addresses::new("https://desk.example.org/")
            .and_then(|addresses| addresses.with_host(Host::Events, "https://events.example.org//"))
            .expect("both are addresses");
        assert_eq!(addresses.url(), "https://desk.example.org");
        assert_eq!(
            addresses.mcp(Host::Learn),
            "https://desk.example.org/learn/mcp"
        );
        assert_eq!(
            addresses.mcp(Host::Events),
            "https://events.example.org/mcp"
        );
        assert_eq!(
            addresses.health(Host::Events),
            "https://events.example.org/health"
        );
        assert_eq!(
            addresses.refresh(Host::Learn),
            "https://desk.example.org/learn/auth/refresh"
        );
        assert_eq!(
            addresses.auth("token"),
            "https://desk.example.org/auth/v1/token"
        );
    }

    #[test]
    fn a_base_address_may_have_a_path() {
        let addresses = Addresses::new("https://example.org/desk/").expect("is an address");
        assert_eq!(
            addresses.mcp(Host::Work),
            "https://example.org/desk/work/mcp"
        );
    }

    #[test]
    fn what_is_no_address_is_refused_with_an_example() {
        for (address, reason) in [
            ("desk.example.org", "relative URL without a base"),
            (
                "ftp://desk.example.org",
                "it must begin with https:// or http://",
            ),
            (
                "https://desk.example.org/?a=1",
                "it must not have a query or a fragment",
            ),
            (
                "https://me:secret@desk.example.org",
                "it must not contain a user name or password",
            ),
        ] {
            let error = Addresses::new(address).expect_err(address).to_string();
            assert!(error.contains(reason), "{error}");
            assert!(error.contains("https://desk.example.org"), "{error}");
            assert!(!error.contains("secret"), "{error}");
        }
    }

    #[test]
    fn only_this_machine_is_local() {
        for (address, reach) in [
            ("http://127.0.0.1:8080", Reach::Plain),
            ("http://localhost", Reach::Plain),
            ("http://[::1]:1", Reach::Plain),
            ("https://localhost", Reach::Local),
            ("https://example.org", Reach::Anywhere),
            ("http://example.org", Reach::Anywhere),
        ] {
            let addresses = Addresses::new(address).expect("is an address");
            assert_eq!(addresses.reach(), reach, "{address}");
        }
        let one_away = Addresses::new("http://localhost")
            .and_then(|local| local.with_host(Host::Events, "https://events.example.org"))
            .expect("are addresses");
        assert_eq!(one_away.reach(), Reach::Anywhere);
    }
}
