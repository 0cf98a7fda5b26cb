//! Authentication: verifies the access token of every request, and contains the built-in identity provider.
//!
//! Tokens are JWTs, signed with ES256 by this server or by an external provider's keys, or with HS256 and a shared
//! secret. The server's settings determine which, never the token. A token only identifies its bearer: organisation,
//! role and level are read from the database on every call.
//!
//! The built-in provider supports the password, authorization code and refresh grants, and sign-in through a
//! code-hosting provider. Refresh tokens rotate. A sign-in ends when its person signs out, when its account's password
//! is changed elsewhere or its account deactivated, when a refresh token is used again after its child was used, or when
//! a code is used twice. Its access tokens end with it, at every process: the database compares the token's sign-in as
//! it reads the caller's rights.

pub mod accounts;
mod attempts;
mod authorization;
mod cache;
mod claims;
#[cfg(feature = "code-host")]
mod code_host;
mod error;
mod factor;
mod invitation;
mod jwks;
mod key;
mod limit;
mod link;
mod network;
mod password;
mod password_link;
mod public_address;
mod queue;
mod refresh_token;
mod routes;
mod secrets;
mod session;
mod settings;
mod setup;
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
pub use factor::Enrolment;
pub(crate) use link::LinkToken;
pub(crate) use network::{Visit, proxies};
pub use password::{HashError, hash_password, weakness};
pub use public_address::{PublicAddress, PublicAddressError};
pub use settings::{IdentitySettings, OutsideKeys, OutsideProvider, TokenSource};
pub(crate) use sign_in::with_password;
pub use sign_in::{AddUserError, add_user};
pub use tokens::{Account, Tokens};

use crate::clock::Clock;
use crate::database::{Access, Database, Proof};
use claims::Bearer;
pub use claims::Purpose;

/// Verifies access tokens and, with the built-in provider, issues them. Cheap to clone.
#[derive(Clone)]
pub struct Identity(Arc<Inner>);

struct Inner {
    database: Database,
    clock: Clock,
    verifier: verifier::Verifier,
    session_key: [u8; 32],
    public_address: PublicAddress,
    /// The number of proxies in front of the server.
    proxies: u8,
    /// The limits on visits; `None` if unlimited.
    visits: Option<network::Visits>,
    /// The address of the external provider that issues the tokens, if it is known.
    authorization_server: Option<Url>,
    provider: Option<Provider>,
}

/// The state of the built-in provider.
struct Provider {
    key: key::SigningKey,
    refresh_key: [u8; 32],
    sign_in_key: [u8; 32],
    #[cfg(feature = "code-host")]
    code_host: Option<Arc<code_host::CodeHost>>,
    documents: authorization::Documents,
    passwords: password::Passwords,
    /// Bounds the number of concurrent account lookups for sign-ins.
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
    fn code_host_page(&self, _: &authorization::PageContext, _: &str) -> Option<(&str, Url)> {
        None
    }
}

impl std::fmt::Debug for Identity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Identity")
    }
}

/// A valid token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verified {
    /// The token's subject.
    pub user: UserId,
    /// What the database has to confirm.
    pub proof: Proof,
    /// Whether it only reads.
    pub reads_only: bool,
    /// Whether a person has agreed to what is done with it.
    pub is_person: bool,
    /// When the token expires.
    pub expires_at: Timestamp,
}

impl Verified {
    /// The access of a transaction that asks for this one.
    pub(crate) fn access(&self, access: Access) -> Access {
        match self.reads_only {
            true => Access::Read,
            false => access,
        }
    }
}

/// The access token in the `Authorization` header of a request.
///
/// # Errors
/// [`TokenError::Missing`] without the header, [`TokenError::Malformed`] if it has no bearer token.
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
    /// Loads the keys from the database; the first process on the database creates them.
    ///
    /// # Errors
    /// [`IdentityError`]: the database cannot be used, a stored key cannot be read, or the settings are invalid.
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

    /// Verifies an access token: its algorithm, signature and claims. The signature's result is cached; the times are
    /// checked on every call. The caller's transaction checks the proof.
    ///
    /// # Errors
    /// [`TokenError`], with a message for the `error_description` of `WWW-Authenticate`.
    pub async fn verify(&self, token: &str) -> Result<Verified, TokenError> {
        Ok(self.verified(&self.bearer(token).await?))
    }

    fn verified(&self, bearer: &Bearer) -> Verified {
        let proof = match &self.0.provider {
            // Every token of this server has its sign-in.
            Some(_) => Proof::SignIn(bearer.session.unwrap_or_default()),
            None => Proof::IssuedAt(bearer.issued_at.unwrap_or(Timestamp::UNIX_EPOCH)),
        };
        Verified {
            user: bearer.user,
            proof,
            reads_only: bearer.reads_only,
            is_person: bearer.is_person,
            expires_at: bearer.expires_at,
        }
    }

    /// The key that signs `mcp-session-id`, the same for every process on this database.
    pub fn session_key(&self) -> &[u8; 32] {
        &self.0.session_key
    }

    /// The public address of the service.
    pub(crate) fn public_address(&self) -> &PublicAddress {
        &self.0.public_address
    }

    /// The issuer of tokens: the service's base address, or that of an external provider. `None` if the external
    /// provider's address is unknown.
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
            .merge(factor::router(self.clone()))
            .merge(authorization::router(self.clone()))
            .merge(link::router::<invitation::Invitation>(self.clone()))
            .merge(link::router::<password_link::NewPassword>(self.clone()))
            .merge(link::router::<setup::FirstOrganization>(self.clone()));
        #[cfg(feature = "code-host")]
        let router = router.merge(code_host::router(self.clone()));
        router
    }

    /// Exchanges a refresh token of the service's own grants for a new access token and the next refresh token.
    ///
    /// # Errors
    /// [`AuthError::NotOurs`] if an external provider issues the tokens;
    /// [`AuthError::RefreshTokenNotFound`] and [`AuthError::RefreshTokenAlreadyUsed`] if the person has to sign in
    /// again; [`AuthError::Database`] and [`AuthError::Internal`].
    pub async fn refresh(
        &self,
        refresh_token: &str,
        purpose: Purpose,
    ) -> Result<Tokens, AuthError> {
        session::refresh(self, refresh_token, None, purpose).await
    }

    async fn bearer(&self, token: &str) -> Result<Bearer, TokenError> {
        self.0.verifier.verify(token).await
    }

    fn provider(&self) -> Result<&Provider, AuthError> {
        self.0.provider.as_ref().ok_or(AuthError::NotOurs)
    }
}
