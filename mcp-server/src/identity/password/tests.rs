use super::*;

fn requester() -> Requester {
    Requester {
        is_known: false,
        address: std::net::Ipv4Addr::LOCALHOST.into(),
        account: "a@demo.test".to_owned(),
    }
}

#[tokio::test]
async fn only_the_password_itself_is_right() {
    let passwords = Passwords::new().await.unwrap();
    let hash = hash_password("demo-password").unwrap();
    assert!(hash.starts_with("$argon2id$v=19$"));
    for (sent, expected) in [
        ("demo-password", true),
        ("Demo-password", false),
        ("demo-password ", false),
        ("demo-password\0", false),
        ("", false),
    ] {
        let found = passwords
            .check(requester(), sent.to_owned(), vec![Some(hash.clone())])
            .await
            .unwrap();
        assert_eq!(found, [expected], "{sent:?}");
    }
}

#[tokio::test]
async fn nobody_has_no_password() {
    let mut passwords = Passwords::new().await.unwrap();
    passwords.dummy = hash_password("guessed").unwrap().into();
    for hashes in [vec![], vec![None]] {
        let found = passwords.check(requester(), "guessed".to_owned(), hashes);
        assert!(!found.await.unwrap().contains(&true));
    }
}

#[tokio::test]
async fn a_damaged_hash_lets_nobody_in() {
    let passwords = Passwords::new().await.unwrap();
    let found = passwords.check(requester(), String::new(), vec![Some(String::new())]);
    assert_eq!(found.await.unwrap(), [false]);
}

#[tokio::test]
async fn the_dummy_costs_what_a_password_costs() {
    let passwords = Passwords::new().await.unwrap();
    let hash = hash_password("demo-password").unwrap();
    let [dummy, hash] = [&*passwords.dummy, &hash].map(|hash| PasswordHash::new(hash).unwrap());
    assert_eq!(dummy.algorithm, hash.algorithm);
    assert_eq!(dummy.params, hash.params);
}

#[tokio::test]
async fn accounts_with_one_address_share_a_salt_and_each_has_its_password() {
    let passwords = Passwords::new().await.unwrap();
    let first = hash_password("the first password").unwrap();
    let second = hash("the second password".to_owned(), Some(first.clone()));
    let second = second.await.unwrap();
    let [one, other] = [&first, &second].map(|hash| PasswordHash::new(hash).unwrap());
    assert!(is_like(&one, &other));
    assert_ne!(one.hash, other.hash);
    let hashes = vec![Some(first), Some(second), None];
    for (sent, expected) in [
        ("the first password", [true, false, false]),
        ("the second password", [false, true, false]),
        ("another", [false; 3]),
    ] {
        let found = passwords.check(requester(), sent.to_owned(), hashes.clone());
        assert_eq!(found.await.unwrap(), expected, "{sent}");
    }
}

#[test]
fn two_keyboards_agree_on_a_password() {
    // é as one letter and as e with an accent; a space and a no-break space.
    let stored = Some(hash_password("caf\u{e9} com leite").unwrap());
    let found = compare("cafe\u{301}\u{a0}com leite", &[stored], "");
    assert_eq!(found, [true]);
}
