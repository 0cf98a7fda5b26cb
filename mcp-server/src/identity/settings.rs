//! The operator's settings of identity.

use std::fmt;
use std::num::NonZeroU32;
use std::time::Duration;

use url::Url;

#[cfg(feature = "code-host")]
use super::CodeHostSettings;
use super::PublicAddress;

/// The issuer of accepted tokens.
#[derive(Debug, Clone)]
pub enum TokenSource {
    /// The built-in provider: it signs with ES256 and serves the routes under `/auth/v1`.
    Own,
    /// An external provider.
    Outside(OutsideProvider),
}

/// An external identity provider.
#[derive(Debug, Clone)]
pub struct OutsideProvider {
    /// The source of its keys.
    pub keys: OutsideKeys,
    /// The required `iss` claim.
    pub issuer: String,
    /// The required audience (`aud`).
    pub audience: String,
}

/// The keys of an external identity provider.
#[derive(Clone)]
pub enum OutsideKeys {
    /// ES256 keys, published at this address.
    JwksUrl(Url),
    /// A secret of at least 32 bytes, for HS256.
    Secret(String),
}

impl fmt::Debug for OutsideKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OutsideKeys::JwksUrl(url) => f
                .debug_tuple("JwksUrl")
                .field(&url.host_str().unwrap_or_default())
                .finish(),
            OutsideKeys::Secret(_) => f.write_str("Secret(…)"),
        }
    }
}

/// The operator's settings of identity. Only the source, the public address, the external server, the proxies and the
/// pages also apply with an external provider.
#[derive(Debug, Clone)]
pub struct IdentitySettings {
    /// The issuer of accepted tokens.
    pub source: TokenSource,
    /// The public address of the service.
    pub public_address: PublicAddress,
    /// The address at which an external provider issues tokens, for clients that look for a way to sign in. Default:
    /// its issuer, if that is an address.
    pub outside_server: Option<Url>,
    /// The `apikey` header that `/auth/v1/token` requires. It identifies the project and is not a secret. `None`
    /// requires no header.
    pub public_key: Option<String>,
    /// The lifetime of an access token.
    pub access_lifetime: Duration,
    /// The lifetime of a refresh token; each use returns a new one.
    pub refresh_lifetime: Duration,
    /// The `iss` claim of the tokens.
    pub issuer: String,
    /// A provider for sign-in, in addition to passwords.
    #[cfg(feature = "code-host")]
    pub code_host: Option<CodeHostSettings>,
    /// Whether a client's metadata document can also be at an http:// address or in a private network.
    pub private_clients: bool,
    /// The number of proxies in front of the server that add their client's address to `X-Forwarded-For`.
    pub proxies: u8,
    /// The number of password attempts a minute for each account and client; `None` is unlimited.
    pub password_attempts: Option<NonZeroU32>,
    /// The number of public wiki pages a minute for each network. Client registrations and invitation visits each get a
    /// tenth of it. `None` is unlimited.
    pub pages_per_minute: Option<NonZeroU32>,
}

impl Default for IdentitySettings {
    fn default() -> Self {
        IdentitySettings {
            source: TokenSource::Own,
            public_address: PublicAddress::default(),
            outside_server: None,
            public_key: None,
            access_lifetime: Duration::from_secs(60 * 60),
            refresh_lifetime: Duration::from_secs(30 * 24 * 60 * 60),
            issuer: "frontdesk".to_owned(),
            #[cfg(feature = "code-host")]
            code_host: None,
            private_clients: false,
            proxies: 0,
            password_attempts: NonZeroU32::new(10),
            pages_per_minute: NonZeroU32::new(300),
        }
    }
}

impl IdentitySettings {
    /// The address of the external provider that issues the tokens, if it is known.
    pub(super) fn authorization_server(&self) -> Option<Url> {
        let TokenSource::Outside(provider) = &self.source else {
            return None;
        };
        let issuer = || Url::parse(&provider.issuer).ok();
        let server = self.outside_server.clone().or_else(issuer)?;
        matches!(server.scheme(), "http" | "https").then_some(server)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn an_issuer_that_is_an_address_is_where_clients_sign_in() {
        let server = |issuer: &str, told: Option<&str>| {
            let settings = IdentitySettings {
                source: TokenSource::Outside(OutsideProvider {
                    keys: OutsideKeys::Secret(String::new()),
                    issuer: issuer.to_owned(),
                    audience: "authenticated".to_owned(),
                }),
                outside_server: told.map(|told| told.parse().unwrap()),
                ..IdentitySettings::default()
            };
            settings.authorization_server().map(String::from)
        };
        let issuer = "https://id.test/auth/v1";
        assert_eq!(server(issuer, None).unwrap(), issuer);
        assert_eq!(
            server(issuer, Some("https://other.test")).unwrap(),
            "https://other.test/"
        );
        for issuer in ["frontdesk", "urn:example:issuer"] {
            assert_eq!(server(issuer, None), None, "{issuer}");
        }
        assert_eq!(IdentitySettings::default().authorization_server(), None);
    }
}
