use std::sync::Mutex as StdMutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::http::StatusCode;
use serde_json::{Value, json};

use super::*;
use crate::identity::key::{SigningKey, generate};

/// A local provider that publishes the given keys.
pub(in crate::identity) struct Provider {
    url: Url,
    answer: Arc<StdMutex<(StatusCode, String)>>,
    asked: Arc<AtomicUsize>,
}

impl Provider {
    pub(in crate::identity) async fn start(set: &Value) -> Provider {
        let answer = Arc::new(StdMutex::new((StatusCode::OK, set.to_string())));
        let asked = Arc::new(AtomicUsize::new(0));
        let (answers, counts) = (Arc::clone(&answer), Arc::clone(&asked));
        let handler = move || async move {
            counts.fetch_add(1, Ordering::Relaxed);
            answers.lock().unwrap().clone()
        };
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/keys", listener.local_addr().unwrap());
        let router = axum::Router::new().route("/keys", axum::routing::get(handler));
        tokio::spawn(axum::serve(listener, router).into_future());
        Provider {
            url: url.parse().unwrap(),
            answer,
            asked,
        }
    }

    pub(in crate::identity) fn publish(&self, status: StatusCode, body: &str) {
        *self.answer.lock().unwrap() = (status, body.to_owned());
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::Relaxed)
    }

    pub(in crate::identity) fn keys(&self) -> (RemoteKeys, Clock) {
        let clock = Clock::system();
        (
            RemoteKeys::new(self.url.clone(), clock.clone()).unwrap(),
            clock,
        )
    }
}

fn signing_key() -> SigningKey {
    SigningKey::from_pkcs8(&generate().unwrap()).unwrap()
}

pub(in crate::identity) fn set_of(keys: &[&SigningKey]) -> Value {
    let keys: Vec<_> = keys
        .iter()
        .map(|key| key.jwks()["keys"][0].clone())
        .collect();
    json!({ "keys": keys })
}

/// Waits until a newer set of keys than this one is known.
pub(in crate::identity) async fn is_replaced(keys: &RemoteKeys, known: u64) {
    let replaced = async {
        while keys.generation() == known {
            tokio::task::yield_now().await;
        }
    };
    let replaced = tokio::time::timeout(Duration::from_secs(10), replaced).await;
    replaced.expect("the set is fetched again");
}

async fn refused(keys: &RemoteKeys, kid: Option<&str>) -> TokenError {
    keys.find(kid).await.map(|found| found.1).unwrap_err()
}

#[tokio::test]
async fn a_key_is_fetched_once() {
    let key = signing_key();
    let provider = Provider::start(&set_of(&[&key])).await;
    let (keys, _) = provider.keys();
    assert_eq!(provider.asked(), 0);
    let named = keys.find(Some(key.kid())).await.unwrap();
    let only = keys.find(None).await.unwrap();
    assert_eq!(
        named.0.try_get_as_bytes().unwrap(),
        key.decoding().try_get_as_bytes().unwrap()
    );
    assert_eq!(named.1, only.1);
    assert_eq!(provider.asked(), 1);
}

#[tokio::test]
async fn without_a_name_there_must_be_one_key() {
    let provider = Provider::start(&set_of(&[&signing_key(), &signing_key()])).await;
    assert_eq!(
        refused(&provider.keys().0, None).await,
        TokenError::UnknownKey
    );
}

#[tokio::test]
async fn an_unknown_key_is_asked_for_once_a_minute() {
    let (old, new) = (signing_key(), signing_key());
    let provider = Provider::start(&set_of(&[&old])).await;
    let (keys, clock) = provider.keys();
    for _ in 0..5 {
        assert_eq!(
            refused(&keys, Some(new.kid())).await,
            TokenError::UnknownKey
        );
    }
    assert_eq!(provider.asked(), 1);

    let generation = keys.find(Some(old.kid())).await.unwrap().1;
    provider.publish(StatusCode::OK, &set_of(&[&old, &new]).to_string());
    clock.advance(PAUSE);
    let found = keys.find(Some(new.kid())).await.unwrap();
    assert_eq!(provider.asked(), 2);
    assert_ne!(
        found.1, generation,
        "what the old set vouched for is checked again"
    );
}

#[tokio::test]
async fn a_withdrawn_key_is_noticed() {
    let (old, new) = (signing_key(), signing_key());
    let provider = Provider::start(&set_of(&[&old])).await;
    let (keys, clock) = provider.keys();
    keys.find(Some(old.kid())).await.unwrap();
    provider.publish(StatusCode::OK, &set_of(&[&new]).to_string());

    clock.advance(FRESH);
    let known = keys.generation();
    keys.find(Some(old.kid()))
        .await
        .expect("nobody waits for a set that is merely old");
    is_replaced(&keys, known).await;
    assert_eq!(
        refused(&keys, Some(old.kid())).await,
        TokenError::UnknownKey
    );
    keys.find(Some(new.kid())).await.unwrap();
    assert_eq!(provider.asked(), 2);
}

#[tokio::test]
async fn keys_outlive_their_provider() {
    let key = signing_key();
    let provider = Provider::start(&set_of(&[&key])).await;
    let (keys, clock) = provider.keys();
    keys.find(Some(key.kid())).await.unwrap();
    provider.publish(StatusCode::BAD_GATEWAY, "");
    clock.advance(FRESH);
    keys.find(Some(key.kid())).await.unwrap();
    keys.fetch().await.unwrap();
    assert_eq!(provider.asked(), 2);
    keys.find(Some(key.kid())).await.unwrap();
    assert_eq!(
        refused(&keys, Some("another")).await,
        TokenError::ProviderUnavailable,
        "there may be such a key by now",
    );
}

#[tokio::test]
async fn a_provider_that_fails_is_unavailable() {
    let provider = Provider::start(&json!({})).await;
    let (keys, clock) = provider.keys();
    let large = format!(r#"{{"keys":[],"padding":"{}"}}"#, " ".repeat(MAX_BODY));
    for (status, body) in [
        (StatusCode::OK, "{}"),
        (StatusCode::OK, "<html>"),
        (StatusCode::OK, &large),
        (StatusCode::INTERNAL_SERVER_ERROR, r#"{"keys":[]}"#),
        (StatusCode::FOUND, r#"{"keys":[]}"#),
    ] {
        provider.publish(status, body);
        assert_eq!(
            refused(&keys, Some("a")).await,
            TokenError::ProviderUnavailable,
            "{status}"
        );
        clock.advance(PAUSE_WITHOUT_KEYS);
    }
    assert_eq!(provider.asked(), 5);

    provider.publish(StatusCode::OK, r#"{"keys":[]}"#);
    assert_eq!(refused(&keys, Some("a")).await, TokenError::UnknownKey);
}

#[tokio::test]
async fn a_provider_that_is_down_is_not_asked_all_the_time() {
    // Dropping the listener frees its port.
    let free = tokio::net::TcpListener::bind("127.0.0.1:0")
        .await
        .unwrap()
        .local_addr()
        .unwrap();
    let clock = Clock::system();
    let keys = RemoteKeys::new(format!("http://{free}/").parse().unwrap(), clock.clone()).unwrap();
    assert_eq!(
        refused(&keys, Some("a")).await,
        TokenError::ProviderUnavailable
    );
    assert!(!keys.0.may_fetch());
    clock.advance(PAUSE_WITHOUT_KEYS);
    assert!(keys.0.may_fetch());
}

#[tokio::test]
async fn a_caller_who_goes_away_does_not_stop_the_fetch() {
    let key = signing_key();
    let provider = Provider::start(&set_of(&[&key])).await;
    let (keys, _) = provider.keys();
    assert!(futures::FutureExt::now_or_never(keys.find(Some(key.kid()))).is_none());
    keys.fetch().await.unwrap();
    assert_eq!(provider.asked(), 1);
    keys.find(Some(key.kid())).await.unwrap();
    assert_eq!(provider.asked(), 1);
}

#[test]
fn only_es256_keys_count() {
    let good = signing_key().jwks()["keys"][0].clone();
    assert!(key(good.clone()).is_some());
    let with = |name: &str, value: Value| {
        let mut jwk = good.clone();
        jwk[name] = value;
        jwk
    };
    for bad in [
        with("kty", json!("oct")),
        with("kty", json!("RSA")),
        with("crv", json!("P-384")),
        with("alg", json!("HS256")),
        with("use", json!("enc")),
        with("x", json!("AAAA")),
        with("y", good["x"].clone()),
        json!({ "kty": "oct", "k": "c2VjcmV0", "alg": "HS256" }),
        json!("a key"),
        json!(null),
    ] {
        assert!(key(bad.clone()).is_none(), "{bad}");
    }
    let mut without_alg = good.clone();
    without_alg
        .as_object_mut()
        .unwrap()
        .retain(|name, _| !["alg", "use", "kid"].contains(&name.as_str()));
    assert!(key(without_alg).is_some());
}
