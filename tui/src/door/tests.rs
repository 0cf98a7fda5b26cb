//! Failures at the door.

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
    // Another Enter in the empty box checks in nobody.
    app.key("enter").expect("is a key");
    app.settle().await;
    assert_eq!(host.called("deliver"), 1);
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
async fn deliveries_are_tried_less_and_less_often() {
    let host = FakeHost::new();
    let mut app = desk(&host, SIZE).await;
    host.fail(down());
    check_in(&mut app, "zoe").await;
    app.advance(seconds(60)).await;
    // At once, and after 1, 2, 4, 8, 15 and 30 seconds.
    assert_eq!(host.called("deliver"), 7);
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
    assert!(host.lock().journal.is_empty());
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
    // Only the write to disk can end; the host still hangs.
    app.settle_within(Duration::from_millis(50)).await;
    assert_eq!(host.lock().journal.len(), 1);
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
