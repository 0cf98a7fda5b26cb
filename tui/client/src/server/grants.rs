//! The tokens of a sign-in to a server: stored in a file and refreshed when they expire.

mod grant;

use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use oauth2::TokenResponse;
use rmcp::transport::auth::{
    AuthError, AuthorizationManager, CredentialStore, OAuthClientConfig, OAuthHttpClient,
    OAuthHttpClientError, OAuthHttpClientFuture, OAuthHttpRequest, StoredCredentials,
};
use serde::{Deserialize, Serialize};
use url::Url;

use crate::addresses;
use crate::credentials::MARGIN;
use crate::error::CallError;
use crate::failure::{Failure, shorten};
use crate::http::Http;
use crate::lock;
use crate::secret::Secret;
use grant::NoToken;

/// The maximum wait for another process that refreshes the same tokens.
const TURN_WITHIN: Duration = Duration::from_secs(30);
/// The time limit of a request to an authorization server.
const ANSWER_WITHIN: Duration = Duration::from_secs(30);

/// The stored result of a sign-in.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Kept {
    /// The server. The tokens are only sent to it.
    url: Url,
    /// The client secret from the registration, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) client_secret: Option<Secret>,
    credentials: StoredCredentials,
    /// The scopes that a call lacked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    lacking: Vec<String>,
}

/// The file with the tokens for one server.
#[derive(Debug, Clone)]
pub(super) struct TokenFile {
    path: PathBuf,
    url: Url,
    /// Saved with the next tokens.
    client_secret: Arc<Mutex<Option<Secret>>>,
}

impl TokenFile {
    pub(super) fn new(path: PathBuf, url: Url) -> Self {
        TokenFile {
            path,
            url,
            client_secret: Arc::default(),
        }
    }

    fn load(&self) -> io::Result<Option<Kept>> {
        let bytes = match std::fs::read(&self.path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        // The parser's message would contain parts of the tokens.
        let kept: Kept = serde_json::from_slice(&bytes).map_err(|_| {
            let message = format!("{} does not hold tokens", self.path.display());
            io::Error::new(io::ErrorKind::InvalidData, message)
        })?;
        Ok(Some(kept).filter(|kept| kept.url == self.url))
    }

    /// Sets the secret to save with the next tokens.
    pub(super) fn keep_client_secret(&self, secret: Option<Secret>) {
        let kept = self.client_secret.lock();
        *kept.unwrap_or_else(PoisonError::into_inner) = secret;
    }

    /// Notes scopes that the next sign-in has to request.
    pub(super) fn lack(&self, scopes: &[&str]) -> io::Result<()> {
        let Some(mut kept) = self.load()? else {
            return Ok(());
        };
        kept.lacking = scopes.iter().map(|&scope| scope.to_owned()).collect();
        lock::replace(&self.path, &serde_json::to_vec_pretty(&kept)?)
    }

    /// The granted scopes, and those that a call lacked; none without a sign-in.
    pub(super) fn scopes(&self) -> Vec<String> {
        let kept = self.load().ok().flatten();
        kept.map_or_else(Vec::new, |kept| {
            let granted = kept.credentials.granted_scopes.into_iter();
            match kept.lacking.is_empty() {
                true => Vec::new(),
                false => granted.chain(kept.lacking).collect(),
            }
        })
    }

    /// Deletes the tokens. Returns whether there were any.
    pub(super) fn forget(&self) -> io::Result<bool> {
        match std::fs::remove_file(&self.path) {
            Ok(()) => lock::sync_directory(lock::parent(&self.path)).map(|()| true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }
}

#[async_trait::async_trait]
impl CredentialStore for TokenFile {
    async fn load(&self) -> Result<Option<StoredCredentials>, AuthError> {
        let kept = TokenFile::load(self).map_err(in_store)?;
        Ok(kept.map(|kept| kept.credentials))
    }

    async fn save(&self, credentials: StoredCredentials) -> Result<(), AuthError> {
        let client_secret = self.client_secret.lock();
        let client_secret = client_secret
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        let kept = Kept {
            url: self.url.clone(),
            client_secret,
            credentials,
            lacking: Vec::new(),
        };
        let bytes = serde_json::to_vec_pretty(&kept).map_err(|error| in_store(error.into()))?;
        lock::replace(&self.path, &bytes).map_err(in_store)
    }

    async fn clear(&self) -> Result<(), AuthError> {
        self.forget().map(|_| ()).map_err(in_store)
    }
}

fn in_store(error: io::Error) -> AuthError {
    AuthError::CredentialStoreError(error.to_string())
}

/// The tokens for one server.
#[derive(Debug)]
pub(crate) struct Grants {
    http: Http,
    url: Url,
    pub(super) file: TokenFile,
    /// Held by the task of this process that is refreshing.
    turn: tokio::sync::Mutex<()>,
}

impl Grants {
    pub(super) fn new(http: Http, url: Url, path: PathBuf) -> Self {
        Grants {
            http,
            file: TokenFile::new(path, url.clone()),
            url,
            turn: tokio::sync::Mutex::default(),
        }
    }

    /// The stored token.
    pub(super) fn held(&self) -> Option<Secret> {
        let kept = self.file.load().ok().flatten()?;
        access_token(&kept.credentials)
    }

    /// The token for the next request; `None` if nobody has signed in. It is refreshed first if it
    /// expires soon or was `rejected`.
    ///
    /// # Errors
    /// [`CallError::SignedOut`] if it cannot be refreshed any more; otherwise why the refresh could
    /// not be sent.
    pub(super) async fn token(
        self: &Arc<Self>,
        rejected: Option<&Secret>,
    ) -> Result<Option<Secret>, CallError> {
        let Some(kept) = self.file.load().map_err(|error| self.unreachable(&error))? else {
            return Ok(None);
        };
        if let Some(token) = usable(&kept.credentials, rejected) {
            return Ok(Some(token));
        }
        // A separate task: a refresh token can work only once, so the answer must be saved even if
        // the caller stops waiting.
        let grants = Arc::clone(self);
        let rejected = rejected.cloned();
        let task = tokio::spawn(async move { grants.refreshed(rejected.as_ref()).await });
        task.await.unwrap_or_else(|error| {
            Err(CallError::Protocol(format!("the refresh failed: {error}")))
        })
    }

    /// Refreshes the token, unless another task or process has just done so.
    async fn refreshed(&self, rejected: Option<&Secret>) -> Result<Option<Secret>, CallError> {
        let _turn = self.turn.lock().await;
        let unreachable = |error: io::Error| self.unreachable(&error);
        let _lock = lock::lock_within(&lock::beside(&self.file.path), TURN_WITHIN)
            .await
            .map_err(unreachable)?;
        let Some(kept) = self.file.load().map_err(unreachable)? else {
            return Ok(None);
        };
        if let Some(token) = usable(&kept.credentials, rejected) {
            return Ok(Some(token));
        }
        let tokens = kept.credentials.token_response.as_ref();
        if tokens.is_none_or(|tokens| tokens.refresh_token().is_none()) {
            return Err(CallError::SignedOut("the sign-in has ended".to_owned()));
        }
        let courier = Courier::new(self.http.clone());
        let mut manager = self.manager(&courier).await?;
        let refreshing = async {
            if !manager.initialize_from_store().await? {
                return Err(AuthError::AuthorizationRequired);
            }
            if let Some(secret) = &kept.client_secret {
                let client = &kept.credentials.client_id;
                manager.configure_client(
                    OAuthClientConfig::new(client, self.url.as_str())
                        .with_client_secret(secret.expose()),
                )?;
            }
            self.file.keep_client_secret(kept.client_secret.clone());
            manager.refresh_token().await
        };
        match refreshing.await {
            Ok(tokens) => Ok(Some(Secret::new(tokens.access_token().secret()))),
            Err(error) => Err(courier.explain_refresh(&self.place(), error)),
        }
    }

    /// The library's sign-in state for this server.
    pub(super) async fn manager(
        &self,
        courier: &Courier,
    ) -> Result<AuthorizationManager, CallError> {
        let courier = Arc::new(courier.clone());
        let mut manager =
            AuthorizationManager::new_with_oauth_http_client(self.url.as_str(), courier)
                .await
                .map_err(|error| CallError::Protocol(error.to_string()))?;
        manager.set_credential_store(self.file.clone());
        Ok(manager)
    }

    /// The server's address without its query, for people.
    pub(super) fn place(&self) -> String {
        let mut url = self.url.clone();
        url.set_query(None);
        url.to_string()
    }

    pub(super) fn http(&self) -> &Http {
        &self.http
    }

    fn unreachable(&self, error: &io::Error) -> CallError {
        CallError::Unreachable {
            host: self.place(),
            reason: format!("cannot be used: {error}"),
        }
    }
}

fn access_token(credentials: &StoredCredentials) -> Option<Secret> {
    let tokens = credentials.token_response.as_ref()?;
    Some(Secret::new(tokens.access_token().secret()))
}

/// The token, if it was not rejected and lasts long enough.
fn usable(credentials: &StoredCredentials, rejected: Option<&Secret>) -> Option<Secret> {
    let token = access_token(credentials).filter(|token| rejected != Some(token))?;
    let lifetime = credentials.token_response.as_ref()?.expires_in();
    // If the expiry is unknown, the server decides.
    let (Some(lifetime), Some(received)) = (lifetime, credentials.token_received_at) else {
        return Some(token);
    };
    let lifetime = SignedDuration::try_from(lifetime).unwrap_or(SignedDuration::MAX);
    let received = Timestamp::from_second(i64::try_from(received).ok()?).ok()?;
    let left = lifetime.checked_sub(Timestamp::now().duration_since(received))?;
    (left > MARGIN.min(lifetime / 10)).then_some(token)
}

/// Sends the library's requests with our client, and keeps what went wrong last, which the library
/// reduces to a text.
#[derive(Debug, Clone)]
pub(super) struct Courier {
    http: Http,
    last: Arc<Mutex<Option<Wrong>>>,
}

/// What went wrong with a request.
#[derive(Debug)]
enum Wrong {
    /// There was no answer.
    Failed(Failure),
    /// No token was issued.
    Refused(NoToken),
}

impl Courier {
    pub(super) fn new(http: Http) -> Self {
        Courier {
            http,
            last: Arc::default(),
        }
    }

    async fn carry(
        &self,
        request: http::Request<Vec<u8>>,
    ) -> Result<http::Response<Vec<u8>>, Failure> {
        let url = request.uri().to_string();
        // Codes and tokens are secret and must not be sent unencrypted.
        if !url.starts_with("https://") && !addresses::is_loopback(&url) {
            return Err(Failure::NotProtocol(format!(
                "{} is not an https address",
                shorten(&url)
            )));
        }
        let (parts, body) = request.into_parts();
        let is_grant = body.windows(11).any(|part| part == b"grant_type=");
        let sent = self
            .http
            .request(parts.method, &url)
            .timeout(ANSWER_WITHIN)
            .headers(parts.headers)
            .body(body);
        let mut answer = self.http.exchange(sent).await?;
        if is_grant {
            let refused = grant::read(&mut answer).err().map(Wrong::Refused);
            *self.last.lock().unwrap_or_else(PoisonError::into_inner) = refused;
        }
        let mut response = http::Response::new(answer.body.to_vec());
        *response.status_mut() = answer.status;
        *response.headers_mut() = answer.headers;
        Ok(response)
    }

    fn take(&self) -> Option<Wrong> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        last.take()
    }

    /// Converts an error of a refresh: the sign-in has ended, or the refresh can be tried again.
    pub(super) fn explain_refresh(&self, place: &str, error: AuthError) -> CallError {
        let ended = || CallError::SignedOut("the sign-in has ended".to_owned());
        let later = |what: &str| CallError::Unreachable {
            host: place.to_owned(),
            reason: format!(
                "cannot be used: the sign-in could not be renewed ({what}); try again, or sign in again"
            ),
        };
        match (self.take(), error) {
            (Some(Wrong::Failed(failure @ (Failure::Connect(_) | Failure::Lost(_)))), _) => {
                failure.into_error(place, true)
            }
            (Some(Wrong::Failed(failure)), _) => later(&failure.to_string()),
            (Some(Wrong::Refused(answer)), _) if answer.is_refusal => ended(),
            (Some(Wrong::Refused(answer)), _) => later(&format!("HTTP {}", answer.status.as_u16())),
            (
                None,
                AuthError::AuthorizationRequired
                | AuthError::TokenRefreshRejected(_)
                | AuthError::TokenExpired,
            ) => ended(),
            (None, error) => later(&shorten(&error.to_string())),
        }
    }

    /// Converts an error of the library to an error for the user. `place` is the server's address.
    pub(super) fn explain(&self, place: &str, error: AuthError) -> CallError {
        match self.take() {
            Some(Wrong::Failed(failure)) => return failure.into_error(place, true),
            Some(Wrong::Refused(answer)) => return CallError::SignedOut(answer.why),
            None => {}
        }
        match error {
            AuthError::AuthorizationRequired
            | AuthError::TokenRefreshRejected(_)
            | AuthError::TokenExpired => CallError::SignedOut("the sign-in has ended".to_owned()),
            AuthError::RegistrationFailed(reason) => CallError::SignedOut(format!(
                "frontdesk could not register itself ({}); register it there by hand, and set its \
                 client_id in the configuration",
                shorten(&reason)
            )),
            AuthError::AuthorizationFailed(reason) | AuthError::TokenExchangeFailed(reason) => {
                CallError::SignedOut(shorten(&reason))
            }
            AuthError::AuthorizationServerMismatch {
                expected_issuer: expected,
                received_issuer: received,
            } => {
                let is_slash = expected.trim_end_matches('/') == received.trim_end_matches('/');
                let slash = if is_slash {
                    ", which differs by a slash"
                } else {
                    ""
                };
                CallError::SignedOut(format!(
                    "its authorization server calls itself {}{slash}; {} was expected",
                    shorten(&received),
                    shorten(&expected)
                ))
            }
            error => CallError::Protocol(shorten(&error.to_string())),
        }
    }
}

impl OAuthHttpClient for Courier {
    fn execute(&self, request: OAuthHttpRequest) -> OAuthHttpClientFuture<'_> {
        Box::pin(async move {
            self.carry(request.request).await.map_err(|failure| {
                let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
                *last = Some(Wrong::Failed(failure.clone()));
                Box::new(failure) as OAuthHttpClientError
            })
        })
    }
}
