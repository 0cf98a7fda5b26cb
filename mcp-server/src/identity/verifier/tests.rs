use std::time::Duration;

use axum::http::StatusCode;
use jsonwebtoken::EncodingKey;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::identity::jwks::FRESH;
use crate::identity::jwks::tests::{Provider, is_replaced, set_of};
use crate::identity::key::generate;

const SECRET: &str = "a secret of more than thirty-two bytes";
const ISSUER: &str = "https://id.test";
const USER: &str = "7d2f7c62-95ab-4c0c-b4f8-b0a4ff7c0c11";

fn expected() -> Expected {
    Expected {
        issuer: ISSUER.to_owned(),
        audience: AUDIENCE.to_owned(),
    }
}

fn signing_key() -> SigningKey {
    SigningKey::from_pkcs8(&generate().unwrap()).unwrap()
}

/// Valid claims, for an hour.
fn claims(clock: &Clock) -> Value {
    let now = clock.now().as_second();
    json!({ "iss": ISSUER, "sub": USER, "aud": AUDIENCE, "iat": now, "exp": now + 3600 })
}

/// Valid claims with one changed, or removed if the value is null.
fn claims_with(clock: &Clock, name: &str, value: Value) -> Value {
    let mut claims = claims(clock);
    claims[name] = value;
    claims
        .as_object_mut()
        .unwrap()
        .retain(|_, value| !value.is_null());
    claims
}

fn hs256(claims: &Value, secret: &[u8]) -> String {
    let header = jsonwebtoken::Header::new(Algorithm::HS256);
    jsonwebtoken::encode(&header, claims, &EncodingKey::from_secret(secret)).unwrap()
}

/// A token assembled from this header and signature.
fn by_hand(header: &Value, claims: &Value, signature: &str) -> String {
    let [header, claims] = [header, claims].map(|part| URL_SAFE_NO_PAD.encode(part.to_string()));
    format!("{header}.{claims}.{signature}")
}

/// A verifier of HS256 tokens, and its clock.
fn verifier() -> (Verifier, Clock) {
    let clock = Clock::system();
    (
        Verifier::secret(SECRET, expected(), clock.clone()).unwrap(),
        clock,
    )
}

async fn refused(verifier: &Verifier, token: &str) -> TokenError {
    verifier
        .verify(token)
        .await
        .map(|bearer| bearer.user)
        .unwrap_err()
}

#[tokio::test]
async fn takes_its_own_tokens() {
    let clock = Clock::system();
    let key = signing_key();
    let claims = claims(&clock);
    let bearer = Verifier::own(&key, ISSUER, clock)
        .verify(&key.sign(&claims).unwrap())
        .await
        .unwrap();
    assert_eq!(bearer.user.to_string(), USER);
    assert_eq!(bearer.expires_at.as_second(), claims["exp"]);
}

#[tokio::test]
async fn refuses_what_a_withdrawn_key_signed_however_often_it_was_shown() {
    let (old, new) = (signing_key(), signing_key());
    let provider = Provider::start(&set_of(&[&old])).await;
    let (keys, clock) = provider.keys();
    let verifier = Verifier::remote(keys.clone(), expected(), clock.clone());
    let token = old.sign(&claims(&clock)).unwrap();
    for _ in 0..2 {
        verifier.verify(&token).await.unwrap();
    }

    provider.publish(StatusCode::OK, &set_of(&[&new]).to_string());
    clock.advance(FRESH);
    is_replaced(&keys, keys.generation()).await;
    assert_eq!(refused(&verifier, &token).await, TokenError::UnknownKey);
    let token = new.sign(&claims(&clock)).unwrap();
    verifier.verify(&token).await.unwrap();
}

#[tokio::test]
async fn refuses_another_key() {
    let clock = Clock::system();
    let (ours, theirs) = (signing_key(), signing_key());
    let verifier = Verifier::own(&ours, ISSUER, clock.clone());
    let claims = claims(&clock);
    assert_eq!(
        refused(&verifier, &theirs.sign(&claims).unwrap()).await,
        TokenError::UnknownKey
    );

    // Signed with another key that claims our key's id.
    let header = json!({ "alg": "ES256", "kid": ours.kid() });
    let unsigned = by_hand(&header, &claims, "");
    let message = unsigned.trim_end_matches('.');
    let der = generate().unwrap();
    let key = EncodingKey::from_ec_der(&der);
    let signature = jsonwebtoken::crypto::sign(message.as_bytes(), &key, Algorithm::ES256).unwrap();
    assert_eq!(
        refused(&verifier, &format!("{message}.{signature}")).await,
        TokenError::Invalid
    );
}

#[tokio::test]
async fn refuses_an_unsigned_token() {
    let clock = Clock::system();
    let key = signing_key();
    let verifiers = [
        Verifier::own(&key, ISSUER, clock.clone()),
        Verifier::secret(SECRET, expected(), clock.clone()).unwrap(),
    ];
    for verifier in &verifiers {
        for alg in ["none", "None", "NONE", "nOnE", ""] {
            for signature in ["", "AAAA"] {
                let token = by_hand(
                    &json!({ "alg": alg, "typ": "JWT" }),
                    &claims(&clock),
                    signature,
                );
                assert_eq!(
                    refused(verifier, &token).await,
                    TokenError::Invalid,
                    "{alg}"
                );
            }
        }
        let token = by_hand(&json!({ "typ": "JWT" }), &claims(&clock), "");
        assert_eq!(refused(verifier, &token).await, TokenError::Malformed);
    }
}

#[tokio::test]
async fn the_source_settles_the_algorithm() {
    let clock = Clock::system();
    let key = signing_key();
    let own = Verifier::own(&key, ISSUER, clock.clone());
    let claims = claims(&clock);

    // All public parts of an ES256 key, used as an HS256 secret.
    let jwk = &key.jwks()["keys"][0];
    let point = {
        let mut point = vec![4];
        for coordinate in ["x", "y"] {
            point.extend(
                URL_SAFE_NO_PAD
                    .decode(jwk[coordinate].as_str().unwrap())
                    .unwrap(),
            );
        }
        point
    };
    let pem = {
        use p256::pkcs8::{EncodePublicKey, LineEnding};
        let public = p256::PublicKey::from_sec1_bytes(&point).unwrap();
        public
            .to_public_key_pem(LineEnding::LF)
            .unwrap()
            .into_bytes()
    };
    for secret in [point, pem, jwk.to_string().into_bytes()] {
        let mut header = jsonwebtoken::Header::new(Algorithm::HS256);
        header.kid = Some(key.kid().to_owned());
        let token =
            jsonwebtoken::encode(&header, &claims, &EncodingKey::from_secret(&secret)).unwrap();
        assert_eq!(refused(&own, &token).await, TokenError::Invalid);
    }

    let shared = Verifier::secret(SECRET, expected(), clock).unwrap();
    assert_eq!(
        refused(&shared, &key.sign(&claims).unwrap()).await,
        TokenError::Invalid
    );
    for other in [Algorithm::HS384, Algorithm::HS512] {
        let secret = EncodingKey::from_secret(SECRET.as_bytes());
        let token =
            jsonwebtoken::encode(&jsonwebtoken::Header::new(other), &claims, &secret).unwrap();
        assert_eq!(refused(&shared, &token).await, TokenError::Invalid);
    }
}

#[tokio::test]
async fn the_cache_does_not_outlive_the_token() {
    let (verifier, clock) = verifier();
    let token = hs256(&claims(&clock), SECRET.as_bytes());
    verifier.verify(&token).await.unwrap();
    assert!(
        verifier.cache.get(&fingerprint(&token), 0).is_some(),
        "the signature is remembered"
    );
    clock.advance(Duration::from_secs(3590));
    verifier.verify(&token).await.unwrap();
    clock.advance(Duration::from_secs(10));
    assert_eq!(refused(&verifier, &token).await, TokenError::Expired);
}

#[tokio::test]
async fn an_expired_token_is_expired_at_first_sight() {
    let (verifier, clock) = verifier();
    let token = hs256(&claims(&clock), SECRET.as_bytes());
    clock.advance(Duration::from_secs(3600));
    assert_eq!(refused(&verifier, &token).await, TokenError::Expired);
}

#[tokio::test]
async fn what_is_expired_and_forged_is_forged() {
    let (verifier, clock) = verifier();
    let token = hs256(&claims(&clock), b"another secret of more than 32 bytes");
    clock.advance(Duration::from_secs(3600));
    assert_eq!(refused(&verifier, &token).await, TokenError::Invalid);
}

#[tokio::test]
async fn claims_must_be_acceptable() {
    let (verifier, clock) = verifier();
    let now = clock.now().as_second();
    let cases = [
        ("iss", json!(null), Some(TokenError::Issuer)),
        ("iss", json!("https://other.test"), Some(TokenError::Issuer)),
        ("iss", json!(7), Some(TokenError::Malformed)),
        ("aud", json!(null), Some(TokenError::Audience)),
        ("aud", json!("authenticated"), None),
        ("aud", json!(["another", "authenticated"]), None),
        ("aud", json!("another"), Some(TokenError::Audience)),
        ("aud", json!([]), Some(TokenError::Audience)),
        ("aud", json!(7), Some(TokenError::Malformed)),
        ("sub", json!(null), Some(TokenError::Malformed)),
        ("sub", json!(""), Some(TokenError::Invalid)),
        ("sub", json!("service_role"), Some(TokenError::Invalid)),
        ("sub", json!(7), Some(TokenError::Malformed)),
        ("exp", json!(null), Some(TokenError::Malformed)),
        ("exp", json!("tomorrow"), Some(TokenError::Malformed)),
        ("exp", json!(now as f64 + 60.5), None),
        ("exp", json!(1e300), Some(TokenError::Malformed)),
        ("exp", json!(u64::MAX), Some(TokenError::Malformed)),
        ("exp", json!(-1), Some(TokenError::Expired)),
        ("nbf", json!(now - 1), None),
        ("nbf", json!(now + 30), None),
        ("nbf", json!(now + 300), Some(TokenError::NotYet)),
        ("iat", json!(null), None),
        ("iat", json!(now + 30), None),
        ("iat", json!(now + 300), Some(TokenError::NotYet)),
        ("email", json!(null), None),
    ];
    for (name, value, expected) in cases {
        let token = hs256(&claims_with(&clock, name, value.clone()), SECRET.as_bytes());
        let found = verifier.verify(&token).await.map(drop).err();
        assert_eq!(found, expected, "{name}: {value}");
    }
}

#[tokio::test]
async fn a_token_that_comes_early_is_good_later() {
    let (verifier, clock) = verifier();
    let nbf = clock.now().as_second() + 300;
    let token = hs256(&claims_with(&clock, "nbf", nbf.into()), SECRET.as_bytes());
    assert_eq!(refused(&verifier, &token).await, TokenError::NotYet);
    clock.advance(Duration::from_secs(300));
    verifier.verify(&token).await.unwrap();
}

#[tokio::test]
async fn what_must_be_understood_is_refused() {
    let (verifier, clock) = verifier();
    let header = json!({ "alg": "HS256", "crit": ["b64"], "b64": false });
    let unsigned = by_hand(&header, &claims(&clock), "");
    let message = unsigned.trim_end_matches('.');
    let secret = EncodingKey::from_secret(SECRET.as_bytes());
    let signature =
        jsonwebtoken::crypto::sign(message.as_bytes(), &secret, Algorithm::HS256).unwrap();
    assert_eq!(
        refused(&verifier, &format!("{message}.{signature}")).await,
        TokenError::Invalid
    );
}

#[tokio::test]
async fn what_is_no_token_is_malformed() {
    let (verifier, _) = verifier();
    assert_eq!(refused(&verifier, "").await, TokenError::Missing);
    let long = format!("{}.a.b", "a".repeat(MAX_TOKEN));
    for token in [
        " ", ".", "..", "...", "a.b", "a.b.c", "a.b.c.d", "\0", "é.é.é", &long,
    ] {
        assert_eq!(
            refused(&verifier, token).await,
            TokenError::Malformed,
            "{token:?}"
        );
    }
}

#[test]
fn a_short_secret_is_refused() {
    assert!(matches!(
        Verifier::secret(
            "31 bytes, which is one too few.",
            expected(),
            Clock::system()
        ),
        Err(IdentityError::ShortSecret)
    ));
    assert!(
        Verifier::secret(
            "32 bytes, which is just enough..",
            expected(),
            Clock::system()
        )
        .is_ok()
    );
}

#[test]
fn messages_are_fit_for_a_header() {
    for error in [
        TokenError::Missing,
        TokenError::Malformed,
        TokenError::Expired,
        TokenError::UnknownKey,
        TokenError::Issuer,
        TokenError::Audience,
        TokenError::NotYet,
        TokenError::Invalid,
        TokenError::ProviderUnavailable,
    ] {
        let message = error.to_string();
        assert!(
            message
                .bytes()
                .all(|byte| matches!(byte, b' '..=b'~') && !b"\"\\".contains(&byte))
        );
    }
}

fn now<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap()
        .block_on(future)
}

proptest! {
    #[test]
    fn garbage_is_refused(token in ".*") {
        prop_assert!(now(verifier().0.verify(&token)).is_err());
    }

    #[test]
    fn garbage_in_parts_is_refused(
        header in r#"\{"alg":"(HS256|ES256|none)"(,"kid":"[a-z]{0,3}")?\}"#,
        claims in r#"\{("sub":"[0-9a-f-]{0,36}")?,?("exp":-?[0-9]{0,22})?\}"#,
        signature in "[A-Za-z0-9_-]{0,90}",
    ) {
        let [header, claims] = [header, claims].map(|part| URL_SAFE_NO_PAD.encode(part));
        let token = format!("{header}.{claims}.{signature}");
        prop_assert!(now(verifier().0.verify(&token)).is_err());
    }

    #[test]
    fn one_other_character_is_one_too_many(at in any::<prop::sample::Index>(), with in "[A-Za-z0-9._-]") {
        let (verifier, clock) = verifier();
        let token = hs256(&claims(&clock), SECRET.as_bytes());
        prop_assert!(now(verifier.verify(&token)).is_ok());
        let at = at.index(token.len());
        let mut forged = token.clone();
        forged.replace_range(at..=at, &with);
        prop_assert_eq!(now(verifier.verify(&forged)).is_ok(), forged == token);
    }
}
