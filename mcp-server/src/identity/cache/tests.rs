use serde_json::json;

use super::*;
use crate::identity::claims::{Claims, Expected};

fn bearer() -> Bearer {
    let claims: Claims = serde_json::from_value(json!({
        "sub": uuid::Uuid::nil(), "exp": 0, "iss": "frontdesk", "aud": "authenticated",
    }))
    .unwrap();
    let expected = Expected {
        issuer: "frontdesk".to_owned(),
        audience: "authenticated".to_owned(),
    };
    claims.bearer(&expected).unwrap()
}

fn token(number: usize) -> Fingerprint {
    fingerprint(&number.to_string())
}

#[test]
fn remembers_what_was_put() {
    let cache = Cache::default();
    assert!(cache.get(&token(1), 0).is_none());
    cache.put(token(1), bearer(), 0);
    assert!(cache.get(&token(1), 0).is_some());
    assert!(cache.get(&token(2), 0).is_none());
}

#[test]
fn other_keys_vouch_for_nothing() {
    let cache = Cache::default();
    cache.put(token(1), bearer(), 0);
    assert!(cache.get(&token(1), 1).is_none());
}

#[test]
fn is_capped_and_keeps_what_is_used() {
    let cache = Cache::default();
    cache.put(token(0), bearer(), 0);
    for number in 1..5 * HALF {
        cache.put(token(number), bearer(), 0);
        if number % 100 == 0 {
            assert!(cache.get(&token(0), 0).is_some(), "used at {number}");
        }
    }
    let halves = cache.0.lock();
    assert!(halves.young.len() <= HALF && halves.old.len() <= HALF);
    drop(halves);
    assert!(cache.get(&token(1), 0).is_none(), "not used since");
}
