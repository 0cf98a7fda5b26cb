//! Failures at the door.

use frontdesk_client::CallError;
use jiff::SignedDuration;

use crate::shell::Driver;
use crate::testing::{FakeHost, desk};

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
    app.keys("enter").await;
}

#[tokio::test]
async fn the_row_says_that_it_is_being_checked_in_before_the_host_answers() {
    let host = FakeHost::new();
    let mut app = desk(&host, SIZE).await;
    host.hang();
    app.type_text("zoe");
    app.key("enter").expect("is a key");
    app.expect_row("CHECKING IN  Zoë Müller");
    app.expect_row("⠋ checking in");
    host.release();
    app.settle().await;
    app.expect_row("✓ CHECKED IN");
}

#[tokio::test]
async fn deliveries_are_tried_less_and_less_often() {
    let host = FakeHost::new();
    let mut app = desk(&host, SIZE).await;
    host.fail(CallError::Host {
        status: 500,
        message: "broken".to_owned(),
    });
    check_in(&mut app, "zoe").await;
    app.advance(seconds(60)).await;
    // At once, and after 1, 2, 4, 8, 15 and 30 seconds.
    assert_eq!(host.called("deliver"), 7);
}

#[tokio::test]
async fn a_host_that_is_away_is_tried_every_three_seconds() {
    let host = FakeHost::new();
    let mut app = desk(&host, SIZE).await;
    host.fail(down());
    check_in(&mut app, "zoe").await;
    app.advance(seconds(60)).await;
    // At once, after 1 and 2 seconds, and then every 3.
    assert_eq!(host.called("deliver"), 22);
}
