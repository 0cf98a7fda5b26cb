//! The signature of a request: HMAC-SHA256 over the id, the time and the body.

use std::fmt;
use std::str::FromStr;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, Mac};
use sha2::Sha256;

const PREFIX: &str = "whsec_";
/// The length of a secret in bytes, as the Standard Webhooks specification requires.
const LENGTH: std::ops::RangeInclusive<usize> = 24..=64;

/// A secret shared with the receiver. It is never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(Vec<u8>);

/// The text is not a secret. The error does not repeat it, because it can be a secret with a typing error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "a secret is `whsec_` and 24 to 64 bytes in base64; `echo whsec_$(openssl rand -base64 32)` makes one"
)]
pub struct SecretError;

impl FromStr for Secret {
    type Err = SecretError;

    fn from_str(text: &str) -> Result<Self, SecretError> {
        let encoded = text.strip_prefix(PREFIX).ok_or(SecretError)?;
        let key = STANDARD.decode(encoded).map_err(|_| SecretError)?;
        if LENGTH.contains(&key.len()) {
            Ok(Secret(key))
        } else {
            Err(SecretError)
        }
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

impl Secret {
    fn sign(&self, content: &[&[u8]]) -> String {
        let mut mac = match Hmac::<Sha256>::new_from_slice(&self.0) {
            Ok(mac) => mac,
            Err(error) => unreachable!("HMAC takes a key of any length: {error}"),
        };
        for part in content {
            mac.update(part);
        }
        format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
    }
}

/// The value of `webhook-signature`: one signature for each secret, because a receiver may know only one of them
/// while the secret is changed.
pub(super) fn signatures(secrets: &[Secret], id: &str, timestamp: i64, body: &[u8]) -> String {
    let timestamp = timestamp.to_string();
    let content = [id.as_bytes(), b".", timestamp.as_bytes(), b".", body];
    let signatures: Vec<_> = secrets.iter().map(|secret| secret.sign(&content)).collect();
    signatures.join(" ")
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// The example from the Standard Webhooks libraries.
    const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    const ID: &str = "msg_p5jXN8AQM9LWM0D4loKWxJek";
    const BODY: &[u8] = br#"{"test": 2432232314}"#;
    const SIGNATURE: &str = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";

    #[test]
    fn the_signature_is_the_one_that_receivers_expect() {
        let secret = SECRET.parse().unwrap();
        assert_eq!(signatures(&[secret], ID, 1_614_265_330, BODY), SIGNATURE);
    }

    #[test]
    fn each_secret_signs() {
        let other: Secret = format!("whsec_{}", STANDARD.encode([7; 32]))
            .parse()
            .unwrap();
        let both = signatures(
            &[other.clone(), SECRET.parse().unwrap()],
            ID,
            1_614_265_330,
            BODY,
        );
        let others = signatures(&[other], ID, 1_614_265_330, BODY);
        assert_eq!(both, format!("{others} {SIGNATURE}"));
        assert_ne!(others, SIGNATURE);
    }

    #[test]
    fn what_is_no_secret_is_refused_and_not_repeated() {
        for text in [
            "",
            "whsec_",
            "hunter2hunter2hunter2hunter2hunter2hunter2",
            "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
            "whsec_not base64",
            &format!("whsec_{}", STANDARD.encode([7; 23])),
            &format!("whsec_{}", STANDARD.encode([7; 65])),
        ] {
            let refused = text.parse::<Secret>();
            assert_eq!(refused, Err(SecretError), "{text}");
        }
        for length in [24, 64] {
            let text = format!("whsec_{}", STANDARD.encode(vec![7; length]));
            assert!(text.parse::<Secret>().is_ok(), "{length}");
        }
    }

    #[test]
    fn a_secret_is_not_shown() {
        let secret: Secret = SECRET.parse().unwrap();
        assert_eq!(format!("{secret:?}"), "Secret(…)");
    }
}
