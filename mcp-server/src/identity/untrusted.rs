//! Verifies access tokens, for `fuzz/` and for the test that replays its findings. Not part of the service.

use std::sync::LazyLock;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use futures::FutureExt;
use hmac::{Hmac, Mac};
use sha2::Sha256;

use super::claims::{AUDIENCE, Expected};
use super::key::{SigningKey, generate};
use super::verifier::Verifier;
use crate::clock::Clock;

const SECRET: &str = "a secret of the fuzzer, long enough";

/// A verifier with a shared secret, and a verifier with an own key.
static VERIFIERS: LazyLock<[Verifier; 2]> = LazyLock::new(|| {
    let expected = Expected {
        issuer: "frontdesk".to_owned(),
        audience: AUDIENCE.to_owned(),
    };
    let shared = Verifier::secret(SECRET, expected, Clock::system());
    let key = generate().and_then(|key| SigningKey::from_pkcs8(&key));
    match (shared, key) {
        (Ok(shared), Ok(key)) => [shared, Verifier::own(&key, "frontdesk", Clock::system())],
        _ => unreachable!("the secret is long enough, and the key is new"),
    }
});

/// Verifies access tokens: these bytes as a token, and these bytes as the claims of a correctly signed one.
///
/// # Panics
/// If an unsigned or expired token is accepted.
pub fn token(bytes: &[u8]) {
    let [shared, own] = &*VERIFIERS;
    if let Ok(text) = std::str::from_utf8(bytes) {
        let taken = shared.verify(text).now_or_never();
        assert!(matches!(taken, Some(Err(_))), "nobody signed {text:?}");
    }
    let header = URL_SAFE_NO_PAD.encode(r#"{"alg":"HS256","typ":"JWT"}"#);
    let signed = format!("{header}.{}", URL_SAFE_NO_PAD.encode(bytes));
    let Ok(key) = Hmac::<Sha256>::new_from_slice(SECRET.as_bytes()) else {
        unreachable!("HMAC takes a key of any length");
    };
    let signature = key.chain_update(&signed).finalize().into_bytes();
    let signed = format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature));
    // Twice: the second time the signature is cached.
    for _ in 0..2 {
        if let Some(Ok(bearer)) = shared.verify(&signed).now_or_never() {
            assert!(bearer.expires_at > Clock::system().now(), "it is over");
        }
    }
    // A verifier with an asymmetric key must refuse a token that is signed with a secret.
    let taken = own.verify(&signed).now_or_never();
    assert!(matches!(taken, Some(Err(_))), "another algorithm's");
}
