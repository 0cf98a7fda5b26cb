//! Who calls: access tokens, checked on every request, and the server's own identity provider.
//!
//! Tokens are JWTs, signed with ES256 by this server or an outside provider's key set, or with HS256
//! by a shared secret; which of them is settled when the server starts, never by the token. A token
//! says who its bearer is and nothing more: organisation, role and level are read from the database
//! on every call.
//!
//! The server's own provider speaks the password, authorization code and refresh grants, and signs people
//! in through a code-hosting provider where there is one. Refresh tokens rotate; one that
//! is used again after its child was used ends its sign-in, and so do a code that is used again and a sign-out.
//! The process that ends a sign-in takes its access tokens no more; at others they stay good until they expire: they
//! are short-lived for that reason.

mod attempts;
mod authorization;
mod cache;
mod claims;
#[cfg(feature = "code-host")]
mod code_host;
mod ended;
mod error;
mod invitation;
mod jwks;
mod key;
mod limit;
mod network;
mod password;
mod public_address;
mod queue;
mod refresh_token;
mod routes;
mod secrets;
mod session;
mod settings;
mod sign_in;
mod tokens;
#[doc(hidden)]
pub mod untrusted;
mod verifier;
mod visitor;

use std::sync::Arc;

use axum::Router;
use axum::http::{HeaderMap, header};
use frontdesk_protocol::id::UserId;
use jiff::Timestamp;
use url::Url;

#[cfg(feature = "code-host")]
pub use code_host::{CodeHostAddresses, CodeHostError, CodeHostSettings};
pub use error::{AuthError, IdentityError, Organization, TokenError};
pub(crate) use invitation::InvitationToken;
pub(crate) use network::Visit;
pub use password::{HashError, hash_password};
pub use public_address::{PublicAddress, PublicAddressError};
pub use settings::{IdentitySettings, OutsideKeys, OutsideProvider, TokenSource};
pub use sign_in::{AddUserError, add_user};
pub use tokens::{Account, Tokens};

use crate::clock::Clock;
use crate::database::Database;
use claims::Bearer;

/// Checks access tokens and, where the server is its own provider, issues them. Cheap to clone.
#[derive(Clone)]
pub struct Identity(Arc<Inner>);

struct Inner {
    database: Database,
    clock: Clock,
    verifier: verifier::Verifier,
    session_key: [u8; 32],
    public_address: PublicAddress,
    /// How many proxies stand before the server.
    proxies: u8,
    /// None where nothing limits them.
    visits: Option<network::Visits>,
    /// The address of the outside provider that issues the tokens, where it is known.
    authorization_server: Option<Url>,
    provider: Option<Provider>,
}

/// What only the server's own provider has.
struct Provider {
    key: key::SigningKey,
    refresh_key: [u8; 32],
    sign_in_key: [u8; 32],
    #[cfg(feature = "code-host")]
    code_host: Option<Arc<code_host::CodeHost>>,
    documents: authorization::Documents,
    passwords: password::Passwords,
    ended: ended::Ended,
    /// Who looks an account up to sign in.
    lookups: tokio::sync::Semaphore,
    attempts: attempts::Attempts,
    settings: IdentitySettings,
}

#[cfg(not(feature = "code-host"))]
impl Provider {
    /// The code-hosting provider's name.
    fn code_host_name(&self) -> Option<&str> {
        None
    }

    /// The code-hosting provider's name and its page for a sign-in.
    fn code_host_page(&self, _: &authorization::Stage, _: &str) -> Option<(&str, Url)> {
        None
    }
}

impl std::fmt::Debug for Identity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Identity")
    }
}

/// A token that was found good.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verified {
    /// Whom it names.
    pub user: UserId,
    /// Until when it is good.
    pub expires_at: Timestamp,
}

/// The access token of a request, as its `Authorization` header carries it.
///
/// # Errors
/// [`TokenError::Missing`] without the header, [`TokenError::Malformed`] where it carries none.
pub(crate) fn bearer_token(headers: &HeaderMap) -> Result<&str, TokenError> {
    let value = headers
        .get(header::AUTHORIZATION)
        .ok_or(TokenError::Missing)?;
    let token = value.to_str().ok().and_then(|value| {
        let (scheme, token) = value.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then_some(token)
    });
    token.ok_or(TokenError::Malformed)
}

impl Identity {
    /// Loads the keys from the database, or makes them where this is the first process on it.
    ///
    /// # Errors
    /// [`IdentityError`]: the database does not answer, a stored key cannot be read, or the settings
    /// are not fit for use.
    pub async fn open(
        database: Database,
        settings: IdentitySettings,
        clock: Clock,
    ) -> Result<Identity, IdentityError> {
        let secrets = secrets::load(&database).await?;
        let public_address = settings.public_address.clone();
        let authorization_server = settings.authorization_server();
        let proxies = settings.proxies;
        let visits = (settings.pages_per_minute).map(|pages| network::Visits::new(pages, &clock));
        let (verifier, provider) = match &settings.source {
            TokenSource::Own => {
                let key = key::SigningKey::from_pkcs8(&secrets.access_token_key)?;
                let verifier = verifier::Verifier::own(&key, &settings.issuer, clock.clone());
                let provider = Provider {
                    key,
                    refresh_key: secrets.refresh_key,
                    sign_in_key: secrets.sign_in_key,
                    #[cfg(feature = "code-host")]
                    code_host: (settings.code_host.clone())
                        .map(code_host::CodeHost::new)
                        .transpose()?
                        .map(Arc::new),
                    documents: authorization::Documents::new(settings.private_clients)?,
                    passwords: password::Passwords::new().await?,
                    ended: ended::Ended::new(settings.access_lifetime),
                    lookups: tokio::sync::Semaphore::new(sign_in::LOOKUPS),
                    attempts: attempts::Attempts::new(settings.password_attempts, &clock),
                    settings,
                };
                (verifier, Some(provider))
            }
            TokenSource::Outside(outside) => {
                let expected = claims::Expected {
                    issuer: outside.issuer.clone(),
                    audience: outside.audience.clone(),
                };
                let verifier = match &outside.keys {
                    OutsideKeys::JwksUrl(url) => {
                        let keys = jwks::RemoteKeys::new(url.clone(), clock.clone())?;
                        verifier::Verifier::remote(keys, expected, clock.clone())
                    }
                    OutsideKeys::Secret(secret) => {
                        verifier::Verifier::secret(secret, expected, clock.clone())?
                    }
                };
                (verifier, None)
            }
        };
        Ok(Identity(Arc::new(Inner {
            database,
            clock,
            verifier,
            session_key: secrets.session_key,
            public_address,
            proxies,
            visits,
            authorization_server,
            provider,
        })))
    }

    /// Checks an access token: its algorithm, its signature and its claims. A signature that was
    /// found good is remembered; the times are checked on every call.
    ///
    /// # Errors
    /// [`TokenError`], whose message is fit for the `error_description` of `WWW-Authenticate`.
    pub async fn verify(&self, token: &str) -> Result<Verified, TokenError> {
        let bearer = self.bearer(token).await?;
        Ok(Verified {
            user: bearer.user,
            expires_at: bearer.expires_at,
        })
    }

    /// The key that signs `mcp-session-id`: the same for every process on this database.
    pub fn session_key(&self) -> &[u8; 32] {
        &self.0.session_key
    }

    /// Where clients find the service.
    pub(crate) fn public_address(&self) -> &PublicAddress {
        &self.0.public_address
    }

    /// Where tokens are issued: here, at the service's own base address, or at an outside provider. None
    /// where nobody says which one that is.
    pub(crate) fn authorization_server(&self, base: &str) -> Option<String> {
        match (&self.0.provider, &self.0.authorization_server) {
            (Some(_), _) => Some(base.to_owned()),
            (None, Some(outside)) => Some(outside.as_str().trim_end_matches('/').to_owned()),
            (None, None) => None,
        }
    }

    /// The routes under `/auth/v1`.
    pub fn router(&self) -> Router {
        let router = routes::router(self.clone())
            .merge(authorization::router(self.clone()))
            .merge(invitation::router(self.clone()));
        #[cfg(feature = "code-host")]
        let router = router.merge(code_host::router(self.clone()));
        router
    }

    /// A new access token for a refresh token of the service's own grants, and the refresh token that
    /// follows it.
    ///
    /// # Errors
    /// [`AuthError::NotOurs`] where the tokens are another provider's;
    /// [`AuthError::RefreshTokenNotFound`] and [`AuthError::RefreshTokenAlreadyUsed`] where the
    /// person has to sign in again; [`AuthError::Database`] and [`AuthError::Internal`].
    pub async fn refresh(&self, refresh_token: &str) -> Result<Tokens, AuthError> {
        session::refresh(self, refresh_token, None).await
    }

    async fn bearer(&self, token: &str) -> Result<Bearer, TokenError> {
        let bearer = self.0.verifier.verify(token).await?;
        let has_ended = (self.0.provider.as_ref().zip(bearer.session))
            .is_some_and(|(provider, session)| provider.ended.has(session));
        match has_ended {
            true => Err(TokenError::Ended),
            false => Ok(bearer),
        }
    }

    fn provider(&self) -> Result<&Provider, AuthError> {
        self.0.provider.as_ref().ok_or(AuthError::NotOurs)
    }
}
