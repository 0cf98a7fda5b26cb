//! The desk as it looks, and how it keeps up with others.

use frontdesk_client::CallError;
use frontdesk_protocol::id::EventId;
use insta::assert_snapshot;
use jiff::SignedDuration;
use uuid::Uuid;

use super::acting::guest_id as code;
use crate::shell::Driver;
use crate::testing::{FakeHost, desk, guest, guest_id, now};

const SMALL: (u16, u16) = (80, 24);
const LARGE: (u16, u16) = (120, 40);

fn down() -> CallError {
    CallError::Unreachable {
        host: "http://127.0.0.1:8080/events".to_owned(),
        reason: "connection refused".to_owned(),
    }
}

async fn check_in(app: &mut Driver, text: &str) {
    app.type_text(text);
    app.key("enter").expect("is a key");
    app.settle().await;
}

#[tokio::test]
async fn at_the_start() {
    for (name, size) in [("start_80x24", SMALL), ("start_120x40", LARGE)] {
        let host = FakeHost::new();
        let mut app = desk(&host, size).await;
        assert_snapshot!(name, app.screen());
    }
}

#[tokio::test]
async fn while_one_types() {
    for (name, size) in [("search_80x24", SMALL), ("search_120x40", LARGE)] {
        let host = FakeHost::new();
        let mut app = desk(&host, size).await;
        app.type_text("an");
        app.key("down").expect("is a key");
        assert_snapshot!(name, app.screen());
    }
}

#[tokio::test]
async fn checked_in() {
    for (name, size) in [("checked_in_80x24", SMALL), ("checked_in_120x40", LARGE)] {
        let host = FakeHost::new();
        let mut app = desk(&host, size).await;
        check_in(&mut app, "zoe").await;
        assert_snapshot!(name, app.screen());
    }
}

#[tokio::test]
async fn the_selection_is_reversed_and_the_verdict_too() {
    let host = FakeHost::new();
    let mut app = desk(&host, (60, 16)).await;
    check_in(&mut app, "zoe").await;
    app.type_text("an");
    assert_snapshot!("styled_60x16", format!("{:?}", app.buffer()));
}

#[tokio::test]
async fn waiting() {
    for (name, size) in [("waiting_80x24", SMALL), ("waiting_120x40", LARGE)] {
        let host = FakeHost::new();
        let mut app = desk(&host, size).await;
        host.fail(down());
        check_in(&mut app, "zoe").await;
        check_in(&mut app, "asa").await;
        app.advance(SignedDuration::from_millis(4500)).await;
        assert_snapshot!(name, app.screen());
    }
}

#[tokio::test]
async fn a_very_long_name() {
    let host = FakeHost::new();
    let mut app = desk(&host, SMALL).await;
    check_in(&mut app, "hohenstein").await;
    assert_snapshot!("long_name_80x24", app.screen());
}

#[tokio::test]
async fn the_list_cannot_be_loaded() {
    let failures = [
        ("unreachable", down()),
        (
            "no_answer",
            CallError::OutcomeUnknown("no answer within 10 s".to_owned()),
        ),
        (
            "failed",
            CallError::Host {
                status: 500,
                message: "internal error".to_owned(),
            },
        ),
        (
            "not_json",
            CallError::Protocol("expected JSON, got `<html><h1>Welcome to Hotel Wi-Fi`".to_owned()),
        ),
        (
            "rate_limited",
            CallError::RateLimited {
                retry_after: std::time::Duration::from_secs(12),
            },
        ),
    ];
    for (name, failure) in failures {
        let host = FakeHost::new();
        let mut app = crate::testing::app(&host, Some(crate::testing::account()), SMALL);
        app.settle().await;
        host.fail(failure);
        app.run("home.check_in").expect("an event is selected");
        app.settle().await;
        assert_snapshot!(format!("{name}_80x24"), app.screen());
        // What it says to press does help.
        host.recover();
        app.key("ctrl-r").expect("is a key");
        app.settle().await;
        assert!(app.screen().contains("12 guests"), "{}", app.screen());
    }
}

#[tokio::test]
async fn another_desk_is_seen_within_five_seconds() {
    let host = FakeHost::new();
    let mut app = desk(&host, SMALL).await;
    host.other_desk_checks_in(guest_id(9), now());
    app.advance(SignedDuration::from_secs(5)).await;
    let screen = app.screen();
    assert!(screen.contains("3 of 12"), "{screen}");
    assert!(screen.contains("09:45 ✓ Åsa Öberg"), "{screen}");
}

#[tokio::test]
async fn a_quiet_desk_asks_little() {
    let host = FakeHost::new();
    let mut app = desk(&host, SMALL).await;
    let lists = host.called("list_event_guests");
    app.advance(SignedDuration::from_mins(1)).await;
    assert_eq!(host.called("list_event_guests"), lists);
    assert!(
        host.called("get_event") <= 17,
        "{}",
        host.called("get_event")
    );
}

#[tokio::test]
async fn nothing_is_asked_once_the_desk_is_left() {
    let host = FakeHost::new();
    let mut app = desk(&host, SMALL).await;
    app.key("ctrl-q").expect("is a key");
    app.settle().await;
    let asked = host.called("get_event");
    app.advance(SignedDuration::from_mins(1)).await;
    assert_eq!(host.called("get_event"), asked);
}

#[tokio::test]
async fn a_scanned_code_checks_in_at_once() {
    let host = FakeHost::new();
    let mut app = desk(&host, SMALL).await;
    app.paste(&format!("{}\r", guest_id(1)));
    app.settle().await;
    assert!(app.screen().contains("✓ CHECKED IN  Zoë Müller"));
    // Typed by a scanner that is a keyboard.
    check_in(&mut app, &guest_id(8).to_string()).await;
    assert!(app.screen().contains("✓ CHECKED IN  Ulla Lindqvist"));
    // Somebody who was added a moment ago, elsewhere.
    host.lock().guests.push(guest(77, "Kim Last-Minute"));
    app.paste(&guest_id(77).to_string());
    app.settle().await;
    assert!(app.screen().contains("✓ CHECKED IN  Kim Last-Minute"));
}

#[tokio::test]
async fn a_code_behind_an_undo_is_both() {
    let host = FakeHost::new();
    let mut app = desk(&host, SMALL).await;
    check_in(&mut app, "zoe").await;
    app.key("ctrl-u").expect("is a key");
    check_in(&mut app, &guest_id(8).to_string()).await;
    assert_eq!(host.check_in_of(guest_id(1)), None);
    assert_eq!(host.check_in_of(guest_id(8)), Some(now()));
}

#[tokio::test]
async fn a_code_for_something_else_checks_in_nobody() {
    let host = FakeHost::new();
    let mut app = desk(&host, SMALL).await;
    let mut other = guest(88, "Pat Elsewhere");
    other.event_id = EventId(Uuid::from_u128(0xe2));
    host.lock().guests.push(other);
    app.paste(&guest_id(88).to_string());
    app.settle().await;
    assert!(
        app.screen()
            .contains("✗ NOT CHECKED IN  this code is for a guest of another event")
    );
    app.paste(&Uuid::from_u128(1).to_string());
    app.settle().await;
    assert!(
        app.screen()
            .contains("this code is of no guest that you can see")
    );
    assert_eq!(host.called("check_in_guest"), 0);
}

#[tokio::test]
async fn a_name_that_nobody_has_is_asked_of_the_host() {
    let host = FakeHost::new();
    let mut app = desk(&host, SMALL).await;
    host.lock().guests.push(guest(77, "Kim Last-Minute"));
    let lists = host.called("list_event_guests");
    app.type_text("kim");
    app.advance(SignedDuration::from_millis(300)).await;
    assert_eq!(host.called("list_event_guests"), lists + 1);
    assert_eq!(app.selected().len(), 1);
    check_in(&mut app, "").await;
    assert!(app.screen().contains("✓ CHECKED IN  Kim Last-Minute"));
}

#[tokio::test]
async fn who_is_only_similar_is_not_taken_by_the_first_enter() {
    let host = FakeHost::new();
    let mut app = desk(&host, SMALL).await;
    let mut kim = guest(77, "Kim Last-Minute");
    kim.similar = Some(true);
    host.lock().guests.push(kim);
    check_in(&mut app, "kim").await;
    let screen = app.screen();
    assert!(
        screen.contains("WHICH ONE?  only similar to kim"),
        "{screen}"
    );
    assert!(screen.contains("· similar"), "{screen}");
    assert_eq!(host.called("check_in_guest"), 0);
    check_in(&mut app, "").await;
    assert!(app.screen().contains("✓ CHECKED IN  Kim Last-Minute"));
}

#[tokio::test]
async fn a_large_event_is_searched_by_the_host() {
    let host = FakeHost::new();
    host.lock().guests = (0..3000)
        .map(|n| guest(n, &format!("Guest {n:04}")))
        .collect();
    let mut app = desk(&host, SMALL).await;
    // One page for the first look, the rest on demand.
    assert!(
        host.called("list_event_guests") <= 2,
        "{}",
        host.called("list_event_guests")
    );
    app.type_text("2718");
    app.advance(SignedDuration::from_millis(300)).await;
    check_in(&mut app, "").await;
    assert!(app.screen().contains("✓ CHECKED IN  Guest 2718"));
    assert!(app.screen().contains("1 of 3000"), "{}", app.screen());
}

#[tokio::test]
async fn answers_to_an_older_text_are_dropped() {
    let host = FakeHost::new();
    host.lock().guests = (0..3000)
        .map(|n| guest(n, &format!("Guest {n:04}")))
        .collect();
    let mut app = desk(&host, SMALL).await;
    host.hang();
    app.type_text("271");
    app.advance_unsettled(SignedDuration::from_millis(300));
    app.type_text("8");
    host.release();
    app.settle().await;
    // The answer to 271 would have brought ten.
    assert_eq!(
        app.screen().matches("Guest 27").count(),
        0,
        "{}",
        app.screen()
    );
}

#[test]
fn a_code_is_a_uuid_and_nothing_else() {
    let id = "0190a1b2-0000-7000-8000-000000000001";
    assert!(code(id).is_some());
    assert!(code(&format!("  {id}\r\n")).is_some());
    assert!(code(&format!("urn:uuid:{id}")).is_some());
    assert!(code("Ana").is_none());
    assert!(code(&format!("{id} {id}")).is_none());
}
