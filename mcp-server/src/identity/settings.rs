//! What the operator settles about identity.

use std::fmt;
use std::num::NonZeroU32;
use std::time::Duration;

use url::Url;

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

/// What the operator settles about identity. Everything but the source concerns the server's own
/// provider only.
#[derive(Debug, Clone)]
pub struct IdentitySettings {
    /// Whose tokens are taken.
    pub source: TokenSource,
    /// The `apikey` header that `/auth/v1/token` wants. It names the project and is no secret. None
    /// asks for no header.
    pub public_key: Option<String>,
    /// How long an access token is good. Nothing ends one earlier.
    pub access_lifetime: Duration,
    /// How long a refresh token is good; each use gives a new one.
    pub refresh_lifetime: Duration,
    /// The `iss` claim of the tokens.
    pub issuer: String,
    /// How many passwords may be tried in a minute for each address. None is no limit.
    pub password_attempts: Option<NonZeroU32>,
}

impl Default for IdentitySettings {
    fn default() -> Self {
        IdentitySettings {
            source: TokenSource::Own,
            public_key: None,
            access_lifetime: Duration::from_secs(60 * 60),
            refresh_lifetime: Duration::from_secs(30 * 24 * 60 * 60),
            issuer: "frontdesk".to_owned(),
            password_attempts: NonZeroU32::new(10),
        }
    }
}
