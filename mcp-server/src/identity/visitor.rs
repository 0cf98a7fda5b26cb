//! The client that tries a password: its address, and whether it is a device that has signed in before.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use frontdesk_protocol::id::UserId;
use serde::{Deserialize, Serialize};

use super::authorization::{FlowKey, cookie_header, named_cookie};
use super::{Identity, Provider};

/// How long a device is remembered, in seconds: as long as browsers keep a cookie.
const DEVICE_LIFETIME: u32 = 400 * 24 * 60 * 60;
/// The header in which proxies pass on the addresses of clients.
const FORWARDED: &str = "x-forwarded-for";

/// The client of a request that carries a password.
pub(super) struct Visitor {
    /// The client's address; an IPv6 client has a whole network of 64 bits to choose from.
    pub(super) address: IpAddr,
    headers: HeaderMap,
}

/// A device that has signed in to an account. The cookie is this record, signed: nothing is stored.
#[derive(Serialize, Deserialize)]
struct Device {
    user: UserId,
    id: String,
}

impl FromRequestParts<Identity> for Visitor {
    type Rejection = Infallible;

    async fn from_request_parts(
        parts: &mut Parts,
        identity: &Identity,
    ) -> Result<Self, Infallible> {
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>();
        let peer = peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.0.ip());
        let proxies = identity.0.provider.as_ref().map(|it| it.settings.proxies);
        let address = forwarded(&parts.headers, proxies.unwrap_or_default()).unwrap_or(peer);
        Ok(Visitor {
            address: network(address),
            headers: parts.headers.clone(),
        })
    }
}

impl Visitor {
    /// The id of the device, if it has signed in to this account before.
    pub(super) fn device(&self, provider: &Provider, user: UserId) -> Option<String> {
        let cookie = named_cookie(&self.headers, &cookie_name(user))?;
        let device: Device = FlowKey::new(&provider.sign_in_key).read_device(cookie)?;
        (device.user == user).then_some(device.id)
    }

    /// The cookie that makes the device known to this account.
    pub(super) fn cookie(
        &self,
        identity: &Identity,
        provider: &Provider,
        user: UserId,
    ) -> Option<HeaderValue> {
        let new = || URL_SAFE_NO_PAD.encode(rand::random::<[u8; 16]>());
        let id = self.device(provider, user).unwrap_or_else(new);
        let key = FlowKey::new(&provider.sign_in_key);
        let value = key.sign_device(&Device { user, id })?;
        let base = identity.0.public_address.base(&self.headers)?;
        cookie_header(&base, &cookie_name(user), &value, DEVICE_LIFETIME)
    }
}

/// Each account has a cookie of its own: several people may sign in at one desk.
fn cookie_name(user: UserId) -> String {
    format!("frontdesk_device_{}", user.0.simple())
}

/// The address that the outermost of so many proxies has seen: each adds the address of its own client at the
/// end, and what stands before those is the client's invention.
fn forwarded(headers: &HeaderMap, proxies: u8) -> Option<IpAddr> {
    let addresses = headers.get_all(FORWARDED).iter();
    let addresses: Vec<&str> = addresses
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .collect();
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
