//! Changing an event, and adding a guest at the door.

use std::time::Duration;

use frontdesk_protocol::Role;
use frontdesk_protocol::id::EventId;
use frontdesk_server::clock::Clock;
use frontdesk_tests::builder::PASSWORD;
use frontdesk_tests::desk::Setup;
use frontdesk_tests::{Desk, Mode, Organization, Proxy, desk, row, run, selected, world};

use crate::launch::{LAUNCH, launch};

/// The form that changes the event.
async fn at_the_form(setup: Setup) -> Desk {
    let mut t = setup.at_home().await;
    t.select(LAUNCH)
        .await
        .press("o E")
        .await
        .expect("▸ Name")
        .expect("Main hall");
    t
}

/// Somebody else changes the event meanwhile.
async fn meanwhile(event: EventId, change: &str) {
    let changed = world()
        .owner()
        .await
        .execute(
            &format!("update events.events set {change} where id = $1"),
            &[&event.0],
        )
        .await
        .expect("it is changed");
    assert_eq!(changed, 1);
}

/// Types this instead of what the field holds.
async fn replace(t: &mut Desk, text: &str) {
    t.press("end")
        .await
        .press(&["backspace"; 20].join(" "))
        .await
        .type_text(text)
        .await;
}

/// Goes this many fields on.
async fn fields_on(t: &mut Desk, fields: usize) {
    t.press(&vec!["tab"; fields].join(" ")).await;
}

/// When the event begins, by UTC.
async fn begins(t: &Desk, event: EventId) -> Option<String> {
    let stored = t.database();
    stored.event(event, "start_at at time zone 'UTC'").await
}

async fn give_role(organization: &Organization, of: Role, role: Role) {
    world()
        .owner()
        .await
        .execute(
            "update staff.users set role = $2 where id = $1",
            &[&organization.user(of).0, &role.name()],
        )
        .await
        .expect("another role");
}

#[test]
fn what_changes_is_shown_and_only_that_is_sent() {
    run(async {
        let (organization, event) = launch().await;
        let mut t = at_the_form(desk(&organization).signed_in_as(Role::Staff)).await;
        t.snapshot("edit").await;
        meanwhile(event, "location = 'Garden', description = 'Bring a hat.'").await;
        t.type_text(" party").await.expect("1 changed of Launch");
        t.press("ctrl-s")
            .await
            .expect("Send these changes?")
            .expect("Name: Launch → Launch party");
        t.press("y")
            .await
            .expect_toast("Saved Launch")
            .expect("Launch party");
        let stored = t.database();
        assert_eq!(
            stored.event(event, "name").await.as_deref(),
            Some("Launch party")
        );
        assert_eq!(
            stored.event(event, "location").await.as_deref(),
            Some("Garden")
        );
        assert_eq!(
            stored.event(event, "description").await.as_deref(),
            Some("Bring a hat.")
        );
        t.press("esc").await.expect_row(selected("Launch party"));
    });
}

#[test]
fn what_the_form_cannot_show_is_not_changed() {
    run(async {
        let (organization, event) = launch().await;
        meanwhile(
            event,
            "description = E'One\\r\\nTwo\\tThree', start_at = '2025-03-12T13:00:30Z'",
        )
        .await;
        let before = desk(&organization).at_home().await.database();
        let (description, start) = (
            before.event(event, "description").await,
            before.event(event, "start_at").await,
        );
        let mut t = at_the_form(desk(&organization).signed_in_as(Role::Staff)).await;
        t.press("ctrl-s").await.expect("nothing is changed yet");
        t.type_text("!")
            .await
            .press("ctrl-s y")
            .await
            .expect_toast("Saved Launch");
        assert_eq!(t.database().event(event, "description").await, description);
        assert_eq!(t.database().event(event, "start_at").await, start);
    });
}

#[test]
fn a_field_can_be_cleared() {
    run(async {
        let (organization, event) = launch().await;
        let mut t = at_the_form(desk(&organization).signed_in_as(Role::Staff)).await;
        fields_on(&mut t, 3).await;
        t.expect_row(selected("Location"))
            .press("ctrl-n ctrl-s")
            .await
            .expect("Location: Main hall → nothing")
            .press("y")
            .await
            .expect_toast("Saved Launch");
        assert_eq!(t.database().event(event, "location").await, None);
        assert!(t.database().event(event, "start_at").await.is_some());
    });
}

#[test]
fn times_are_written_as_people_write_them() {
    run(async {
        let (organization, event) = launch().await;
        let mut t = at_the_form(desk(&organization).signed_in_as(Role::Staff)).await;
        fields_on(&mut t, 6).await;
        t.expect_row(selected("Start at").with("2025-03-12 10:00"));
        replace(&mut t, "soon").await;
        t.press("ctrl-s")
            .await
            .expect("✗ write it like 2026-03-12 18:30");
        replace(&mut t, "12 Mar 23:00").await;
        t.press("ctrl-s")
            .await
            .expect("Start at: 2025-03-12 10:00 → 2025-03-12 23:00")
            .press("y")
            .await;
        // The host's word: it ends before it begins.
        t.expect_row(selected("End at"))
            .expect("✗ must not be before")
            .snapshot("edit_wrong")
            .await;
        assert_eq!(
            begins(&t, event).await.as_deref(),
            Some("2025-03-12 13:00:00")
        );
        replace(&mut t, "13.3. 1:00").await;
        t.press("ctrl-s y").await.expect_toast("Saved Launch");
        assert_eq!(
            begins(&t, event).await.as_deref(),
            Some("2025-03-13 02:00:00")
        );
    });
}

#[test]
fn who_may_not_is_told_so_and_loses_nothing_that_was_typed() {
    run(async {
        let (organization, event) = launch().await;
        let mut t = at_the_form(desk(&organization).signed_in_as(Role::Staff)).await;
        t.type_text(" party").await;
        give_role(&organization, Role::Staff, Role::Teacher).await;
        t.press("ctrl-s y")
            .await
            .expect("✗ Not permitted")
            .expect("Launch party");
        t.snapshot("edit_not_permitted").await;
        assert_eq!(
            t.database().event(event, "name").await.as_deref(),
            Some(LAUNCH)
        );
        give_role(&organization, Role::Staff, Role::Staff).await;
        t.press("ctrl-s y").await.expect_toast("Saved Launch");
        assert_eq!(
            t.database().event(event, "name").await.as_deref(),
            Some("Launch party")
        );
    });
}

#[test]
fn leaving_a_changed_form_asks_first() {
    run(async {
        let (organization, event) = launch().await;
        let mut t = at_the_form(desk(&organization).signed_in_as(Role::Staff)).await;
        t.type_text(" party")
            .await
            .press("esc")
            .await
            .expect("Throw away what you entered?");
        t.styled_snapshot("edit_throw_away_styled").await;
        t.press("enter")
            .await
            .expect("Throw away what you entered?");
        t.press("n")
            .await
            .expect("Launch party")
            .expect_no("Throw away");
        t.press("esc y")
            .await
            .expect("[Guests]")
            .expect_no("Launch party");
        assert_eq!(
            t.database().event(event, "name").await.as_deref(),
            Some(LAUNCH)
        );
        t.press("E esc").await.expect("[Guests]");
    });
}

#[test]
fn a_sign_in_that_ends_while_one_types_loses_nothing() {
    run(async {
        let (organization, event) = launch().await;
        let clock = Clock::system();
        let server = world().server(clock.clone(), 0).await;
        let setup = desk(&organization)
            .signed_in_as(Role::Staff)
            .over(server.url());
        let mut t = at_the_form(setup).await;
        t.type_text(" party").await;
        world()
            .owner()
            .await
            .execute(
                "update auth.sessions set revoked_at = now() where user_id = $1",
                &[&organization.user(Role::Staff).0],
            )
            .await
            .expect("the sign-in ends");
        clock.advance(Duration::from_secs(3700));
        t.press("ctrl-s y").await.expect("Sign in to Frontdesk");
        assert_eq!(
            t.database().event(event, "name").await.as_deref(),
            Some(LAUNCH)
        );
        t.type_text(PASSWORD)
            .await
            .press("enter")
            .await
            .expect("Launch party");
        t.press("ctrl-s y").await.expect_toast("Saved Launch");
        assert_eq!(
            t.database().event(event, "name").await.as_deref(),
            Some("Launch party")
        );
    });
}

#[test]
fn a_save_that_the_host_cannot_hear_can_be_tried_again() {
    run(async {
        let (organization, event) = launch().await;
        let proxy = Proxy::before(&world().url()).await;
        let mut t = at_the_form(
            desk(&organization)
                .signed_in_as(Role::Staff)
                .over(proxy.url()),
        )
        .await;
        t.type_text(" party").await;
        proxy.go_down().await;
        t.press("ctrl-s y").await.expect("✗ Host not reachable");
        t.expect("Launch party").snapshot("edit_host_away").await;
        proxy.come_back();
        t.press("ctrl-s y").await.expect_toast("Saved Launch");
        assert_eq!(
            t.database().event(event, "name").await.as_deref(),
            Some("Launch party")
        );
    });
}

#[test]
fn a_save_whose_answer_is_lost_is_not_called_a_failure() {
    run(async {
        let (organization, event) = launch().await;
        let proxy = Proxy::before(&world().url()).await;
        let mut t = at_the_form(
            desk(&organization)
                .signed_in_as(Role::Staff)
                .over(proxy.url()),
        )
        .await;
        t.type_text(" party").await;
        proxy.set_for("update_event", Mode::CutAfterRequest);
        t.press("ctrl-s y")
            .await
            .expect("Not known whether it was done")
            .expect_no("failed");
        t.expect("Look whether it was done before you try again.")
            .expect("Launch party")
            .snapshot("edit_answer_lost")
            .await;
        assert_eq!(
            t.database().event(event, "name").await.as_deref(),
            Some("Launch party")
        );
    });
}

#[test]
fn a_guest_who_is_on_no_list_is_added_at_the_door_and_checked_in() {
    run(async {
        let (organization, event) = launch().await;
        let mut t = desk(&organization)
            .signed_in_as(Role::Staff)
            .at(LAUNCH)
            .await;
        t.search("Quentin Blake")
            .await
            .press("enter")
            .await
            .expect_banner(&["NOBODY BY THAT NAME"]);
        t.press("ctrl-a")
            .await
            .expect("Add a guest and check in")
            .expect("Quentin Blake");
        t.press("tab")
            .await
            .type_text("quentin@example.org")
            .await
            .snapshot("add_guest")
            .await;
        t.press("ctrl-s")
            .await
            .expect_banner(&["CHECKED IN", "Quentin Blake"])
            .expect("3 of 13");
        t.database().guest("Quentin Blake").await.is_checked_in();
        assert_eq!(t.database().here(event).await, 3);
    });
}

#[test]
fn a_guest_who_was_added_by_mistake_is_taken_back_as_far_as_possible() {
    run(async {
        let (organization, event) = launch().await;
        let mut t = desk(&organization)
            .signed_in_as(Role::Staff)
            .at(LAUNCH)
            .await;
        t.type_text("Quentin Blake")
            .await
            .press("ctrl-a ctrl-s")
            .await
            .expect_banner(&["CHECKED IN", "Quentin Blake", "ctrl-u takes them back"]);
        t.press("ctrl-u")
            .await
            .expect_banner(&["TAKEN BACK", "no host can delete a guest"]);
        assert_eq!(t.database().here(event).await, 2);
        let mut other = desk(&organization)
            .signed_in_as(Role::Owner)
            .at(LAUNCH)
            .await;
        other
            .expect_row(row("Quentin Blake").with("✗ mistake"))
            .type_text("quentin")
            .await
            .press("ctrl-g")
            .await
            .expect("added by mistake");
        other
            .press("esc esc")
            .await
            .type_text("ulla")
            .await
            .press("ctrl-g x")
            .await
            .expect("No host can delete a guest.")
            .press("y")
            .await
            .expect("added by mistake");
    });
}

#[test]
fn a_guest_of_a_name_that_is_on_the_list_is_added_after_one_question() {
    run(async {
        let (organization, event) = launch().await;
        let mut t = desk(&organization)
            .signed_in_as(Role::Staff)
            .at(LAUNCH)
            .await;
        t.type_text("zoe  MULLER")
            .await
            .press("ctrl-a tab")
            .await
            .type_text("zoe@example")
            .await
            .press("tab")
            .await
            .type_text("12 34")
            .await
            .press("ctrl-s")
            .await
            .expect("must look like name@example.org")
            .expect("must be 7 to 15 digits");
        t.type_text(".org ")
            .await
            .press("tab")
            .await
            .type_text("(5678) 90 ")
            .await
            .press("ctrl-s")
            .await
            .expect("Somebody of this name is on the list")
            .expect("Zoë Müller is not in yet");
        t.snapshot("same_name").await;
        t.press("n ctrl-s")
            .await
            .expect("Somebody of this name is on the list");
        assert_eq!(t.database().guests(event).await, 12);
        t.press("y").await.expect_banner(&["CHECKED IN", "MULLER"]);
        assert_eq!(t.database().guests(event).await, 13);
        t.type_text("zoe mull")
            .await
            .press("down ctrl-g")
            .await
            .expect("zoe@example.org")
            .expect("1234567890");
    });
}

#[test]
fn a_teacher_may_not_add_a_guest_and_is_told() {
    run(async {
        let (organization, _) = launch().await;
        let mut t = desk(&organization)
            .signed_in_as(Role::Teacher)
            .at(LAUNCH)
            .await;
        t.type_text("Quentin Blake")
            .await
            .press("ctrl-a ctrl-s")
            .await;
        t.expect("✗ Not permitted").expect("Quentin Blake");
        t.press("esc")
            .await
            .expect("│ Quentin Blake")
            .press("esc")
            .await
            .expect("12 guests");
    });
}
