//! Signing in.

use frontdesk_protocol::Role;
use frontdesk_server::database::Location;
use frontdesk_server::identity::IdentitySettings;
use frontdesk_server::server::Settings;
use frontdesk_tests::builder::PASSWORD;
use frontdesk_tests::code_host::Browser;
use frontdesk_tests::desk::Stored;
use frontdesk_tests::world::identity;
use frontdesk_tests::{CodeHost, Mode, Proxy, desk, run, selected, world};

use crate::launch::{LAUNCH, launch};

#[test]
fn one_signs_in_with_the_wrong_password_then_the_right_one_and_checks_a_guest_in() {
    run(async {
        let (organization, _) = launch().await;
        let mut t = desk(&organization).at_home().await;
        t.expect("Sign in to Frontdesk")
            .expect("Nobody is signed in");
        t.snapshot("sign_in").await;

        let email = t.database().email(Role::Staff).await;
        t.type_text(&email).await;
        t.press("tab").await.type_text("not-it").await;
        t.press("enter")
            .await
            .expect("Address or password is wrong. Try again.");
        t.expect_no("not-it");
        t.snapshot("sign_in_wrong").await;

        t.type_text(PASSWORD).await.press("enter").await;
        t.expect_no("Sign in to Frontdesk").expect("staff at");
        t.expect_row(selected(LAUNCH).with("2 of 12"));

        t.press("enter")
            .await
            .type_text("zoe")
            .await
            .press("enter")
            .await;
        t.expect_banner(&["CHECKED IN", "Zoë Müller"]);
        t.database().guest("Zoë Müller").await.is_checked_in();
    });
}

#[test]
fn one_signs_in_through_a_provider_in_a_browser() {
    run(async {
        let (organization, _) = launch().await;
        let email = Stored::of(&organization).email(Role::Staff).await;
        let provider = CodeHost::start(&email).await;
        let settings = Settings {
            identity: IdentitySettings {
                code_host: Some(provider.settings()),
                ..identity()
            },
            ..Settings::local(Location::Memory)
        };
        let server = world().server_with(settings).await;
        let mut t = desk(&organization).over(server.url()).at_home().await;
        t.expect("ctrl-b signs in with forge, in a browser");
        // It is another way for whoever has forgotten the password, too.
        t.type_text(&email).await.press("tab").await;
        t.type_text("not-it").await.press("enter").await;
        t.expect("Address or password is wrong. Try again.")
            .expect("ctrl-b signs in with forge, in a browser")
            .press_at_once("ctrl-b")
            .hears("ctrl-y copies the address")
            .await
            .press_at_once("ctrl-y");
        let address = t.copied()[0].clone();

        let mut browser = Browser::default();
        let end = browser.goes_through(&address).await;
        let page = browser.get(end.as_str()).await;
        assert_eq!(page.text, "Done. You can close this page.");
        t.settle().await.expect_toast("Copied the address");
        t.expect_no("Sign in to Frontdesk").expect("staff at");
        t.expect_row(selected(LAUNCH).with("2 of 12"));
    });
}

#[test]
fn the_sign_in_card_says_what_is_missing() {
    run(async {
        let (organization, _) = launch().await;
        let mut t = desk(&organization).at_home().await;
        t.press("enter")
            .await
            .expect("Your e-mail address is missing.");
        t.type_text("staff@example.org").await.press("enter").await;
        t.expect_no("missing")
            .press("enter")
            .await
            .expect("Your password is missing.");
    });
}

#[test]
fn a_host_that_is_away_at_sign_in_can_be_tried_again_with_one_key() {
    run(async {
        let (organization, _) = launch().await;
        let proxy = Proxy::before(&world().url()).await;
        let mut t = desk(&organization).over(proxy.url()).at_home().await;
        let email = t.database().email(Role::Staff).await;
        t.type_text(&email).await.press("tab").await;
        t.type_text(PASSWORD).await;
        proxy.go_down().await;
        t.press("enter").await.expect("✗ Host not reachable.");
        t.expect("enter tries again")
            .snapshot("sign_in_host_away")
            .await;
        proxy.set(Mode::NotJson);
        proxy.come_back();
        t.press("enter").await.expect("✗ Unreadable answer.");
        proxy.set(Mode::Pass);
        t.press("enter").await.expect_no("Sign in to Frontdesk");
        t.press("r").await.expect_row(selected(LAUNCH));
    });
}

#[test]
fn whoever_signs_in_next_finds_nothing_of_the_one_before() {
    run(async {
        let (organization, _) = launch().await;
        let setup = desk(&organization).signed_in_as(Role::Staff);
        let mut t = setup.at(LAUNCH).await;
        t.type_text("zoe").await.press("enter").await;
        t.expect_banner(&["CHECKED IN", "Zoë Müller"]);
        t.run("session.sign_out")
            .await
            .expect("Sign in to Frontdesk");
        t.expect("✗ signed out");

        let email = t.database().email(Role::Teacher).await;
        t.type_text(&email).await.press("tab").await;
        t.type_text(PASSWORD).await.press("enter").await;
        t.expect("Today and coming up").expect("· teacher");
        t.open_desk(LAUNCH).await.expect("3 of 12");
        // Nor can they undo what the other did.
        assert!(
            t.cannot_run("guest.undo")
                .contains("there is none at this desk")
        );
    });
}
