//! The public address of the service.

use std::str::FromStr;

use axum::http::{HeaderMap, header};
use url::Url;

/// Not a valid public address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}; write it like https://frontdesk.example.org")]
pub struct PublicAddressError(&'static str);

/// The public address of the service: the operator's setting or, without one, the name that the client addressed (which
/// the wire has checked), with plain HTTP.
///
/// A server behind a proxy that terminates TLS cannot know its public address; it needs the setting.
#[derive(Debug, Clone, Default)]
pub struct PublicAddress(Option<Url>);

impl FromStr for PublicAddress {
    type Err = PublicAddressError;

    fn from_str(address: &str) -> Result<Self, PublicAddressError> {
        let url = Url::parse(address).map_err(|_| PublicAddressError("it is not an address"))?;
        if !matches!(url.scheme(), "http" | "https") || url.host().is_none() {
            return Err(PublicAddressError("it must begin with https:// or http://"));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(PublicAddressError(
                "it must not contain a user name or password",
            ));
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(PublicAddressError("it must not have a query or a fragment"));
        }
        Ok(PublicAddress(Some(url)))
    }
}

impl PublicAddress {
    /// The base address, without a trailing slash; `None` if neither the operator nor the request names one.
    pub(crate) fn base(&self, headers: &HeaderMap) -> Option<String> {
        match &self.0 {
            Some(url) => Some(url.as_str().trim_end_matches('/').to_owned()),
            None => self.as_named(headers),
        }
    }

    /// The address with the name that the client addressed.
    pub(crate) fn as_named(&self, headers: &HeaderMap) -> Option<String> {
        let name = headers.get(header::HOST)?.to_str().ok()?;
        let scheme = self.0.as_ref().map_or("http", Url::scheme);
        Some(format!("{scheme}://{name}"))
    }

    /// The operator's setting.
    pub fn url(&self) -> Option<&Url> {
        self.0.as_ref()
    }

    /// The name in the operator's setting.
    pub(crate) fn name(&self) -> Option<String> {
        self.url()?.host_str().map(str::to_owned)
    }

    /// The path of the base address, without a trailing slash; usually empty.
    pub(crate) fn path(&self) -> &str {
        let url = self.0.as_ref();
        url.map_or("", |url| url.path().trim_end_matches('/'))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn headers(host: &'static str) -> HeaderMap {
        [(header::HOST, host.parse().unwrap())]
            .into_iter()
            .collect()
    }

    #[test]
    fn what_the_operator_says_stands_above_what_the_client_addressed() {
        let told: PublicAddress = "https://example.org/desk/".parse().unwrap();
        let inside = headers("10.0.0.1:4700");
        assert_eq!(
            told.base(&inside).as_deref(),
            Some("https://example.org/desk")
        );
        assert_eq!(told.path(), "/desk");
        let below = headers("events.example.org");
        assert_eq!(
            told.as_named(&below).as_deref(),
            Some("https://events.example.org")
        );

        let untold = PublicAddress::default();
        assert_eq!(
            untold.base(&inside).as_deref(),
            Some("http://10.0.0.1:4700")
        );
        assert_eq!(untold.path(), "");
        assert_eq!(untold.base(&HeaderMap::new()), None);
    }

    #[test]
    fn what_is_no_address_is_refused_without_repeating_it() {
        for address in [
            "example.org",
            "ftp://example.org",
            "https://me:hunter2@example.org",
            "https://example.org/?token=hunter2",
            "https://example.org/#top",
        ] {
            let error = address.parse::<PublicAddress>().unwrap_err().to_string();
            assert!(!error.contains("hunter2"), "{error}");
            assert!(error.contains("https://frontdesk.example.org"), "{error}");
        }
    }
}
