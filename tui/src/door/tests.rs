//! Check-ins at a door where things go wrong.

use std::time::Duration;

use frontdesk_client::CallError;
use jiff::SignedDuration;

use crate::shell::Driver;
use crate::testing::{FakeHost, desk, guest_id, now};

const SIZE: (u16, u16) = (80, 24);

fn down() -> CallError {
    CallError::Unreachable {
        host: "http://127.0.0.1:8080/events".to_owned(),
        reason: "connection refused".to_owned(),
    }
}

fn seconds(seconds: i64) -> SignedDuration {
    SignedDuration::from_secs(seconds)
}

async fn check_in(app: &mut Driver, text: &str) {
    app.type_text(text);
    app.key("enter").expect("is a key");
    app.settle().await;
}

#[tokio::test]
async fn a_guest_is_checked_in_and_the_box_is_clear_for_the_next() {
    let host = FakeHost::new();
    let mut app = desk(&host, SIZE).await;
    check_in(&mut app, "muller").await;
    assert_eq!(host.check_in_of(guest_id(1)), Some(now()));
    let screen = app.screen();
    assert!(
        screen.contains("✓ CHECKED IN  Zoë Müller · at 09:45:00"),
        "{screen}"
    );
    assert!(screen.contains("3 of 12"), "{screen}");
    // Enter again, in the empty box, checks in nobody.
    app.key("enter").expect("is a key");
    app.settle().await;
    assert_eq!(host.called("check_in_guest"), 1);
}

#[tokio::test]
async fn the_row_says_that_it_is_being_checked_in_before_the_host_answers() {
    let host = FakeHost::new();
    let mut app = desk(&host, SIZE).await;
    host.hang();
    app.type_text("zoe");
    app.key("enter").expect("is a key");
    let screen = app.screen();
    assert!(screen.contains("CHECKING IN  Zoë Müller"), "{screen}");
    assert!(screen.contains("⠋ checking in"), "{screen}");
    host.release();
    app.settle().await;
    assert!(app.screen().contains("✓ CHECKED IN"));
}

#[tokio::test]
async fn somebody_else_was_earlier() {
    let host = FakeHost::new();
    let mut app = desk(&host, SIZE).await;
    host.other_desk_checks_in(guest_id(1), now() - seconds(120));
    check_in(&mut app, "zoe").await;
    let screen = app.screen();
    assert!(
        screen.contains("! ALREADY CHECKED IN  Zoë Müller · since 09:43"),
        "{screen}"
    );
    // It was not ours to undo.
    assert!(app.run("guest.undo").is_err());
}

#[tokio::test]
async fn while_the_host_is_away_check_ins_wait_on_disk_and_are_delivered_with_their_times() {
    let host = FakeHost::new();
    let mut app = desk(&host, SIZE).await;
    host.fail(down());
    check_in(&mut app, "zoe").await;
    assert!(app.screen().contains("◌ WAITING  Zoë Müller"));
    assert_eq!(host.lock().journal.len(), 1);
    app.advance_unsettled(SignedDuration::from_millis(200));
    check_in(&mut app, "ulla").await;
    check_in(&mut app, "asa").await;
    assert_eq!(app.waiting(), 3);
    // The second and the third did not ask a host that is known to be away.
    assert_eq!(host.called("check_in_guest"), 1);
    let screen = app.screen();
    assert!(screen.contains("◌ 3 waiting"), "{screen}");
    app.advance(seconds(10)).await;
    assert_eq!(app.waiting(), 3);
    // Meanwhile another desk, with a network, was earlier with one of them.
    host.other_desk_checks_in(guest_id(8), now() - seconds(60));
    host.recover();
    app.advance(seconds(6)).await;
    assert_eq!(app.waiting(), 0);
    assert_eq!(host.check_in_of(guest_id(1)), Some(now()));
    assert_eq!(host.check_in_of(guest_id(8)), Some(now() - seconds(60)));
    assert_eq!(
        host.check_in_of(guest_id(9)),
        Some(now() + SignedDuration::from_millis(200))
    );
    assert!(host.lock().journal.is_empty());
    assert_eq!(app.toasts(), ["✓ 3 waiting check-ins delivered"]);
    let screen = app.screen();
    assert!(screen.contains("5 of 12"), "{screen}");
}

#[tokio::test]
async fn deliveries_are_tried_less_and_less_often() {
    let host = FakeHost::new();
    let mut app = desk(&host, SIZE).await;
    host.fail(down());
    check_in(&mut app, "zoe").await;
    app.advance(seconds(60)).await;
    // After 1, 2, 4, 8, 15 and 30 seconds.
    assert_eq!(host.called("deliver"), 6);
}

#[tokio::test]
async fn a_rate_limit_is_waited_out_as_told() {
    let host = FakeHost::new();
    let mut app = desk(&host, SIZE).await;
    host.fail(CallError::RateLimited {
        retry_after: Duration::from_secs(20),
    });
    check_in(&mut app, "zoe").await;
    host.recover();
    app.advance(seconds(19)).await;
    assert_eq!(host.called("deliver"), 0);
    app.advance(seconds(2)).await;
    assert_eq!(host.called("deliver"), 1);
    assert_eq!(app.waiting(), 0);
}

#[tokio::test]
async fn a_full_disk_is_said_loudly_and_the_check_in_is_still_delivered() {
    let host = FakeHost::new();
    let mut app = desk(&host, SIZE).await;
    host.fail(down());
    host.lock().disk_is_full = true;
    check_in(&mut app, "zoe").await;
    let screen = app.screen();
    assert!(screen.contains("✗ NOT SAVED  Zoë Müller"), "{screen}");
    assert_eq!(app.toasts().len(), 1);
    host.recover();
    app.advance(seconds(5)).await;
    assert_eq!(host.check_in_of(guest_id(1)), Some(now()));
}

#[tokio::test]
async fn what_was_left_from_before_is_delivered_at_the_start() {
    let host = FakeHost::new();
    {
        let mut app = desk(&host, SIZE).await;
        host.fail(down());
        check_in(&mut app, "zoe").await;
    }
    host.recover();
    let app = desk(&host, SIZE).await;
    assert_eq!(app.waiting(), 0);
    assert_eq!(host.check_in_of(guest_id(1)), Some(now()));
}

#[tokio::test]
async fn undo_takes_the_last_one_back_and_then_the_one_before() {
    let host = FakeHost::new();
    let mut app = desk(&host, SIZE).await;
    check_in(&mut app, "zoe").await;
    check_in(&mut app, "ulla").await;
    app.key("ctrl-u").expect("is a key");
    app.settle().await;
    assert_eq!(host.check_in_of(guest_id(8)), None);
    assert!(app.screen().contains("✓ UNDONE  Ulla Lindqvist"));
    app.key("ctrl-u").expect("is a key");
    app.settle().await;
    assert_eq!(host.check_in_of(guest_id(1)), None);
    assert!(app.screen().contains("2 of 12"));
}

#[tokio::test]
async fn a_check_in_that_waits_is_undone_on_disk() {
    let host = FakeHost::new();
    let mut app = desk(&host, SIZE).await;
    host.fail(down());
    check_in(&mut app, "zoe").await;
    app.key("ctrl-u").expect("is a key");
    app.settle().await;
    assert!(host.lock().journal.is_empty());
    assert_eq!(app.waiting(), 0);
    assert!(app.screen().contains("✓ UNDONE"));
}

#[tokio::test]
async fn an_undo_before_the_answer_is_kept_in_mind() {
    let host = FakeHost::new();
    let mut app = desk(&host, SIZE).await;
    host.hang();
    app.type_text("zoe");
    app.key("enter").expect("is a key");
    app.key("ctrl-u").expect("is a key");
    assert!(app.screen().contains("UNDOING  Zoë Müller"));
    host.release();
    app.settle().await;
    assert_eq!(host.called("check_in_guest"), 1);
    assert_eq!(host.check_in_of(guest_id(1)), None);
}

#[tokio::test]
async fn leaving_the_desk_or_the_app_loses_nothing() {
    let host = FakeHost::new();
    let mut app = desk(&host, SIZE).await;
    host.hang();
    app.type_text("zoe");
    app.key("enter").expect("is a key");
    app.key("ctrl-c").expect("is a key");
    assert!(app.is_over());
    // Only what is written to disk can end; the host still hangs.
    app.settle_within(Duration::from_millis(50)).await;
    assert_eq!(host.lock().journal.len(), 1);
}

#[tokio::test]
async fn signing_in_again_goes_on_with_what_waits() {
    let host = FakeHost::new();
    let mut app = desk(&host, SIZE).await;
    host.fail(CallError::SignedOut("the token expired".to_owned()));
    check_in(&mut app, "zoe").await;
    app.type_text("x");
    let screen = app.screen();
    assert!(screen.contains("Sign in to Frontdesk"), "{screen}");
    assert_eq!(host.lock().journal.len(), 1);
    host.recover();
    app.key("backspace").expect("is a key");
    app.type_text("demo-password");
    app.key("enter").expect("is a key");
    app.settle().await;
    assert_eq!(app.waiting(), 0);
    assert_eq!(host.check_in_of(guest_id(1)), Some(now()));
    let screen = app.screen();
    assert!(!screen.contains("Sign in to Frontdesk"), "{screen}");
    assert!(screen.contains("Find a guest"), "{screen}");
}

#[tokio::test]
async fn a_slow_host_does_not_hold_up_the_door() {
    let host = FakeHost::new();
    let mut app = desk(&host, SIZE).await;
    host.hang();
    app.type_text("zoe");
    app.key("enter").expect("is a key");
    app.advance_unsettled(seconds(3));
    app.settle_within(Duration::from_millis(50)).await;
    // It is on disk, should the machine go down now.
    assert_eq!(host.lock().journal.len(), 1);
    let screen = app.screen();
    assert!(screen.contains("◌ WAITING  Zoë Müller"), "{screen}");
    // The answer comes after all.
    host.release();
    app.settle().await;
    assert!(
        app.screen().contains("✓ CHECKED IN  Zoë Müller"),
        "{}",
        app.screen()
    );
    assert!(host.lock().journal.is_empty());
    assert_eq!(host.called("check_in_guest") + host.called("deliver"), 1);
}

#[tokio::test]
async fn an_undo_while_a_slow_host_has_not_answered() {
    let host = FakeHost::new();
    let mut app = desk(&host, SIZE).await;
    host.hang();
    app.type_text("zoe");
    app.key("enter").expect("is a key");
    app.advance_unsettled(seconds(3));
    app.settle_within(Duration::from_millis(50)).await;
    app.key("ctrl-u").expect("is a key");
    host.release();
    app.settle().await;
    assert_eq!(host.check_in_of(guest_id(1)), None);
    assert!(host.lock().journal.is_empty());
    assert!(app.screen().contains("✓ UNDONE"), "{}", app.screen());
}

#[tokio::test]
async fn a_lost_answer_is_recognised_as_our_own_check_in() {
    let host = FakeHost::new();
    let mut app = desk(&host, SIZE).await;
    host.fail(CallError::OutcomeUnknown(
        "no answer within 10 s".to_owned(),
    ));
    check_in(&mut app, "zoe").await;
    host.other_desk_checks_in(guest_id(1), now() + seconds(1));
    host.recover();
    app.advance(seconds(2)).await;
    assert!(
        app.screen().contains("✓ CHECKED IN  Zoë Müller"),
        "{}",
        app.screen()
    );
    app.key("ctrl-u").expect("is a key");
    app.settle().await;
    assert_eq!(host.check_in_of(guest_id(1)), None);
}

#[tokio::test]
async fn an_undo_that_cannot_be_delivered_waits_too() {
    let host = FakeHost::new();
    let mut app = desk(&host, SIZE).await;
    check_in(&mut app, "zoe").await;
    host.fail(down());
    app.key("ctrl-u").expect("is a key");
    app.settle().await;
    assert!(
        app.screen().contains("◌ UNDO WAITS  Zoë Müller"),
        "{}",
        app.screen()
    );
    host.recover();
    app.advance(seconds(5)).await;
    assert_eq!(host.check_in_of(guest_id(1)), None);
    assert!(app.screen().contains("2 of 12"), "{}", app.screen());
}

#[tokio::test]
async fn what_another_account_left_behind_waits_for_it_and_holds_up_nobody() {
    let host = FakeHost::new();
    {
        let mut app = desk(&host, SIZE).await;
        host.fail(down());
        check_in(&mut app, "zoe").await;
    }
    host.recover();
    let other = frontdesk_protocol::id::UserId(uuid::Uuid::from_u128(0xa2));
    host.lock().journal[0].account = other;
    let mut app = desk(&host, SIZE).await;
    check_in(&mut app, "ulla").await;
    assert!(
        app.screen().contains("✓ CHECKED IN  Ulla Lindqvist"),
        "{}",
        app.screen()
    );
    app.advance(seconds(60)).await;
    assert_eq!(host.called("deliver"), 0);
    assert_eq!(app.waiting(), 1);
    assert_eq!(host.check_in_of(guest_id(1)), None);
}

#[tokio::test]
async fn a_guest_whom_the_host_refuses_is_named() {
    let host = FakeHost::new();
    let mut app = desk(&host, SIZE).await;
    host.lock().guests.retain(|guest| guest.id != guest_id(1));
    check_in(&mut app, "zoe").await;
    assert!(
        app.screen().contains("✗ REFUSED  Zoë Müller"),
        "{}",
        app.screen()
    );
    assert!(
        app.screen().contains("there is no such guest")
            || app.screen().contains("There is no such guest")
    );
}
