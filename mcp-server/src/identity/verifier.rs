//! Verifies tokens. The source of the key determines the algorithm, never the token.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::{Algorithm, DecodingKey, Validation};
use serde::Deserialize;

use super::cache::{Cache, fingerprint};
use super::claims::{AUDIENCE, Bearer, Claims, Expected};
use super::jwks::RemoteKeys;
use super::key::SigningKey;
use super::{IdentityError, TokenError};
use crate::clock::Clock;

/// The maximum length of a token in bytes; longer ones are refused unread.
const MAX_TOKEN: usize = 8 * 1024;
/// The minimum length of a secret for HS256 in bytes (RFC 7518, section 3.2).
const MIN_SECRET: usize = 32;

pub(super) struct Verifier {
    keys: Keys,
    validation: Validation,
    expected: Expected,
    cache: Cache,
    clock: Clock,
}

/// The source of the keys.
enum Keys {
    /// The server's own ES256 key.
    Own { kid: String, key: DecodingKey },
    /// A provider's ES256 keys.
    Remote(RemoteKeys),
    /// A shared HS256 secret.
    Secret(DecodingKey),
}

/// The generation of keys that never change.
const ONLY_GENERATION: u64 = 0;

impl Keys {
    /// The generation of keys for which cache entries are valid.
    fn generation(&self) -> u64 {
        match self {
            Keys::Own { .. } | Keys::Secret(_) => ONLY_GENERATION,
            Keys::Remote(keys) => keys.generation(),
        }
    }
}

/// The header fields that determine how a token is verified.
#[derive(Deserialize)]
struct Header {
    alg: String,
    kid: Option<String>,
    /// Extensions that must be understood. None are supported.
    crit: Option<serde::de::IgnoredAny>,
}

impl Verifier {
    /// Accepts tokens signed with this key.
    pub(super) fn own(key: &SigningKey, issuer: &str, clock: Clock) -> Self {
        let keys = Keys::Own {
            kid: key.kid().to_owned(),
            key: key.decoding().clone(),
        };
        let expected = Expected {
            issuer: issuer.to_owned(),
            audience: AUDIENCE.to_owned(),
        };
        Self::new(keys, Algorithm::ES256, expected, clock)
    }

    /// Accepts tokens signed with a provider's keys.
    pub(super) fn remote(keys: RemoteKeys, expected: Expected, clock: Clock) -> Self {
        Self::new(Keys::Remote(keys), Algorithm::ES256, expected, clock)
    }

    /// Accepts tokens signed with this secret.
    pub(super) fn secret(
        secret: &str,
        expected: Expected,
        clock: Clock,
    ) -> Result<Self, IdentityError> {
        if secret.len() < MIN_SECRET {
            return Err(IdentityError::ShortSecret);
        }
        let keys = Keys::Secret(DecodingKey::from_secret(secret.as_bytes()));
        Ok(Self::new(keys, Algorithm::HS256, expected, clock))
    }

    fn new(keys: Keys, algorithm: Algorithm, expected: Expected, clock: Clock) -> Self {
        let mut validation = Validation::new(algorithm);
        // `claims` checks the claims, by the service's clock and also for cached signatures.
        validation.required_spec_claims.clear();
        validation.validate_exp = false;
        validation.validate_nbf = false;
        validation.validate_aud = false;
        Verifier {
            keys,
            validation,
            expected,
            cache: Cache::default(),
            clock,
        }
    }

    /// The bearer of a valid token.
    pub(super) async fn verify(&self, token: &str) -> Result<Bearer, TokenError> {
        if token.is_empty() {
            return Err(TokenError::Missing);
        }
        if token.len() > MAX_TOKEN {
            return Err(TokenError::Malformed);
        }
        let fingerprint = fingerprint(token);
        let bearer = match self.cache.get(&fingerprint, self.keys.generation()) {
            Some(bearer) => bearer,
            None => {
                let (bearer, generation) = self.check(token).await?;
                self.cache.put(fingerprint, bearer.clone(), generation);
                bearer
            }
        };
        bearer.check(self.clock.now())?;
        Ok(bearer)
    }

    /// The bearer of a token that is not cached, and the generation of the keys that verified it.
    async fn check(&self, token: &str) -> Result<(Bearer, u64), TokenError> {
        let header = self.header(token)?;
        match &self.keys {
            Keys::Own { kid, .. } if header.kid.as_ref().is_some_and(|named| named != kid) => {
                Err(TokenError::UnknownKey)
            }
            Keys::Own { key, .. } | Keys::Secret(key) => {
                Ok((self.check_signature(token, key)?, ONLY_GENERATION))
            }
            Keys::Remote(keys) => {
                let (key, generation) = keys.find(header.kid.as_deref()).await?;
                Ok((self.check_signature(token, &key)?, generation))
            }
        }
    }

    /// The token's header, if it passes the first checks.
    fn header(&self, token: &str) -> Result<Header, TokenError> {
        let mut parts = token.split('.');
        let (Some(header), Some(_), Some(_), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(TokenError::Malformed);
        };
        let header = URL_SAFE_NO_PAD
            .decode(header)
            .map_err(|_| TokenError::Malformed)?;
        let header: Header = serde_json::from_slice(&header).map_err(|_| TokenError::Malformed)?;
        let named: Result<Algorithm, _> = header.alg.parse();
        if !named.is_ok_and(|named| self.validation.algorithms.contains(&named))
            || header.crit.is_some()
        {
            return Err(TokenError::Invalid);
        }
        Ok(header)
    }

    fn check_signature(&self, token: &str, key: &DecodingKey) -> Result<Bearer, TokenError> {
        use jsonwebtoken::errors::ErrorKind;
        let data = jsonwebtoken::decode::<Claims>(token, key, &self.validation);
        let claims = data.map_err(|error| match error.kind() {
            ErrorKind::Json(_) | ErrorKind::Base64(_) | ErrorKind::Utf8(_) => TokenError::Malformed,
            _ => TokenError::Invalid,
        })?;
        claims.claims.bearer(&self.expected)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
