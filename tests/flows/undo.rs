//! Undoing a check-in.

use frontdesk_protocol::Role;
use frontdesk_tests::{Desk, Mode, Proxy, desk, row, run, selected, world};

use crate::launch::{LAUNCH, another_desk_checks_in, at, launch};

/// A desk at which Zoë was just checked in.
async fn after_zoe() -> Desk {
    let (organization, _) = launch().await;
    let mut t = desk(&organization)
        .signed_in_as(Role::Staff)
        .at(LAUNCH)
        .await;
    t.type_text("zoe")
        .await
        .press("enter")
        .await
        .expect_banner(&["CHECKED IN", "Zoë Müller"]);
    t.expect("3 of 12");
    t.database().guest("Zoë Müller").await.is_checked_in();
    t
}

#[test]
fn an_undo_is_under_way_while_the_next_name_is_typed() {
    run(async {
        let (organization, _) = launch().await;
        let proxy = Proxy::before(&world().url()).await;
        let setup = desk(&organization)
            .signed_in_as(Role::Staff)
            .over(proxy.url());
        let mut t = setup.at(LAUNCH).await;
        t.type_text("zoe")
            .await
            .press("enter")
            .await
            .expect_banner(&["CHECKED IN"]);
        proxy.set_for("update_event_guest", Mode::Hold);
        t.press_at_once("ctrl-u")
            .expect_banner(&["UNDOING", "Zoë Müller"]);
        t.press_at_once("u l l a");
        proxy.release();
        t.settle()
            .await
            .expect_banner(&["UNDONE", "Zoë Müller"])
            .expect_row(selected("Ulla Lindqvist"))
            .snapshot("undone")
            .await;
        t.database().guest("Zoë Müller").await.is_not_checked_in();
    });
}

#[test]
fn u_is_a_letter_and_undoes_nothing() {
    run(async {
        let mut t = after_zoe().await;
        t.press("u")
            .await
            .expect_row(selected("Ulla Lindqvist"))
            .expect_banner(&["CHECKED IN", "Zoë Müller"]);
        t.seconds(5).await.expect("3 of 12");
        t.database().guest("Zoë Müller").await.is_checked_in();
    });
}

#[test]
fn ctrl_u_clears_what_is_typed_before_it_undoes_anything() {
    run(async {
        let mut t = after_zoe().await;
        t.type_text("li")
            .await
            .press("ctrl-u")
            .await
            .expect("12 guests")
            .expect_banner(&["CHECKED IN", "Zoë Müller"]);
        t.database().guest("Zoë Müller").await.is_checked_in();
        t.press("ctrl-u")
            .await
            .expect_banner(&["UNDONE", "Zoë Müller"]);
        t.database().guest("Zoë Müller").await.is_not_checked_in();
    });
}

#[test]
fn ctrl_u_undoes_at_once_one_after_the_other() {
    run(async {
        let mut t = after_zoe().await;
        t.type_text("ulla")
            .await
            .press("enter")
            .await
            .expect_banner(&["CHECKED IN", "Ulla Lindqvist"]);
        t.press("ctrl-u")
            .await
            .expect_banner(&["UNDONE", "Ulla Lindqvist"]);
        t.database()
            .guest("Ulla Lindqvist")
            .await
            .is_not_checked_in();
        t.database().guest("Zoë Müller").await.is_checked_in();
        t.press("ctrl-u")
            .await
            .expect_banner(&["UNDONE", "Zoë Müller"])
            .expect("2 of 12");
        t.database().guest("Zoë Müller").await.is_not_checked_in();
        t.press("ctrl-u")
            .await
            .expect_toast("there is none at this desk");
        assert!(
            t.cannot_run("guest.undo")
                .contains("there is none at this desk")
        );
    });
}

#[test]
fn what_another_desk_did_is_not_undone_here() {
    run(async {
        let (organization, _) = launch().await;
        let mut t = desk(&organization)
            .signed_in_as(Role::Staff)
            .at(LAUNCH)
            .await;
        let zoe = t.database().guest("Zoë Müller").await;
        let came = at("2025-03-12T12:30:00Z");
        another_desk_checks_in(&organization, zoe.id, came).await;
        t.type_text("zoe")
            .await
            .press("enter")
            .await
            .expect_banner(&["ALREADY CHECKED IN"]);
        t.press("ctrl-u")
            .await
            .expect_toast("there is none at this desk");
        t.database().guest("Zoë Müller").await.came_at(came);
    });
}

#[test]
fn who_was_undone_can_be_checked_in_again() {
    run(async {
        let mut t = after_zoe().await;
        t.press("ctrl-u")
            .await
            .type_text("zoe")
            .await
            .press("enter")
            .await;
        t.expect_banner(&["CHECKED IN", "Zoë Müller"])
            .expect("3 of 12");
        t.expect_row(row("✓ Zoë Müller"));
        t.database().guest("Zoë Müller").await.is_checked_in();
    });
}
