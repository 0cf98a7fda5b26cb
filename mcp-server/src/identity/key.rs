//! The ES256 key that signs the server's own tokens.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header};
use p256::elliptic_curve::rand_core::OsRng;
use p256::elliptic_curve::sec1::ToEncodedPoint;
use p256::pkcs8::{DecodePrivateKey, EncodePrivateKey};
use serde::Serialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{AuthError, IdentityError};

/// The name of the key in `app.secrets`.
pub(super) const NAME: &str = "access_token_es256";

/// The ES256 key that signs the server's own tokens.
pub(super) struct SigningKey {
    kid: String,
    encoding: EncodingKey,
    decoding: DecodingKey,
    public: Value,
}

/// A new private key, in PKCS#8 DER.
pub(super) fn generate() -> Result<Vec<u8>, IdentityError> {
    let key = p256::SecretKey::random(&mut OsRng);
    let document = key.to_pkcs8_der().map_err(|_| IdentityError::Key(NAME))?;
    Ok(document.as_bytes().to_vec())
}

impl SigningKey {
    /// Reads a private key.
    pub(super) fn from_pkcs8(der: &[u8]) -> Result<SigningKey, IdentityError> {
        let key = p256::SecretKey::from_pkcs8_der(der).map_err(|_| IdentityError::Key(NAME))?;
        let point = key.public_key().to_encoded_point(false);
        let (Some(x), Some(y)) = (point.x(), point.y()) else {
            return Err(IdentityError::Key(NAME));
        };
        let (x, y) = (URL_SAFE_NO_PAD.encode(x), URL_SAFE_NO_PAD.encode(y));
        // The key's thumbprint (RFC 7638), so it is the same on every server with this key.
        let thumbprint = format!(r#"{{"crv":"P-256","kty":"EC","x":"{x}","y":"{y}"}}"#);
        let kid = URL_SAFE_NO_PAD.encode(Sha256::digest(thumbprint));
        Ok(SigningKey {
            encoding: EncodingKey::from_ec_der(der),
            decoding: DecodingKey::from_ec_der(point.as_bytes()),
            public: json!({
                "kty": "EC", "crv": "P-256", "x": x, "y": y,
                "kid": kid, "alg": "ES256", "use": "sig", "key_ops": ["verify"],
            }),
            kid,
        })
    }

    /// Signs a token with these claims.
    pub(super) fn sign<T: Serialize>(&self, claims: &T) -> Result<String, AuthError> {
        let mut header = Header::new(Algorithm::ES256);
        header.kid = Some(self.kid.clone());
        jsonwebtoken::encode(&header, claims, &self.encoding)
            .map_err(|_| AuthError::Internal("an access token could not be signed"))
    }

    /// The key's id in token headers.
    pub(super) fn kid(&self) -> &str {
        &self.kid
    }

    /// The key that verifies signatures of this one.
    pub(super) fn decoding(&self) -> &DecodingKey {
        &self.decoding
    }

    /// The public key, as a JWK set.
    pub(super) fn jwks(&self) -> Value {
        json!({ "keys": [self.public] })
    }
}
