//! The addresses that a delivery can connect to: public ones, unless private ones are allowed.
//!
//! A name is checked by the addresses it resolves to when the connection is made. So it cannot resolve to a
//! public address for the check and to a private one for the connection.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

/// IPv4 networks that are not public (IANA's special-purpose registry), with their prefix lengths.
const SPECIAL_V4: [([u8; 4], u32); 16] = [
    ([0, 0, 0, 0], 8),        // this network, unspecified
    ([10, 0, 0, 0], 8),       // private
    ([100, 64, 0, 0], 10),    // shared by a carrier's customers; a cloud's metadata
    ([127, 0, 0, 0], 8),      // loopback
    ([168, 63, 129, 16], 32), // a cloud's agent, public by its number alone
    ([169, 254, 0, 0], 16),   // link-local; clouds' metadata
    ([172, 16, 0, 0], 12),    // private
    ([192, 0, 0, 0], 24),     // protocol assignments; a cloud's metadata
    ([192, 0, 2, 0], 24),     // documentation
    ([192, 88, 99, 0], 24),   // relays from 6to4
    ([192, 168, 0, 0], 16),   // private
    ([198, 18, 0, 0], 15),    // benchmarks
    ([198, 51, 100, 0], 24),  // documentation
    ([203, 0, 113, 0], 24),   // documentation
    ([224, 0, 0, 0], 4),      // multicast
    ([240, 0, 0, 0], 4),      // reserved, broadcast
];

/// The public IPv6 addresses …
const GLOBAL_V6: (Ipv6Addr, u32) = (Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3);
/// … except for these.
const SPECIAL_V6: [(Ipv6Addr, u32); 4] = [
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23), // protocol assignments, tunnels
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32), // documentation
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16), // 6to4: an IPv4 address in disguise
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20), // documentation
];
/// Translated to the IPv4 address in the last 32 bits.
const NAT64: (Ipv6Addr, u32) = (Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, 0, 0), 96);

/// Whether the address is public.
pub(super) fn is_public(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => is_public_v4(ip),
        IpAddr::V6(ip) => match ip.to_ipv4_mapped() {
            Some(mapped) => is_public_v4(mapped),
            None if within_v6(ip, NAT64) => {
                let [.., a, b, c, d] = ip.octets();
                is_public_v4(Ipv4Addr::new(a, b, c, d))
            }
            None => {
                within_v6(ip, GLOBAL_V6) && !SPECIAL_V6.iter().any(|range| within_v6(ip, *range))
            }
        },
    }
}

fn is_public_v4(ip: Ipv4Addr) -> bool {
    !SPECIAL_V4.iter().any(|(network, prefix)| {
        let mask = u32::MAX << (32 - prefix);
        ip.to_bits() & mask == u32::from_be_bytes(*network)
    })
}

fn within_v6(ip: Ipv6Addr, (network, prefix): (Ipv6Addr, u32)) -> bool {
    let mask = u128::MAX << (128 - prefix);
    ip.to_bits() & mask == network.to_bits()
}

/// A name that resolves only to private addresses.
#[derive(Debug, thiserror::Error)]
#[error("{name} is {ip}, inside a private network; --webhook-allow-private permits it")]
pub(super) struct PrivateAddress {
    name: String,
    ip: IpAddr,
}

/// A resolver that drops private addresses.
#[derive(Debug)]
pub(crate) struct PublicOnly;

impl Resolve for PublicOnly {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let public = public(name.as_str(), found)?;
            Ok(Box::new(public.into_iter()) as Addrs)
        })
    }
}

fn public(
    name: &str,
    found: impl Iterator<Item = SocketAddr>,
) -> Result<Vec<SocketAddr>, Box<dyn std::error::Error + Send + Sync>> {
    let (public, private): (Vec<_>, Vec<_>) = found.partition(|address| is_public(address.ip()));
    match (public.is_empty(), private.first()) {
        (false, _) => Ok(public),
        (true, Some(address)) => Err(Box::new(PrivateAddress {
            name: name.to_owned(),
            ip: address.ip(),
        })),
        (true, None) => Err(Box::new(io::Error::other(format!("{name} has no address")))),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_the_internet_is_not_public() {
        for address in [
            "0.0.0.0",
            "0.1.2.3",
            "10.0.0.1",
            "10.255.255.255",
            "100.64.0.1",
            "100.100.100.200",
            "100.127.255.255",
            "127.0.0.1",
            "127.255.255.255",
            "168.63.129.16",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.192",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.0.1",
            "192.168.255.255",
            "198.18.0.1",
            "198.19.255.255",
            "198.51.100.1",
            "203.0.113.1",
            "224.0.0.1",
            "239.255.255.255",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::127.0.0.1",
            "::ffff:127.0.0.1",
            "::ffff:169.254.169.254",
            "64:ff9b::10.0.0.1",
            "64:ff9b:1::8.8.8.8",
            "100::1",
            "2001::1",
            "2001:10::1",
            "2001:20::1",
            "2001:db8::1",
            "2002:7f00:1::1",
            "3fff::1",
            "5f00::1",
            "fc00::1",
            "fd00:ec2::254",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ] {
            assert!(!is_public(address.parse().unwrap()), "{address}");
        }
    }

    #[test]
    fn what_lies_beside_those_is_public() {
        for address in [
            "1.1.1.1",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.0",
            "168.63.129.15",
            "168.63.129.17",
            "169.253.255.255",
            "169.255.0.0",
            "172.15.255.255",
            "172.32.0.0",
            "192.0.1.0",
            "192.0.3.0",
            "192.167.255.255",
            "192.169.0.0",
            "198.17.255.255",
            "198.20.0.0",
            "223.255.255.255",
            "::ffff:1.1.1.1",
            "64:ff9b::1.1.1.1",
            "2001:200::1",
            "2001:4860:4860::8888",
            "2003::1",
            "2a00:1450::1",
            "3ffe::1",
        ] {
            assert!(is_public(address.parse().unwrap()), "{address}");
        }
    }

    fn kept(found: &[&str]) -> Result<Vec<String>, String> {
        let found = found
            .iter()
            .map(|ip| SocketAddr::new(ip.parse().unwrap(), 0));
        public("hook.example.org", found)
            .map(|kept| {
                kept.iter()
                    .map(|address| address.ip().to_string())
                    .collect()
            })
            .map_err(|error| error.to_string())
    }

    #[test]
    fn a_name_with_a_private_address_among_others_is_reached_at_the_others() {
        assert_eq!(
            kept(&["10.0.0.1", "1.1.1.1"]),
            Ok(vec!["1.1.1.1".to_owned()])
        );
        let refused = kept(&["10.0.0.1", "::1"]).unwrap_err();
        assert!(
            refused.contains("hook.example.org is 10.0.0.1")
                && refused.contains("--webhook-allow-private"),
            "{refused}"
        );
        assert_eq!(kept(&[]).unwrap_err(), "hook.example.org has no address");
    }
}
