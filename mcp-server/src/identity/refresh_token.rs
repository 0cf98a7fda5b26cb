//! Refresh tokens: 32 bytes, of which the database has only the hash.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, Mac};
use sha2::{Digest, Sha256};

/// A refresh token.
pub(super) struct RefreshToken([u8; 32]);

impl RefreshToken {
    /// The first of a sign-in: random.
    pub(super) fn random() -> Self {
        RefreshToken(rand::random())
    }

    /// Reads what a client sent.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        Some(RefreshToken(bytes.try_into().ok()?))
    }

    /// The token that follows this one. Derived rather than random, so that whose reply was lost can
    /// be given the same one again although only its hash is stored. Without the server's key
    /// nobody can tell what follows a token.
    pub(super) fn child(&self, key: &[u8; 32]) -> Self {
        let mut mac = match Hmac::<Sha256>::new_from_slice(key) {
            Ok(mac) => mac,
            Err(error) => unreachable!("HMAC takes a key of any length: {error}"),
        };
        mac.update(b"refresh token\0");
        mac.update(&self.0);
        RefreshToken(mac.finalize().into_bytes().into())
    }

    /// What the database has of it.
    pub(super) fn hash(&self) -> Vec<u8> {
        Sha256::digest(self.0).to_vec()
    }

    /// What the client gets.
    pub(super) fn reveal(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.0)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
