//! A provider's keys, fetched as a JWK set.

use std::sync::Arc;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::DecodingKey;
use parking_lot::RwLock;
use serde::Deserialize;
use tokio::sync::Mutex;
use url::Url;

use super::{IdentityError, TokenError};
use crate::clock::{Clock, Monotonic};

/// The time limit for a fetch.
const TIMEOUT: Duration = Duration::from_secs(5);
/// The maximum size of a JWK set in bytes.
const MAX_BODY: usize = 256 * 1024;
/// The age at which a set is fetched again, so that withdrawn keys are noticed.
pub(super) const FRESH: Duration = Duration::from_secs(10 * 60);
/// The minimum time between two fetches, however many unknown keys are named: everyone can name one.
const PAUSE: Duration = Duration::from_secs(60);
/// The minimum time between two fetches while no keys are known.
const PAUSE_WITHOUT_KEYS: Duration = Duration::from_secs(5);

/// A provider's keys. They are kept if the provider cannot be reached.
#[derive(Clone)]
pub(super) struct RemoteKeys(Arc<Inner>);

struct Inner {
    url: Url,
    client: reqwest::Client,
    clock: Monotonic,
    state: RwLock<State>,
    /// Held during a fetch.
    fetching: Mutex<()>,
}

#[derive(Default)]
struct State {
    keys: Vec<Key>,
    /// Counts the changes of the set.
    generation: u64,
    fetched_at: Option<Duration>,
    attempted_at: Option<Duration>,
    /// Whether the last fetch failed. Then an unknown key may exist after all.
    failed: bool,
}

#[derive(Clone, PartialEq)]
struct Key {
    kid: Option<String>,
    /// The point on the curve, in SEC1 encoding.
    point: Vec<u8>,
}

#[derive(Deserialize)]
struct JwkSet {
    keys: Vec<serde_json::Value>,
}

#[derive(Deserialize)]
struct Jwk {
    kty: String,
    crv: Option<String>,
    x: Option<String>,
    y: Option<String>,
    kid: Option<String>,
    alg: Option<String>,
    r#use: Option<String>,
}

/// Why a fetch failed.
#[derive(Debug, thiserror::Error)]
enum FetchError {
    #[error("{0}")]
    Http(#[from] reqwest::Error),
    #[error("it answered {0}")]
    Status(reqwest::StatusCode),
    #[error("it has more than {MAX_BODY} bytes")]
    TooLarge,
    #[error("it is not a JWK set")]
    Malformed,
}

impl RemoteKeys {
    /// The keys at this address. Does not fetch them yet.
    pub(super) fn new(url: Url, clock: Clock) -> Result<Self, IdentityError> {
        if url.scheme() != "https" {
            tracing::warn!(
                "the provider's keys are fetched without TLS: an attacker on the network can forge tokens"
            );
        }
        let client = reqwest::Client::builder()
            .tls_backend_preconfigured(crate::tls::client_config())
            .timeout(TIMEOUT)
            .redirect(reqwest::redirect::Policy::none())
            .build()?;
        Ok(RemoteKeys(Arc::new(Inner {
            url,
            client,
            clock: Monotonic::new(clock),
            state: RwLock::default(),
            fetching: Mutex::new(()),
        })))
    }

    /// The number of the current set. If the set is old, this starts a fetch.
    pub(super) fn generation(&self) -> u64 {
        if self.0.is_stale() {
            // In the background: the current set is used meanwhile.
            drop(self.fetch());
        }
        self.0.state.read().generation
    }

    /// The key with this name, and the number of its set. Without a name, the only key.
    pub(super) async fn find(&self, kid: Option<&str>) -> Result<(DecodingKey, u64), TokenError> {
        if let Some(found) = self.0.lookup(kid) {
            return Ok(found);
        }
        // In a separate task, so that it continues if the caller disconnects.
        let _ = self.fetch().await;
        match self.0.lookup(kid) {
            Some(found) => Ok(found),
            None if self.0.state.read().failed => Err(TokenError::ProviderUnavailable),
            None => Err(TokenError::UnknownKey),
        }
    }

    /// Fetches the set, unless that was just done.
    fn fetch(&self) -> tokio::task::JoinHandle<()> {
        let inner = Arc::clone(&self.0);
        tokio::spawn(async move {
            let _one = inner.fetching.lock().await;
            if inner.may_fetch() {
                inner.fetch().await;
            }
        })
    }
}

impl Inner {
    fn lookup(&self, kid: Option<&str>) -> Option<(DecodingKey, u64)> {
        let state = self.state.read();
        let key = match kid {
            Some(_) => state.keys.iter().find(|key| key.kid.as_deref() == kid)?,
            None => match state.keys.as_slice() {
                [only] => only,
                _ => return None,
            },
        };
        Some((DecodingKey::from_ec_der(&key.point), state.generation))
    }

    fn is_stale(&self) -> bool {
        let now = self.clock.elapsed();
        let state = self.state.read();
        let since = |at: Option<Duration>| at.map(|at| now.saturating_sub(at));
        since(state.fetched_at).is_some_and(|age| age >= FRESH)
            && since(state.attempted_at).is_none_or(|ago| ago >= PAUSE)
    }

    fn may_fetch(&self) -> bool {
        let now = self.clock.elapsed();
        let state = self.state.read();
        let pause = match state.fetched_at {
            Some(_) => PAUSE,
            None => PAUSE_WITHOUT_KEYS,
        };
        state
            .attempted_at
            .is_none_or(|at| now.saturating_sub(at) >= pause)
    }

    async fn fetch(&self) {
        self.state.write().attempted_at = Some(self.clock.elapsed());
        let fetched = self.download().await;
        let mut state = self.state.write();
        state.failed = fetched.is_err();
        match fetched {
            Ok(keys) => {
                state.fetched_at = Some(self.clock.elapsed());
                if keys != state.keys {
                    tracing::info!(keys = keys.len(), "the identity provider's keys changed");
                    state.keys = keys;
                    state.generation += 1;
                }
            }
            Err(error) => {
                tracing::warn!(%error, "the identity provider's JWK set could not be fetched")
            }
        }
    }

    async fn download(&self) -> Result<Vec<Key>, FetchError> {
        let response = self.client.get(self.url.clone()).send().await;
        // The address can contain a password.
        let mut response = response.map_err(reqwest::Error::without_url)?;
        // Redirects are refused too: the keys only come from the configured address.
        if response.status() != reqwest::StatusCode::OK {
            return Err(FetchError::Status(response.status()));
        }
        let mut body = Vec::new();
        while let Some(chunk) = response
            .chunk()
            .await
            .map_err(reqwest::Error::without_url)?
        {
            if body.len() + chunk.len() > MAX_BODY {
                return Err(FetchError::TooLarge);
            }
            body.extend_from_slice(&chunk);
        }
        let set: JwkSet = serde_json::from_slice(&body).map_err(|_| FetchError::Malformed)?;
        Ok(set.keys.into_iter().filter_map(key).collect())
    }
}

/// The key, if it verifies ES256 signatures. A set can also have other keys.
fn key(jwk: serde_json::Value) -> Option<Key> {
    let jwk: Jwk = serde_json::from_value(jwk).ok()?;
    if jwk.kty != "EC"
        || jwk.crv.as_deref() != Some("P-256")
        || jwk.alg.is_some_and(|alg| alg != "ES256")
        || jwk.r#use.is_some_and(|purpose| purpose != "sig")
    {
        return None;
    }
    let mut point = vec![4];
    for coordinate in [jwk.x?, jwk.y?] {
        point.extend(URL_SAFE_NO_PAD.decode(coordinate).ok()?);
    }
    p256::PublicKey::from_sec1_bytes(&point).ok()?;
    Some(Key {
        kid: jwk.kid,
        point,
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
pub(super) mod tests;
