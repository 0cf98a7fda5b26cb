//! The client that tries a password: its address, and whether its device has signed in before.

use std::convert::Infallible;
use std::net::IpAddr;

use axum::extract::FromRequestParts;
use axum::http::header::DATE;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use frontdesk_protocol::id::UserId;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use super::authorization::{FlowKey, cookie_header, named_cookie};
use super::{AuthError, Identity, Provider, Visit};

/// The time a device is remembered, in seconds: the maximum lifetime of a cookie in browsers.
const DEVICE_LIFETIME: u32 = 400 * 24 * 60 * 60;

/// Clocks that differ by less count as equal.
const WRONG_CLOCK: SignedDuration = SignedDuration::from_mins(2);

/// The client of a request with a password.
pub(super) struct Visitor {
    /// The client's network.
    pub(super) address: IpAddr,
    headers: HeaderMap,
}

/// A device that has signed in to an account. The cookie contains this record, signed, so it is not stored.
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
        Ok(Visitor {
            address: identity.network(&parts.extensions, &parts.headers),
            headers: parts.headers.clone(),
        })
    }
}

impl Visitor {
    /// Counts a visit of this client.
    ///
    /// # Errors
    /// [`AuthError::TooManyAttempts`].
    pub(super) fn admit(&self, identity: &Identity, visit: Visit) -> Result<(), AuthError> {
        let admitted = identity.admit(visit, self.address);
        admitted.map_err(|retry_after| AuthError::TooManyAttempts { retry_after })
    }

    /// How much the client's clock is ahead of the server's, if the request has its time and they differ by minutes.
    pub(super) fn clock_ahead(&self, now: Timestamp) -> Option<SignedDuration> {
        let date = self.headers.get(DATE)?.to_str().ok()?;
        let sent = jiff::fmt::rfc2822::parse(date).ok()?.timestamp();
        let ahead = sent.duration_since(now);
        (ahead.abs() >= WRONG_CLOCK).then_some(ahead)
    }

    /// The device's id, if it has signed in to this account before.
    pub(super) fn device(&self, provider: &Provider, user: UserId) -> Option<String> {
        let cookie = named_cookie(&self.headers, &cookie_name(user))?;
        let device: Device = FlowKey::new(&provider.sign_in_key).read_device(cookie)?;
        (device.user == user).then_some(device.id)
    }

    /// The cookie that makes this account recognise the device.
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

/// Each account has its own cookie, because several people can sign in on one machine.
fn cookie_name(user: UserId) -> String {
    format!("frontdesk_device_{}", user.0.simple())
}
