//! Refresh tokens: 32 bytes. The database only has the hash.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, Mac};
use sha2::{Digest, Sha256};

pub(super) struct RefreshToken([u8; 32]);

impl RefreshToken {
    /// A random token, the first of a sign-in.
    pub(super) fn random() -> Self {
        RefreshToken(rand::random())
    }

    /// Parses a client's text.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        Some(RefreshToken(bytes.try_into().ok()?))
    }

    /// The next token. It is derived, not random: if a reply was lost, the same token can be sent again although only
    /// its hash is stored. Without the server's key, nobody can derive it.
    pub(super) fn child(&self, key: &[u8; 32]) -> Self {
        let mut mac = match Hmac::<Sha256>::new_from_slice(key) {
            Ok(mac) => mac,
            Err(error) => unreachable!("HMAC takes a key of any length: {error}"),
        };
        mac.update(b"refresh token\0");
        mac.update(&self.0);
        RefreshToken(mac.finalize().into_bytes().into())
    }

    /// The hash stored in the database.
    pub(super) fn hash(&self) -> Vec<u8> {
        Sha256::digest(self.0).to_vec()
    }

    /// The text for the client.
    pub(super) fn reveal(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.0)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
