use std::time::Duration;

use super::*;

#[test]
fn each_address_has_its_allowance() {
    let clock = Clock::system();
    let attempts = Attempts::new(NonZeroU32::new(2), clock.clone());
    attempts.count("a@demo.test").unwrap();
    attempts.count("a@demo.test").unwrap();
    let Err(AuthError::TooManyAttempts { retry_after }) = attempts.count("a@demo.test") else {
        panic!("a third one was let through");
    };
    assert!(retry_after <= Duration::from_secs(30), "{retry_after:?}");
    attempts.count("b@demo.test").unwrap();
    clock.advance(Duration::from_secs(30));
    attempts.count("a@demo.test").unwrap();
}

#[test]
fn no_limit_is_no_limit() {
    let attempts = Attempts::new(None, Clock::system());
    for _ in 0..1000 {
        attempts.count("a@demo.test").unwrap();
    }
}

#[test]
fn a_crowd_is_forgotten_once_it_is_gone() {
    let clock = Clock::system();
    let attempts = Attempts::new(NonZeroU32::new(10), clock.clone());
    for number in 0..=CROWD {
        attempts.count(&number.to_string()).unwrap();
    }
    clock.advance(Duration::from_secs(60));
    attempts.count("a@demo.test").unwrap();
    assert_eq!(attempts.limiter.unwrap().len(), 1);
}
