//! What the operator settles about identity.

use std::fmt;
use std::num::NonZeroU32;
use std::time::Duration;

use url::Url;

#[cfg(feature = "code-host")]
use super::CodeHostSettings;
use super::PublicAddress;

/// Whose tokens are taken.
#[derive(Debug, Clone)]
pub enum TokenSource {
    /// The server's own: it signs with ES256 and answers the routes under `/auth/v1`.
    Own,
    /// Another provider's.
    Outside(OutsideProvider),
}

/// An outside identity provider.
#[derive(Debug, Clone)]
pub struct OutsideProvider {
    /// Where its keys come from.
    pub keys: OutsideKeys,
    /// The `iss` claim that its tokens must have.
    pub issuer: String,
    /// The audience that its tokens must be for (`aud`).
    pub audience: String,
}

/// The keys of an outside identity provider.
#[derive(Clone)]
pub enum OutsideKeys {
    /// ES256 keys that are published at this address.
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

/// What the operator settles about identity. Everything but the source, the public address, the authorization server,
/// the proxies and the pages concerns the server's own provider only.
#[derive(Debug, Clone)]
pub struct IdentitySettings {
    /// Whose tokens are taken.
    pub source: TokenSource,
    /// Where clients find the service.
    pub public_address: PublicAddress,
    /// Where an outside provider's tokens are issued, for clients that ask where to sign in. None takes
    /// its issuer, where that is an address.
    pub outside_server: Option<Url>,
    /// The `apikey` header that `/auth/v1/token` wants. It names the project and is no secret. None
    /// asks for no header.
    pub public_key: Option<String>,
    /// How long an access token is good. Nothing ends one earlier.
    pub access_lifetime: Duration,
    /// How long a refresh token is good; each use gives a new one.
    pub refresh_lifetime: Duration,
    /// The `iss` claim of the tokens.
    pub issuer: String,
    /// The provider through which people sign in, besides with a password.
    #[cfg(feature = "code-host")]
    pub code_host: Option<CodeHostSettings>,
    /// Whether a client's metadata document may also be at an http:// address or in a private network.
    pub private_clients: bool,
    /// How many proxies stand before the server, each of which adds its client's address to
    /// `X-Forwarded-For`.
    pub proxies: u8,
    /// How many passwords may be tried in a minute for each account, by each client. None is no limit.
    pub password_attempts: Option<NonZeroU32>,
    /// How many pages of the public wiki a network may have in a minute. A tenth of it is for registrations of
    /// clients, and as much for openings of invitations. None is no limit.
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
    /// The address of the outside provider that issues the tokens, as far as it is known.
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
