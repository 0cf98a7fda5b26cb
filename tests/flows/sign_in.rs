//! Signing in.

use frontdesk_protocol::Role;
use frontdesk_tests::builder::PASSWORD;
use frontdesk_tests::{desk, run, selected};

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
