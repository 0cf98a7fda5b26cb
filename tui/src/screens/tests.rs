//! The screens around the desk, as they look.

use std::time::Duration;

use insta::assert_snapshot;

use crate::shell::Driver;
use crate::testing::{FakeHost, account, app};

/// What takes longer than this does not happen.
const PATIENCE: Duration = Duration::from_secs(10);

/// At the card, where the service names a provider and no browser comes back to this machine.
async fn in_browser(size: (u16, u16)) -> (FakeHost, Driver) {
    let host = FakeHost::new();
    host.lock().ways.providers = vec!["forge".to_owned()];
    let mut app = app(&host, None, size);
    app.settle().await;
    app.expect_row("ctrl-b signs in with forge, in a browser");
    app.key("ctrl-b").expect("is a key");
    app.hear().await;
    (host, app)
}

#[tokio::test]
async fn the_card_says_that_a_server_has_no_organisation() {
    let host = FakeHost::new();
    host.lock().ways.needs_setup = true;
    let mut app = app(&host, None, (80, 24));
    app.settle().await;
    app.expect_row("has no organisation yet");
    app.expect_row("run frontdesk-server");
}

#[tokio::test]
async fn signing_in_in_a_browser_on_another_machine() {
    let (_host, mut app) = in_browser((80, 24)).await;
    assert_snapshot!("sign_in_in_browser_80x24", app.screen());
    app.key("enter").expect("is a key");
    app.expect_row("Paste the address of the browser's last page");
    app.paste("http://127.0.0.1:1/?error=no");
    app.key("enter").expect("is a key");
    app.settle_but(1).await;
    app.expect_row("✗ this address has no code");
    for _ in 0.."?error=no".len() {
        app.key("backspace").expect("is a key");
    }
    app.type_text("?code=good");
    app.key("enter").expect("is a key");
    assert!(
        app.settle_within(PATIENCE).await,
        "the browser is waited for"
    );
    app.expect_no("Sign in to");
}

#[tokio::test]
async fn the_address_to_open_in_a_browser_is_copied() {
    let (_host, mut app) = in_browser((80, 24)).await;
    app.key("ctrl-y").expect("is a key");
    assert_eq!(
        app.copied(),
        ["https://frontdesk.test/auth/v1/authorize?provider=forge&state=abc"]
    );
}

#[tokio::test]
async fn esc_goes_back_from_the_browser_to_the_password() {
    let (_host, mut app) = in_browser((80, 24)).await;
    app.key("esc").expect("is a key");
    assert!(
        app.settle_within(PATIENCE).await,
        "the browser is waited for"
    );
    app.type_text("staff@demo.test");
    app.key("enter").expect("is a key");
    app.type_text("demo-password");
    app.keys("enter").await;
    app.expect_no("Sign in to");
}

#[tokio::test]
async fn without_a_provider_no_browser_is_spoken_of() {
    let host = FakeHost::new();
    let mut app = app(&host, None, (80, 24));
    app.settle().await;
    app.key("ctrl-b").expect("is a key");
    assert!(
        app.toasts()[0].contains("This service names no provider"),
        "{:?}",
        app.toasts()
    );
    app.expect_no("signs in with");
}

#[tokio::test]
async fn the_password_is_not_in_the_log() {
    let host = FakeHost::new();
    let mut app = app(&host, None, (80, 24));
    app.type_text("staff@demo.test");
    app.key("tab").expect("is a key");
    app.paste("demo-password");
    app.key("enter").expect("is a key");
    app.expect_no("demo-password");
    app.settle().await;
}

#[tokio::test]
async fn no_answer_yet() {
    let host = FakeHost::new();
    host.hang();
    let mut app = app(&host, Some(account()), (80, 24));
    assert_snapshot!("home_loading_80x24", app.screen());
    host.release();
    app.settle().await;
    app.expect_row("Summer Open Day");
}
