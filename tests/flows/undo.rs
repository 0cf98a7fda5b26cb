//! Undoing a check-in.

use frontdesk_protocol::Role;
use frontdesk_tests::{Desk, desk, row, run, selected};

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
fn u_undoes_the_last_check_in_after_a_moment() {
    run(async {
        let mut t = after_zoe().await;
        t.press("u")
            .await
            .expect_banner(&["UNDO", "Zoë Müller", "in a moment"]);
        t.database().guest("Zoë Müller").await.is_checked_in();
        t.snapshot("undo_in_a_moment").await;
        t.seconds(1)
            .await
            .expect_banner(&["UNDONE", "Zoë Müller"])
            .expect("2 of 12");
        t.database().guest("Zoë Müller").await.is_not_checked_in();
        t.snapshot("undone").await;
    });
}

#[test]
fn u_and_enter_undoes_at_once() {
    run(async {
        let mut t = after_zoe().await;
        t.press("u enter")
            .await
            .expect_banner(&["UNDONE", "Zoë Müller"]);
        t.database().guest("Zoë Müller").await.is_not_checked_in();
    });
}

#[test]
fn u_with_more_letters_is_a_name() {
    run(async {
        let mut t = after_zoe().await;
        t.type_text("ulla")
            .await
            .expect_row(selected("Ulla Lindqvist"));
        t.seconds(5).await.expect("3 of 12");
        t.database().guest("Zoë Müller").await.is_checked_in();
        t.press("enter")
            .await
            .expect_banner(&["CHECKED IN", "Ulla Lindqvist"]);
        t.database().guest("Ulla Lindqvist").await.is_checked_in();
    });
}

#[test]
fn esc_takes_back_the_undo() {
    run(async {
        let mut t = after_zoe().await;
        t.press("u esc")
            .await
            .expect_banner(&["CHECKED IN", "Zoë Müller"]);
        t.seconds(5).await;
        t.database().guest("Zoë Müller").await.is_checked_in();
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
            .type_text("li")
            .await;
        t.press("ctrl-u")
            .await
            .expect_banner(&["UNDONE", "Ulla Lindqvist"])
            .expect(" 1 found ");
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
