//! The sign-in through a code-hosting provider, from the client's side.
#![allow(clippy::unwrap_used)]

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use frontdesk_client::{CallError, Client, CredentialStore};
use serde_json::json;
use sha2::{Digest, Sha256};

use crate::support::browser::{parameters, visit};
use crate::support::{EMAIL, Reply, Server, account};

const SETTINGS: &str = "/auth/v1/settings";
const GRANT: &str = "/auth/v1/token?grant_type=pkce";

#[tokio::test]
async fn the_code_that_a_browser_brings_back_is_exchanged_and_the_tokens_are_kept() {
    let server = Server::start().await;
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("credentials.json");
    let client = Client::new(server.addresses(), CredentialStore::file(&file)).unwrap();
    let sign_in = client.sign_in_through("forge", "demo").await.unwrap();
    let begin = format!("{}/auth/v1/authorize?", server.url());
    assert!(sign_in.address().starts_with(&begin));
    let asked = parameters(sign_in.address());
    assert_eq!(asked["provider"], "forge");
    assert_eq!(asked["code_challenge_method"], "S256");
    assert!(asked["redirect_to"].starts_with("http://127.0.0.1:"));

    let back = |state: &str| format!("{}?code=the-code&state={state}", asked["redirect_to"]);
    let browser = async {
        let stranger = visit(&back("guessed")).await;
        assert!(stranger.starts_with("HTTP/1.1 400"), "{stranger}");
        visit(&back(&asked["state"])).await
    };
    let (answer, page) = tokio::join!(sign_in.redirected(), browser);
    assert!(page.contains("You can close this page."), "{page}");
    assert!(page.contains("\r\ncontent-security-policy: default-src 'none'\r\n"));
    assert_eq!(sign_in.finish(&answer.unwrap()).await, Ok(account()));

    let requests = server.requests();
    let sent = requests.iter().find(|it| it.path == GRANT).unwrap();
    assert_eq!(sent.body["auth_code"], "the-code");
    let verifier = sent.body["code_verifier"].as_str().unwrap();
    let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(verifier));
    assert_eq!(challenge, asked["code_challenge"]);
    let kept = CredentialStore::file(&file).load().unwrap().unwrap();
    assert_eq!(
        (kept.email.as_str(), kept.api_key.as_str()),
        (EMAIL, "demo")
    );
    assert_eq!(kept.url, server.url());
    assert!(client.is_signed_in());
}

#[tokio::test]
async fn the_providers_are_those_that_the_service_offers() {
    let server = Server::start().await;
    let client = Client::new(server.addresses(), CredentialStore::memory()).unwrap();
    let offered = json!({
        "external": { "email": true, "phone": true, "anonymous_users": true, "forge": true, "hub": false },
        "disable_signup": true,
    });
    server.next(SETTINGS, Reply::json(200, &offered));
    let ways = client.sign_in_ways("demo").await.unwrap();
    assert_eq!(ways.providers, ["forge"]);
    assert!(!ways.needs_setup);
    let requests = server.requests();
    let asked = requests.iter().find(|it| it.path == SETTINGS).unwrap();
    assert_eq!(asked.headers["apikey"], "demo");

    server.next(SETTINGS, Reply::json(200, &json!({ "needs_setup": true })));
    let ways = client.sign_in_ways("demo").await.unwrap();
    assert_eq!(ways.providers, [""; 0]);
    assert!(ways.needs_setup);
    server.next(SETTINGS, Reply::status(404));
    assert!(client.sign_in_ways("demo").await.is_err());
}

#[tokio::test]
async fn an_answer_that_is_no_good_signs_nobody_in() {
    let server = Server::start().await;
    let client = Client::new(server.addresses(), CredentialStore::memory()).unwrap();
    let sign_in = client.sign_in_through("forge", "demo").await.unwrap();
    let state = &parameters(sign_in.address())["state"];
    for (answer, said) in [
        ("the-code".to_owned(), "paste the whole address"),
        ("code=the-code&state=guessed".to_owned(), "another sign-in"),
        (format!("state={state}"), "no code"),
        (
            format!("error=access_denied&error_description=Nobody%20here&state={state}"),
            "access_denied: Nobody here",
        ),
    ] {
        let error = sign_in.finish(&answer).await.unwrap_err();
        assert!(
            matches!(&error, CallError::SignedOut(reason) if reason.contains(said)),
            "{error}"
        );
    }
    assert_eq!(server.count(GRANT), 0, "nothing was sent");
    let answer = format!("code=used-before&state={state}");
    let error = sign_in.finish(&answer).await.unwrap_err();
    assert_eq!(error, CallError::SignedOut("no valid flow".to_owned()));
    assert!(!client.is_signed_in());
}
