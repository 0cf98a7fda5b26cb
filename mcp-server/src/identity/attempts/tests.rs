use std::net::Ipv4Addr;
use std::time::Duration;

use super::super::limit::CROWD;
use super::*;

fn stranger(number: u8) -> Client<'static> {
    Client::Stranger(Ipv4Addr::new(203, 0, 113, number).into())
}

fn is_refused(attempts: &Attempts, client: Client<'_>) -> bool {
    attempts.count("a@demo.test", client).is_err()
}

#[test]
fn each_account_has_its_allowance() {
    let clock = Clock::system();
    let attempts = Attempts::new(NonZeroU32::new(2), &clock);
    let one = stranger(1);
    attempts.count("a@demo.test", one).unwrap();
    attempts.count("a@demo.test", one).unwrap();
    let Err(AuthError::TooManyAttempts { retry_after }) = attempts.count("a@demo.test", one) else {
        panic!("a third one was let through");
    };
    assert!(retry_after <= Duration::from_secs(30), "{retry_after:?}");
    attempts.count("b@demo.test", one).unwrap();
    clock.advance(Duration::from_secs(30));
    attempts.count("a@demo.test", one).unwrap();
}

#[test]
fn strangers_use_up_neither_a_device_s_allowance_nor_a_known_address_s() {
    let attempts = Attempts::new(NonZeroU32::new(2), &Clock::system());
    assert!(!is_refused(&attempts, stranger(1)));
    assert!(!is_refused(&attempts, stranger(1)));
    assert!(is_refused(&attempts, stranger(1)));
    // One stranger's guesses do not block another, but the shared allowance limits them all.
    for number in 2..6 {
        assert!(!is_refused(&attempts, stranger(number)), "{number}");
    }
    assert!(is_refused(&attempts, stranger(7)));
    let known = Client::KnownAddress(Ipv4Addr::new(203, 0, 113, 1).into());
    for client in [Client::Device("one"), Client::Device("other"), known] {
        assert!(!is_refused(&attempts, client), "{client:?}");
        assert!(!is_refused(&attempts, client), "{client:?}");
        assert!(is_refused(&attempts, client), "{client:?}");
    }
}

#[test]
fn no_limit_is_no_limit() {
    let attempts = Attempts::new(None, &Clock::system());
    for _ in 0..1000 {
        attempts.count("a@demo.test", stranger(1)).unwrap();
    }
}

#[test]
fn a_crowd_is_forgotten_once_it_is_gone() {
    let clock = Clock::system();
    let attempts = Attempts::new(NonZeroU32::new(10), &clock);
    for number in 0..=CROWD {
        attempts.count(&number.to_string(), stranger(1)).unwrap();
    }
    clock.advance(Duration::from_secs(60));
    attempts.count("a@demo.test", stranger(1)).unwrap();
    let limiters = attempts.limiters.unwrap();
    assert_eq!(limiters.each.len(), 1);
    assert_eq!(limiters.strangers.len(), 1);
}
