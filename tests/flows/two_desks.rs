//! Two desks at one door.

use frontdesk_protocol::Role;
use frontdesk_tests::{Proxy, desk, row, run, selected, world};

use crate::launch::{LAUNCH, another_desk_checks_in, at, crowd, launch, school};

#[test]
fn who_is_in_already_is_said_to_be_and_since_when() {
    run(async {
        let (organization, _) = launch().await;
        let mut t = desk(&organization)
            .signed_in_as(Role::Staff)
            .at(LAUNCH)
            .await;
        let zoe = t.database().guest("Zoë Müller").await;
        let came = at("2025-03-12T12:44:00Z");
        another_desk_checks_in(&organization, zoe.id, came).await;

        t.type_text("zoe")
            .await
            .expect_row(selected("Zoë Müller").with("not yet"));
        t.press("enter")
            .await
            .expect_banner(&["ALREADY CHECKED IN", "Zoë Müller", "since 09:44"]);
        t.expect_row(row("09:44 ✓ Zoë Müller")).expect("3 of 12");
        t.database().guest("Zoë Müller").await.came_at(came);
        t.snapshot("already_in").await;
    });
}

#[test]
fn who_is_known_to_be_in_is_not_checked_in_again() {
    run(async {
        let (organization, _) = launch().await;
        let mut t = desk(&organization)
            .signed_in_as(Role::Staff)
            .at(LAUNCH)
            .await;
        t.type_text("ana souza")
            .await
            .expect_row(selected("Ana Souza").with("in 09:34"));
        t.press("enter")
            .await
            .expect_banner(&["ALREADY CHECKED IN", "Ana Souza", "since 09:34"]);
        t.expect("2 of 12");
    });
}

#[test]
fn a_guest_of_the_other_desk_appears_within_five_seconds() {
    run(async {
        let (organization, _) = launch().await;
        let mut here = desk(&organization)
            .signed_in_as(Role::Staff)
            .at(LAUNCH)
            .await;
        let mut there = desk(&organization)
            .signed_in_as(Role::Teacher)
            .at(LAUNCH)
            .await;
        there
            .type_text("zoe")
            .await
            .press("enter")
            .await
            .expect_banner(&["CHECKED IN"]);
        here.expect("2 of 12").expect_no("✓ Zoë Müller");
        here.seconds(5)
            .await
            .expect("3 of 12")
            .expect_row(row("✓ Zoë Müller"));

        there.press("ctrl-u").await.expect_banner(&["UNDONE"]);
        here.seconds(5)
            .await
            .expect("2 of 12")
            .expect_no("✓ Zoë Müller");
    });
}

#[test]
fn two_desks_of_one_account_at_a_busy_door_stay_below_the_rate_limit() {
    run(async {
        let organization = school().await;
        let event = crowd(&organization, "Concert", 150).await;
        let proxy = Proxy::before(&world().url()).await;
        let setup = desk(&organization)
            .signed_in_as(Role::Staff)
            .over(proxy.url());
        let mut here = setup.clone().at("Concert").await;
        let mut there = setup.at("Concert").await;
        let before = proxy.count();
        for guest in 1..=12 {
            here.type_text(&format!("{guest:04}"))
                .await
                .press("enter")
                .await;
            here.seconds(5).await;
            there.seconds(5).await.expect(&format!("{guest} of 150"));
        }
        assert_eq!(there.database().here(event).await, 12);
        let requests = proxy.count() - before;
        assert!(requests < 100, "{requests} requests in a minute");
    });
}
