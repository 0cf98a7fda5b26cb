//! Codes: a guest's id, from a scanner that pastes it or types it.

use frontdesk_protocol::Role;
use frontdesk_tests::{Mode, Proxy, desk, run, world};

use crate::launch::{LAUNCH, event_today, launch};

#[test]
fn a_scanned_code_checks_in_at_once() {
    run(async {
        let (organization, _) = launch().await;
        let mut t = desk(&organization)
            .signed_in_as(Role::Staff)
            .at(LAUNCH)
            .await;
        let zoe = t.database().guest("Zoë Müller").await;
        t.paste(&format!("{}\r\n", zoe.id)).await;
        t.expect_banner(&["CHECKED IN", "Zoë Müller"])
            .expect("3 of 12");
        t.database().guest("Zoë Müller").await.is_checked_in();
    });
}

#[test]
fn a_code_that_the_scanner_types_counts_with_its_enter() {
    run(async {
        let (organization, _) = launch().await;
        let mut t = desk(&organization)
            .signed_in_as(Role::Staff)
            .at(LAUNCH)
            .await;
        let zoe = t.database().guest("Zoë Müller").await;
        t.type_text(&zoe.id.to_string()).await;
        zoe.is_not_checked_in();
        t.press("enter")
            .await
            .expect_banner(&["CHECKED IN", "Zoë Müller"]);
        t.database().guest("Zoë Müller").await.is_checked_in();
        t.expect("12 guests");
    });
}

#[test]
fn a_code_replaces_what_was_typed() {
    run(async {
        let (organization, _) = launch().await;
        let mut t = desk(&organization)
            .signed_in_as(Role::Staff)
            .at(LAUNCH)
            .await;
        let zoe = t.database().guest("Zoë Müller").await;
        t.type_text("ul").await.paste(&zoe.id.to_string()).await;
        t.expect_banner(&["CHECKED IN", "Zoë Müller"])
            .expect("12 guests");
        t.database()
            .guest("Ulla Lindqvist")
            .await
            .is_not_checked_in();
    });
}

#[test]
fn the_same_code_twice_checks_in_once() {
    run(async {
        let (organization, _) = launch().await;
        let mut t = desk(&organization)
            .signed_in_as(Role::Staff)
            .at(LAUNCH)
            .await;
        let zoe = t.database().guest("Zoë Müller").await;
        t.paste(&zoe.id.to_string()).await;
        let first = t
            .database()
            .guest("Zoë Müller")
            .await
            .check_in_at
            .expect("is in");
        t.paste(&zoe.id.to_string()).await;
        t.expect_banner(&["ALREADY CHECKED IN", "Zoë Müller"])
            .expect("3 of 12");
        t.database().guest("Zoë Müller").await.came_at(first);
    });
}

#[test]
fn an_unknown_code_is_refused_in_large_letters() {
    run(async {
        let (organization, event) = launch().await;
        let mut t = desk(&organization)
            .signed_in_as(Role::Staff)
            .at(LAUNCH)
            .await;
        t.paste("0190a1b2-0000-7000-8000-00000000ffff").await;
        t.expect_banner(&[
            "✗ NOT CHECKED IN",
            "this code is of no guest that you can see",
        ]);
        assert_eq!(t.database().here(event).await, 2);
        t.snapshot("unknown_code").await;
        t.type_text("z").await.expect_no("NOT CHECKED IN");
    });
}

#[test]
fn a_code_of_another_event_is_refused() {
    run(async {
        let (organization, _) = launch().await;
        let dinner = event_today(&organization, "Dinner").await;
        let quentin = organization.guest(dinner, "Quentin Blake").await;
        let mut t = desk(&organization)
            .signed_in_as(Role::Staff)
            .at(LAUNCH)
            .await;
        t.paste(&quentin.to_string()).await;
        t.expect_banner(&[
            "✗ NOT CHECKED IN",
            "this code is for a guest of another event",
        ]);
        t.database()
            .guest("Quentin Blake")
            .await
            .is_not_checked_in();
    });
}

#[test]
fn a_code_of_somebody_who_was_added_a_moment_ago_is_known() {
    run(async {
        let (organization, event) = launch().await;
        let mut t = desk(&organization)
            .signed_in_as(Role::Staff)
            .at(LAUNCH)
            .await;
        let quentin = organization.guest(event, "Quentin Blake").await;
        t.paste(&quentin.to_string()).await;
        t.expect_banner(&["CHECKED IN", "Quentin Blake"]);
        t.database().guest("Quentin Blake").await.is_checked_in();
    });
}

#[test]
fn a_code_that_nobody_has_while_the_host_is_away_says_so() {
    run(async {
        let (organization, _) = launch().await;
        let proxy = Proxy::before(&world().url()).await;
        let setup = desk(&organization)
            .signed_in_as(Role::Staff)
            .over(proxy.url());
        let mut t = setup.at(LAUNCH).await;
        proxy.set(Mode::status(502, "bad gateway"));
        t.paste("0190a1b2-0000-7000-8000-00000000ffff").await;
        t.expect_banner(&["✗ NOT CHECKED IN", "the host cannot be asked now"]);
        assert_eq!(t.waiting(), 0);
        assert!(t.on_disk().is_empty());
    });
}
