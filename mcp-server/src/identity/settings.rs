//! What the operator settles about identity.

use std::fmt;
use std::num::NonZeroU32;
use std::time::Duration;

use url::Url;

#[cfg(feature = "code-host")]
use super::CodeHostSettings;
use super::PublicAddress;

/// Whose tokens are taken.
#[derive(Clone)]
pub enum TokenSource {
    /// The server's own: it signs with ES256 and answers the routes under `/auth/v1`.
    Own,
    /// Another provider's, which publishes its ES256 keys at this address.
    JwksUrl(Url),
    /// Another provider's, which signs with HS256 and this secret of at least 32 bytes.
    Secret(String),
}

impl fmt::Debug for TokenSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TokenSource::Own => f.write_str("Own"),
            TokenSource::JwksUrl(url) => f
                .debug_tuple("JwksUrl")
                .field(&url.host_str().unwrap_or_default())
                .finish(),
            TokenSource::Secret(_) => f.write_str("Secret(…)"),
        }
    }
}

/// What the operator settles about identity. Everything but the source, the public address and the
/// authorization server concerns the server's own provider only.
#[derive(Debug, Clone)]
pub struct IdentitySettings {
    /// Whose tokens are taken.
    pub source: TokenSource,
    /// Where clients find the service.
    pub public_address: PublicAddress,
    /// Where an outside provider's tokens are issued, for clients that ask where to sign in. None takes
    /// it from the address of the provider's keys, where that tells it.
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
    /// How many passwords may be tried in a minute for each address. None is no limit.
    pub password_attempts: Option<NonZeroU32>,
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
            password_attempts: NonZeroU32::new(10),
        }
    }
}

/// Where a provider publishes its keys, below its own address.
const KEYS: &str = "/.well-known/jwks.json";

impl IdentitySettings {
    /// The address of the outside provider that issues the tokens, as far as it is known.
    pub(super) fn authorization_server(&self) -> Option<Url> {
        if self.outside_server.is_some() {
            return self.outside_server.clone();
        }
        let TokenSource::JwksUrl(keys) = &self.source else {
            return None;
        };
        // Not more of the address than is public anyway: it may hold a password.
        let mut server = keys.clone();
        server.set_path(keys.path().strip_suffix(KEYS)?);
        server.set_query(None);
        server.set_fragment(None);
        server.set_username("").ok()?;
        server.set_password(None).ok()?;
        Some(server)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn the_address_of_the_keys_tells_their_provider_s() {
        let server = |keys: &str, told: Option<&str>| {
            let settings = IdentitySettings {
                source: TokenSource::JwksUrl(keys.parse().unwrap()),
                outside_server: told.map(|told| told.parse().unwrap()),
                ..IdentitySettings::default()
            };
            settings.authorization_server().map(String::from)
        };
        let keys = "https://me:hunter2@id.test/auth/v1/.well-known/jwks.json?x=1";
        assert_eq!(server(keys, None).unwrap(), "https://id.test/auth/v1");
        assert_eq!(
            server(keys, Some("https://other.test")).unwrap(),
            "https://other.test/"
        );
        assert_eq!(server("https://id.test/keys", None), None);
        assert_eq!(IdentitySettings::default().authorization_server(), None);
    }
}
