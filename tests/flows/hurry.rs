//! A queue at the door: names typed faster than the host answers, and keys hit by reflex.

use frontdesk_protocol::Role;
use frontdesk_tests::{Mode, Proxy, desk, run, selected, world};

use crate::launch::{LAUNCH, crowd, launch, school};

#[test]
fn enter_right_behind_a_name_that_nobody_has_is_answered() {
    run(async {
        let (organization, event) = launch().await;
        let mut t = desk(&organization)
            .signed_in_as(Role::Staff)
            .at(LAUNCH)
            .await;
        t.type_text("zoe")
            .await
            .press("enter")
            .await
            .expect_banner(&["CHECKED IN", "Zoë Müller"]);
        t.type_text("quentin")
            .await
            .press("enter")
            .await
            .expect_banner(&["NOBODY BY THAT NAME", "quentin"]);
        // The next letter begins the next name.
        t.type_text("ulla")
            .await
            .expect_row(selected("Ulla Lindqvist"))
            .press("enter")
            .await
            .expect_banner(&["CHECKED IN", "Ulla Lindqvist"]);
        t.database().guest("Ulla Lindqvist").await.is_checked_in();
        assert_eq!(t.database().here(event).await, 4);
    });
}

#[test]
fn what_nobody_is_called_can_be_mended_or_added() {
    run(async {
        let (organization, _) = launch().await;
        let mut t = desk(&organization)
            .signed_in_as(Role::Staff)
            .at(LAUNCH)
            .await;
        t.type_text("ullx")
            .await
            .press("enter")
            .await
            .expect_banner(&["NOBODY BY THAT NAME", "ullx"]);
        t.press("backspace")
            .await
            .expect_row(selected("Ulla Lindqvist"));
        t.press("backspace")
            .await
            .type_text("x")
            .await
            .press("enter ctrl-a")
            .await
            .expect("Add a guest and check in")
            .expect("ulx");
    });
}

#[test]
fn enter_before_the_host_has_answered_checks_in_whom_it_finds() {
    run(async {
        let (organization, event) = launch().await;
        let mut t = desk(&organization)
            .signed_in_as(Role::Staff)
            .at(LAUNCH)
            .await;
        organization.guest(event, "Quentin Blake").await;
        t.type_text("quentin")
            .await
            .press("enter")
            .await
            .expect_banner(&["CHECKED IN", "Quentin Blake"]);
        t.database().guest("Quentin Blake").await.is_checked_in();
    });
}

#[test]
fn the_next_guest_is_typed_while_the_host_is_still_asked_for_the_one_before() {
    run(async {
        let (organization, event) = launch().await;
        let proxy = Proxy::before(&world().url()).await;
        let setup = desk(&organization)
            .signed_in_as(Role::Staff)
            .over(proxy.url());
        let mut t = setup.at(LAUNCH).await;
        organization.guest(event, "Quentin Blake").await;
        proxy.set_for("list_event_guests", Mode::Hold);
        t.press_at_once("q u e n t i n enter")
            .expect_banner(&["LOOKING FOR", "quentin"]);
        t.press_at_once("r u f u s enter")
            .expect_banner(&["LOOKING FOR", "rufus"]);
        t.press_at_once("u l l a enter")
            .hears("✓ CHECKED IN  Ulla Lindqvist")
            .await;
        proxy.release();
        proxy.release();
        t.settle()
            .await
            .expect_banner(&["CHECKED IN", "Quentin Blake"])
            .expect_toast("Nobody was checked in for “rufus”: nobody has that name");
        t.database().guest("Quentin Blake").await.is_checked_in();
        t.database().guest("Ulla Lindqvist").await.is_checked_in();
        assert_eq!(t.database().here(event).await, 4);
    });
}

#[test]
fn at_a_large_event_enter_waits_for_the_host_to_know_whom_it_means() {
    run(async {
        let organization = school().await;
        let event = crowd(&organization, "Stadium", 1200).await;
        organization
            .guests(event, &["Abel Zimmer", "Zimmer, Zoë"])
            .await;
        let mut t = desk(&organization)
            .signed_in_as(Role::Staff)
            .at("Stadium")
            .await;
        // Of the two, only Abel is among those who are loaded.
        t.type_text("zimmer")
            .await
            .expect_row(selected("Abel Zimmer"))
            .press("enter")
            .await
            .expect_banner(&["CHECKED IN", "Zimmer, Zoë"]);
        t.database().guest("Abel Zimmer").await.is_not_checked_in();
    });
}

#[test]
fn a_host_that_cannot_be_asked_does_not_swallow_enter() {
    run(async {
        let (organization, _) = launch().await;
        let proxy = Proxy::before(&world().url()).await;
        let setup = desk(&organization)
            .signed_in_as(Role::Staff)
            .over(proxy.url());
        let mut t = setup.at(LAUNCH).await;
        proxy.go_down().await;
        t.type_text("quentin")
            .await
            .press("enter")
            .await
            .expect_banner(&["NOT FOUND HERE", "quentin", "the host cannot be asked"]);
        t.type_text("ulla")
            .await
            .press("enter")
            .await
            .expect_banner(&["WAITING", "Ulla Lindqvist"]);
    });
}

#[test]
fn esc_by_reflex_does_not_leave_the_desk() {
    run(async {
        let (organization, _) = launch().await;
        let mut t = desk(&organization)
            .signed_in_as(Role::Staff)
            .at(LAUNCH)
            .await;
        t.type_text("ul")
            .await
            .press("esc")
            .await
            .expect("12 guests")
            .press("esc")
            .await
            .expect_toast("ctrl-q leaves the desk")
            .type_text("ezoe")
            .await
            .press("enter")
            .await
            .expect_banner(&["NOBODY BY THAT NAME", "ezoe"]);
        t.press("esc ctrl-q")
            .await
            .expect("Today and coming up")
            .expect_row(selected(LAUNCH));
    });
}
