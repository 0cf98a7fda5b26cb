//! The networks of clients that are not signed in, and limits on their visits.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::num::NonZeroU32;
use std::time::Duration;

use axum::extract::ConnectInfo;
use axum::http::{Extensions, HeaderMap};

use super::Identity;
use super::limit::Limit;
use crate::clock::Clock;

/// The header in which proxies forward the addresses of clients.
const FORWARDED: &str = "x-forwarded-for";
/// The number of pages a network may have for each registration, and for each invitation visit.
const PAGES: u32 = 10;

/// The purpose of a visit without a sign-in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Visit {
    /// A page of the public wiki.
    Page,
    /// The registration of a client.
    Registration,
    /// An invitation link is opened or used.
    Invitation,
}

/// Counts the visits of each network.
pub(super) struct Visits {
    pages: Limit<IpAddr>,
    others: Limit<(Visit, IpAddr)>,
}

impl Visits {
    /// Allows this many pages a minute for each network, and a tenth of it for each other kind of visit.
    pub(super) fn new(pages: NonZeroU32, clock: &Clock) -> Self {
        let others = NonZeroU32::new(pages.get() / PAGES).unwrap_or(NonZeroU32::MIN);
        Visits {
            pages: Limit::new(pages, clock.clone()),
            others: Limit::new(others, clock.clone()),
        }
    }
}

impl Identity {
    /// The network of a request's client. For an IPv6 client it is the /64, because the client can use all of its
    /// addresses.
    pub(crate) fn network(&self, extensions: &Extensions, headers: &HeaderMap) -> IpAddr {
        let peer = extensions.get::<ConnectInfo<SocketAddr>>();
        let peer = peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.0.ip());
        network(forwarded(headers, self.0.proxies).unwrap_or(peer))
    }

    /// Counts a client's visit.
    ///
    /// # Errors
    /// The time until the next visit is allowed.
    pub(crate) fn admit(&self, visit: Visit, network: IpAddr) -> Result<(), Duration> {
        match (&self.0.visits, visit) {
            (None, _) => Ok(()),
            (Some(visits), Visit::Page) => visits.pages.check(&network),
            (Some(visits), visit) => visits.others.check(&(visit, network)),
        }
    }
}

/// The number of proxies that have named their client.
pub(crate) fn proxies(headers: &HeaderMap) -> usize {
    addresses(headers).len()
}

/// The addresses that proxies have forwarded, the last proxy's last.
fn addresses(headers: &HeaderMap) -> Vec<&str> {
    headers
        .get_all(FORWARDED)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .collect()
}

/// The client's address as seen by the outermost of the proxies. Each proxy appends the address of its own client;
/// addresses before those can be forged.
fn forwarded(headers: &HeaderMap, proxies: u8) -> Option<IpAddr> {
    let addresses = addresses(headers);
    let at = addresses.len().checked_sub(usize::from(proxies))?;
    addresses.get(at)?.trim().parse().ok()
}

fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let prefix = u128::MAX << 64;
            IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & prefix))
        }
        address => address,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_client_is_who_the_outermost_proxy_has_seen() {
        let mut headers = HeaderMap::new();
        headers.append(FORWARDED, "6.6.6.6, 203.0.113.7".parse().unwrap());
        headers.append(FORWARDED, "10.0.0.2".parse().unwrap());
        let seen = |proxies| forwarded(&headers, proxies).map(|address| address.to_string());
        assert_eq!(seen(0), None);
        assert_eq!(seen(1).unwrap(), "10.0.0.2");
        assert_eq!(seen(2).unwrap(), "203.0.113.7");
        assert_eq!(seen(4), None);
    }

    #[test]
    fn an_ipv6_client_is_its_network() {
        let network = |address: &str| network(address.parse().unwrap()).to_string();
        assert_eq!(network("2a00:1:2:3:4:5:6:7"), "2a00:1:2:3::");
        assert_eq!(network("::ffff:203.0.113.7"), "203.0.113.7");
    }
}
