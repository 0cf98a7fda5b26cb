//! Tokens that end while somebody works.

use std::time::Duration;

use frontdesk_protocol::Role;
use frontdesk_server::clock::Clock;
use frontdesk_tests::builder::PASSWORD;
use frontdesk_tests::{Organization, Proxy, desk, row, run, selected, world};

use crate::launch::{LAUNCH, launch};

/// Longer than an access token lives.
const LONG: Duration = Duration::from_secs(3700);

/// The account's sign-ins are ended, as when somebody signs it out everywhere.
async fn revoke(organization: &Organization, role: Role) {
    let ended = world()
        .owner()
        .await
        .execute(
            "update auth.sessions set revoked_at = now() where user_id = $1",
            &[&organization.user(role).0],
        )
        .await
        .expect("the sign-ins are ended");
    assert_eq!(ended, 1);
}

#[test]
fn a_token_that_ends_is_renewed_without_a_word() {
    run(async {
        let (organization, _) = launch().await;
        let clock = Clock::system();
        let server = world().server(clock.clone(), 0).await;
        let proxy = Proxy::before(&server.url()).await;
        let setup = desk(&organization)
            .signed_in_as(Role::Staff)
            .over(proxy.url());
        let mut t = setup.at(LAUNCH).await;
        t.type_text("zoe").await;
        clock.advance(LONG);
        t.press("enter")
            .await
            .expect_banner(&["CHECKED IN", "Zoë Müller"]);
        assert_eq!(
            proxy.count_of("/events/auth/refresh"),
            1,
            "{:?}",
            proxy.requests()
        );
        t.database().guest("Zoë Müller").await.is_checked_in();
        clock.advance(LONG);
        t.seconds(5).await.expect("3 of 12").expect_no("✗");
        assert_eq!(
            proxy.count_of("/events/auth/refresh"),
            2,
            "{:?}",
            proxy.requests()
        );
    });
}

#[test]
fn a_sign_in_that_has_ended_asks_for_the_password_and_loses_nothing() {
    run(async {
        let (organization, _) = launch().await;
        let clock = Clock::system();
        let server = world().server(clock.clone(), 0).await;
        let setup = desk(&organization)
            .signed_in_as(Role::Staff)
            .over(server.url());
        let mut t = setup.at(LAUNCH).await;
        t.type_text("zo").await;
        revoke(&organization, Role::Staff).await;
        clock.advance(LONG);
        t.seconds(4)
            .await
            .expect("Sign in to Frontdesk")
            .expect("✗ signed out");
        t.expect("Nothing that you typed is lost.");
        let email = t.database().email(Role::Staff).await;
        t.expect(&email);
        t.snapshot("signed_out").await;

        t.type_text("wrong").await.press("enter").await;
        t.expect("Address or password is wrong. Try again.");
        t.type_text(PASSWORD)
            .await
            .press("enter")
            .await
            .expect_no("Sign in to Frontdesk");
        t.expect("│ zo ")
            .expect_row(selected("Zoë Müller"))
            .expect("2 of 12");
        t.press("enter")
            .await
            .expect_banner(&["CHECKED IN", "Zoë Müller"]);
        t.database().guest("Zoë Müller").await.is_checked_in();
    });
}

#[test]
fn a_check_in_at_the_moment_of_the_end_waits_for_the_sign_in() {
    run(async {
        let (organization, _) = launch().await;
        let clock = Clock::system();
        let server = world().server(clock.clone(), 0).await;
        let setup = desk(&organization)
            .signed_in_as(Role::Staff)
            .over(server.url());
        let mut t = setup.at(LAUNCH).await;
        revoke(&organization, Role::Staff).await;
        clock.advance(LONG);
        let pressed = t.now();
        t.type_text("zoe")
            .await
            .press("enter")
            .await
            .expect("Sign in to Frontdesk");
        assert_eq!(t.waiting(), 1);
        assert_eq!(t.on_disk().len(), 1);
        t.database().guest("Zoë Müller").await.is_not_checked_in();

        t.seconds(60)
            .await
            .type_text(PASSWORD)
            .await
            .press("enter")
            .await;
        t.expect_toast("1 waiting check-in delivered")
            .expect("3 of 12");
        t.expect_row(row("09:45 ✓ Zoë Müller"));
        t.database().guest("Zoë Müller").await.came_at(pressed);
        assert!(t.on_disk().is_empty());
    });
}

#[test]
fn one_can_go_on_without_signing_in_and_what_one_does_waits() {
    run(async {
        let (organization, _) = launch().await;
        let clock = Clock::system();
        let server = world().server(clock.clone(), 0).await;
        let setup = desk(&organization)
            .signed_in_as(Role::Staff)
            .over(server.url());
        let mut t = setup.at(LAUNCH).await;
        revoke(&organization, Role::Staff).await;
        clock.advance(LONG);
        t.seconds(4)
            .await
            .expect("Sign in to Frontdesk")
            .press("esc")
            .await;
        t.expect_no("Sign in to Frontdesk").expect("✗ signed out");
        let pressed = t.now();
        t.type_text("zoe")
            .await
            .press("enter")
            .await
            .expect_banner(&["WAITING", "Zoë Müller"]);
        t.snapshot("signed_out_waiting").await;
        t.press("ctrl-l").await.expect("Sign in to Frontdesk");
        let email = t.database().email(Role::Staff).await;
        t.type_text(&email).await.press("enter").await;
        t.type_text(PASSWORD).await.press("enter").await;
        t.expect_toast("1 waiting check-in delivered");
        t.database().guest("Zoë Müller").await.came_at(pressed);
    });
}
