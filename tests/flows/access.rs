//! What those see at the door who may not do everything.

use frontdesk_protocol::Role;
use frontdesk_tests::{desk, run, selected, world};

use crate::launch::{LAUNCH, event_today, launch};

#[test]
fn a_teacher_checks_in_and_undoes() {
    run(async {
        let (organization, _) = launch().await;
        let mut t = desk(&organization)
            .signed_in_as(Role::Teacher)
            .at(LAUNCH)
            .await;
        t.type_text("zoe")
            .await
            .press("enter")
            .await
            .expect_banner(&["CHECKED IN", "Zoë Müller"]);
        t.database().guest("Zoë Müller").await.is_checked_in();
        t.press("ctrl-u").await.expect_banner(&["UNDONE"]);
        t.database().guest("Zoë Müller").await.is_not_checked_in();
    });
}

#[test]
fn finance_sees_the_guests_and_is_refused() {
    run(async {
        let (organization, _) = launch().await;
        let mut t = desk(&organization)
            .signed_in_as(Role::Finance)
            .at(LAUNCH)
            .await;
        t.type_text("zoe").await.press("enter").await;
        t.expect_banner(&["✗ REFUSED", "Zoë Müller", "Not permitted"])
            .expect("2 of 12");
        t.database().guest("Zoë Müller").await.is_not_checked_in();
        assert!(t.on_disk().is_empty(), "a refusal must not wait");
        t.snapshot("refused").await;
        t.type_text("ulla")
            .await
            .expect_row(selected("Ulla Lindqvist"));
    });
}

#[test]
fn a_fellow_sees_only_themselves_and_is_refused() {
    run(async {
        let (organization, event) = launch().await;
        let guest = organization.guest(event, "Fellow").await;
        world()
            .owner()
            .await
            .execute(
                "update events.guests set member_id = $2 where id = $1",
                &[&guest.0, &organization.fellow.0],
            )
            .await
            .expect("the guest is the fellow");
        let mut t = desk(&organization)
            .signed_in_as(Role::Fellow)
            .at(LAUNCH)
            .await;
        t.expect("1 guest").expect("0 of 1").expect_no("Zoë");
        t.type_text("fellow")
            .await
            .press("enter")
            .await
            .expect_banner(&["✗ REFUSED", "Fellow"]);
        t.database().guest("Fellow").await.is_not_checked_in();

        let zoe = t.database().guest("Zoë Müller").await;
        t.paste(&zoe.id.to_string()).await;
        t.expect_banner(&["✗ NOT CHECKED IN", "of no guest that you can see"]);
    });
}

#[test]
fn a_fellow_who_is_no_guest_sees_an_empty_list() {
    run(async {
        let (organization, _) = launch().await;
        let mut t = desk(&organization)
            .signed_in_as(Role::Fellow)
            .at(LAUNCH)
            .await;
        t.expect("This event has no guests that you can see.");
        t.snapshot("no_guests").await;
    });
}

#[test]
fn automation_sees_no_event() {
    run(async {
        let (organization, _) = launch().await;
        let mut t = desk(&organization)
            .signed_in_as(Role::Automation)
            .at_home()
            .await;
        t.expect("Nothing today and nothing to come that you can see.");
        t.snapshot("home_nothing").await;
        assert!(
            t.cannot_run("home.check_in")
                .contains("there is no event to select")
        );
    });
}

#[test]
fn staff_of_another_organisation_sees_nothing_of_this_one() {
    run(async {
        let (organization, _) = launch().await;
        let (other, _) = launch().await;
        event_today(&other, "Reception").await;
        let mut t = desk(&other).signed_in_as(Role::Staff).at("Reception").await;
        let zoe = desk(&organization)
            .at_home()
            .await
            .database()
            .guest("Zoë Müller")
            .await;
        t.expect("0 of 0").paste(&zoe.id.to_string()).await;
        t.expect_banner(&["✗ NOT CHECKED IN", "of no guest that you can see"]);
        assert_eq!(t.waiting(), 0);
    });
}

#[test]
fn a_role_that_is_taken_away_counts_from_the_next_key() {
    run(async {
        let (organization, _) = launch().await;
        let mut t = desk(&organization)
            .signed_in_as(Role::Staff)
            .at(LAUNCH)
            .await;
        world()
            .owner()
            .await
            .execute(
                "update staff.users set is_active = false where id = $1",
                &[&organization.user(Role::Staff).0],
            )
            .await
            .expect("the role is gone");
        t.type_text("zoe")
            .await
            .press("enter")
            .await
            .expect_banner(&["✗ REFUSED", "Zoë Müller"]);
        t.database().guest("Zoë Müller").await.is_not_checked_in();
        assert_eq!(t.waiting(), 0);
    });
}
