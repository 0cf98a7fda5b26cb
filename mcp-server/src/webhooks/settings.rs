//! The operator's settings of the webhook.

use std::fmt;
use std::time::Duration;

use url::{Host, Url};

use super::address;
use super::{LEASE, Secret};

/// The default time limit for a delivery, from connecting to the answer's status.
const TIMEOUT: Duration = Duration::from_secs(15);
/// The default interval for checking the outbox without a notification: other processes add events, and failed
/// events become due.
const POLL: Duration = Duration::from_secs(5);

/// The receiver's address and the signing secrets.
#[derive(Clone)]
pub struct WebhookSettings {
    pub(super) url: Url,
    pub(super) secrets: Vec<Secret>,
    pub(super) allow_private: bool,
    pub(super) timeout: Duration,
    pub(super) poll: Duration,
}

/// Why the settings are invalid. Only the host of the address is shown, because the rest can contain a token.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// The address is not an https:// or http:// address.
    #[error("the receiver's address must be an https:// address")]
    NoUrl,
    /// The address is http://, which does not protect events in transit.
    #[error(
        "the receiver's address must begin with https://; http:// is for receivers inside a private \
         network, which --webhook-allow-private permits"
    )]
    NotHttps,
    /// An address of this machine or of a private network.
    #[error(
        "the receiver's address {0} is inside a private network; --webhook-allow-private permits it"
    )]
    Private(std::net::IpAddr),
    /// No secret to sign with.
    #[error("a webhook needs a secret to sign with: --webhook-secret")]
    NoSecret,
}

impl WebhookSettings {
    /// Sends events to this address, signed with each of these secrets. Unless private addresses are allowed, the
    /// address must be https:// and public.
    ///
    /// # Errors
    /// [`SettingsError`], with advice.
    pub fn new(
        url: Url,
        secrets: Vec<Secret>,
        allow_private: bool,
    ) -> Result<WebhookSettings, SettingsError> {
        match url.scheme() {
            "https" => {}
            "http" if allow_private => {}
            "http" => return Err(SettingsError::NotHttps),
            _ => return Err(SettingsError::NoUrl),
        }
        // The addresses of a name are checked at every connection.
        let literal = match url.host() {
            Some(Host::Ipv4(ip)) => Some(ip.into()),
            Some(Host::Ipv6(ip)) => Some(ip.into()),
            Some(Host::Domain(_)) => None,
            None => return Err(SettingsError::NoUrl),
        };
        if let Some(ip) = literal
            && !allow_private
            && !address::is_public(ip)
        {
            return Err(SettingsError::Private(ip));
        }
        if secrets.is_empty() {
            return Err(SettingsError::NoSecret);
        }
        Ok(WebhookSettings {
            url,
            secrets,
            allow_private,
            timeout: TIMEOUT,
            poll: POLL,
        })
    }

    /// Sets the time limit for a delivery, at most half a lease. Default: 15 s.
    #[must_use]
    pub fn with_timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout.min(LEASE / 2);
        self
    }

    /// Sets the interval for checking the outbox without a notification. Default: 5 s.
    #[must_use]
    pub fn with_poll(mut self, poll: Duration) -> Self {
        self.poll = poll;
        self
    }

    /// The receiver's host, the only part of its address that can be shown.
    pub fn host(&self) -> &str {
        self.url.host_str().unwrap_or_default()
    }
}

impl fmt::Debug for WebhookSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WebhookSettings")
            .field("host", &self.host())
            .field("secrets", &self.secrets.len())
            .field("allow_private", &self.allow_private)
            .field("timeout", &self.timeout)
            .field("poll", &self.poll)
            .finish()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn secret() -> Secret {
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".parse().unwrap()
    }

    fn settings(url: &str, allow_private: bool) -> Result<WebhookSettings, SettingsError> {
        WebhookSettings::new(url.parse().unwrap(), vec![secret()], allow_private)
    }

    #[test]
    fn a_receiver_on_the_internet_is_taken_over_tls_only() {
        assert!(settings("https://example.org/hook?token=1", false).is_ok());
        assert!(settings("https://93.184.215.14/hook", false).is_ok());
        let refused = settings("http://example.org/hook", false).unwrap_err();
        assert_eq!(refused, SettingsError::NotHttps);
        for url in ["ftp://example.org", "mailto:hook@example.org"] {
            assert_eq!(settings(url, true).unwrap_err(), SettingsError::NoUrl);
        }
    }

    #[test]
    fn an_address_inside_is_refused_however_it_is_written() {
        for url in [
            "https://127.0.0.1/",
            "https://127.1/",
            "https://2130706433/",
            "https://0x7f.0.0.1/",
            "https://0177.0.0.1/",
            "https://[::1]/",
            "https://[::ffff:10.0.0.1]/",
            "https://169.254.169.254/latest/meta-data",
        ] {
            let refused = settings(url, false).unwrap_err();
            assert!(matches!(refused, SettingsError::Private(_)), "{url}");
            assert!(refused.to_string().contains("--webhook-allow-private"));
            assert!(settings(url, true).is_ok(), "{url}");
        }
        assert!(settings("http://10.0.0.1:8080/hook", true).is_ok());
    }

    #[test]
    fn without_a_secret_nothing_is_sent() {
        let url = "https://example.org".parse().unwrap();
        let refused = WebhookSettings::new(url, Vec::new(), false).unwrap_err();
        assert_eq!(refused, SettingsError::NoSecret);
    }

    #[test]
    fn neither_token_nor_secret_is_shown() {
        let settings = settings("https://user:hunter2@example.org/hunter2", false).unwrap();
        let shown = format!("{settings:?}");
        assert!(
            !shown.contains("hunter2") && shown.contains("example.org"),
            "{shown}"
        );
    }
}
