//! Tests of the history: display, repeating, loading, comparing and deleting.

use frontdesk_client::CallError;
use frontdesk_protocol::{ErrorCode, ToolError};
use insta::assert_snapshot;
use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::shell::Driver;
use crate::testing::{FakeHost, account, app};

const SERIES: &str = "0190a1b2-0000-7000-8000-000000000001";

fn events(names: &[(u32, &str)]) -> Value {
    let events: Vec<Value> = names
        .iter()
        .map(|(id, name)| json!({ "id": id, "name": name, "location": "Hall" }))
        .collect();
    json!({ "events": events, "limit": 50, "offset": 0, "has_more": false })
}

/// The home screen, and a host with these answers.
async fn home(answers: impl IntoIterator<Item = Result<Value, CallError>>) -> (FakeHost, Driver) {
    let host = FakeHost::new();
    host.lock().answers.extend(answers);
    let mut app = app(&host, Some(account()), (80, 24));
    app.settle().await;
    (host, app)
}

/// Calls this tool a minute later, with its first argument filled in, and returns home.
async fn call(app: &mut Driver, tool: &str, first: &str) {
    app.advance(SignedDuration::from_mins(1)).await;
    app.keys("t /").await;
    app.type_text(tool);
    app.keys("enter").await;
    app.type_text(first);
    app.keys("ctrl-s").await;
    for _ in 0..8 {
        if app.screen().contains("Frontdesk › Home  ") {
            return;
        }
        app.keys("esc").await;
        if app.screen().contains("Discard changes") {
            app.keys("y").await;
        }
    }
    panic!("not at home: {}", app.screen());
}

async fn history(app: &mut Driver) {
    app.run("app.history").expect("is there everywhere");
    app.settle().await;
}

fn refused() -> CallError {
    CallError::Tool(ToolError::new(
        ErrorCode::NotFound,
        "there is no such guest",
    ))
}

#[tokio::test]
async fn every_call_is_there_with_how_it_ended() {
    let lost = CallError::no_answer("nothing came");
    let answers = [
        Ok(events(&[(1, "A"), (2, "B")])),
        Err(refused()),
        Err(lost),
        Ok(json!({ "dry_run": true, "digest": "d1" })),
    ];
    let (_, mut app) = home(answers).await;
    history(&mut app).await;
    app.expect_row("No calls yet");
    app.keys("esc").await;
    call(&mut app, "list_events", "open").await;
    call(&mut app, "check_in_guest", SERIES).await;
    call(&mut app, "check_in_guest", SERIES).await;
    call(&mut app, "remove_meeting_series", SERIES).await;
    history(&mut app).await;
    assert_snapshot!("list", app.said());
    app.keys("/").await;
    app.type_text("not found");
    app.expect_row("4 calls");
    app.keys("esc /").await;
    app.type_text("list_ev");
    app.keys("enter enter").await;
    assert_snapshot!("one", app.said());
}

#[tokio::test]
async fn a_cancelled_call_is_there_too() {
    let (host, mut app) = home([]).await;
    app.keys("t /").await;
    app.type_text("list_events");
    app.keys("enter").await;
    host.hang();
    app.key("ctrl-s").expect("is a key");
    app.keys("esc").await;
    host.release();
    history(&mut app).await;
    app.expect_row("◌ cancelled");
}

#[tokio::test]
async fn what_has_a_dry_run_is_tried_again() {
    let plan = || Ok(json!({ "dry_run": true, "digest": "d1" }));
    let (host, mut app) = home([plan(), plan()]).await;
    call(&mut app, "remove_meeting_series", SERIES).await;
    history(&mut app).await;
    app.keys("a").await;
    app.expect_path("› Preview");
    let asked = host.lock().asked.clone();
    assert_eq!(asked[1].arguments["dry_run"], true);
    assert_eq!(asked[1].arguments["series_meeting_id"], SERIES);
}

#[tokio::test]
async fn what_was_not_kept_is_asked_for() {
    let (host, mut app) = home([Ok(json!({})), Ok(json!({}))]).await;
    call(&mut app, "list_event_guests", SERIES).await;
    let kept = host.lock().history.clone();
    assert!(kept[0].redacted.is_empty(), "an id is kept");
    // Recorded while the search was secret.
    {
        let mut inner = host.lock();
        let first = &mut inner.history[0];
        let redacted = Value::from("[redacted]");
        first.arguments.insert("search".to_owned(), redacted);
        first.redacted.push("/search".to_owned());
    }
    history(&mut app).await;
    app.keys("a").await;
    assert_eq!(host.lock().asked.len(), 1, "nothing was sent");
    assert_snapshot!("not_kept", app.said());
    app.keys("ctrl-s").await;
    app.expect_row("Call without");
    app.keys("n").await;
    app.type_text("souza");
    app.expect_no("Not kept");
    app.keys("ctrl-s").await;
    assert_eq!(host.lock().asked[1].arguments["search"], "souza");
}

#[tokio::test]
async fn one_call_goes_or_all_but_not_unasked() {
    let (host, mut app) = home([]).await;
    for search in ["summer", "winter", "autumn"] {
        call(&mut app, "list_events", search).await;
    }
    history(&mut app).await;
    app.keys("d n").await;
    assert_eq!(host.lock().history.len(), 3);
    app.keys("d y").await;
    assert_eq!(host.lock().history.len(), 2);
    app.expect_no("autumn");
    app.keys("D y").await;
    assert_eq!(host.lock().history.len(), 0);
    app.expect_row("No calls yet");
}

#[tokio::test]
async fn a_full_disk_is_a_warning_and_no_obstacle() {
    let (host, mut app) = home([Ok(events(&[(1, "A")]))]).await;
    host.lock().disk_is_full = true;
    app.keys("t /").await;
    app.type_text("list_events");
    app.keys("enter ctrl-s").await;
    app.expect_path("› Answer");
    app.expect_row("Calls are not in the history");
}
