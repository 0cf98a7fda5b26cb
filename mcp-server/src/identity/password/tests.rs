use super::*;

fn place() -> Place {
    Place {
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
            .check(place(), sent.to_owned(), Some(hash.clone()))
            .await
            .unwrap();
        assert_eq!(found, expected, "{sent:?}");
    }
}

#[tokio::test]
async fn nobody_has_no_password() {
    let mut passwords = Passwords::new().await.unwrap();
    passwords.dummy = hash_password("guessed").unwrap().into();
    let found = passwords.check(place(), "guessed".to_owned(), None).await;
    assert!(!found.unwrap());
}

#[tokio::test]
async fn a_damaged_hash_lets_nobody_in() {
    let passwords = Passwords::new().await.unwrap();
    let found = passwords.check(place(), String::new(), Some(String::new()));
    assert!(!found.await.unwrap());
}

#[tokio::test]
async fn the_dummy_costs_what_a_password_costs() {
    let passwords = Passwords::new().await.unwrap();
    let hash = hash_password("demo-password").unwrap();
    let [dummy, hash] = [&*passwords.dummy, &hash].map(|hash| PasswordHash::new(hash).unwrap());
    assert_eq!(dummy.algorithm, hash.algorithm);
    assert_eq!(dummy.params, hash.params);
}
