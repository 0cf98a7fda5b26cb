//! Tests of the history: display, repeating, loading, comparing and deleting.

use frontdesk_client::CallError;
use frontdesk_protocol::{ErrorCode, ToolError};
use insta::assert_snapshot;
use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::shell::Driver;
use crate::testing::{FakeHost, account, app};

const SERIES: &str = "0190a1b2-0000-7000-8000-000000000001";

async fn keys(app: &mut Driver, keys: &str) {
    for key in keys.split(' ') {
        app.key(key).expect("is a key");
        app.settle().await;
    }
}

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
    keys(app, "t").await;
    app.type_text(tool);
    keys(app, "enter").await;
    app.type_text(first);
    keys(app, "ctrl-s").await;
    for _ in 0..8 {
        if app.screen().contains("Frontdesk › Home  ") {
            return;
        }
        keys(app, "esc").await;
        if app.screen().contains("Discard changes") {
            keys(app, "y").await;
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
    let lost = CallError::OutcomeUnknown("nothing came".to_owned());
    let answers = [
        Ok(events(&[(1, "A"), (2, "B")])),
        Err(refused()),
        Err(lost),
        Ok(json!({ "dry_run": true, "digest": "d1" })),
    ];
    let (_, mut app) = home(answers).await;
    history(&mut app).await;
    assert!(app.screen().contains("No calls yet"));
    keys(&mut app, "esc").await;
    call(&mut app, "list_events", "open").await;
    call(&mut app, "check_in_guest", SERIES).await;
    call(&mut app, "check_in_guest", SERIES).await;
    call(&mut app, "remove_meeting_series", SERIES).await;
    history(&mut app).await;
    assert_snapshot!("list", app.said());
    keys(&mut app, "/").await;
    app.type_text("not found");
    assert!(app.screen().contains("4 calls"), "{}", app.screen());
    keys(&mut app, "esc /").await;
    app.type_text("list_ev");
    keys(&mut app, "enter enter").await;
    assert_snapshot!("one", app.said());
}

#[tokio::test]
async fn a_cancelled_call_is_there_too() {
    let (host, mut app) = home([]).await;
    keys(&mut app, "t").await;
    app.type_text("list_events");
    keys(&mut app, "enter").await;
    host.hang();
    app.key("ctrl-s").expect("is a key");
    app.key("esc").expect("is a key");
    app.settle().await;
    host.release();
    history(&mut app).await;
    let screen = app.screen();
    assert!(screen.contains("◌ cancelled"), "{screen}");
}

#[tokio::test]
async fn what_has_a_dry_run_is_tried_again() {
    let plan = || Ok(json!({ "dry_run": true, "digest": "d1" }));
    let (host, mut app) = home([plan(), plan()]).await;
    call(&mut app, "remove_meeting_series", SERIES).await;
    history(&mut app).await;
    keys(&mut app, "a").await;
    assert!(app.screen().contains("› Preview"), "{}", app.screen());
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
    keys(&mut app, "a").await;
    assert_eq!(host.lock().asked.len(), 1, "nothing was sent");
    assert_snapshot!("not_kept", app.said());
    keys(&mut app, "ctrl-s").await;
    assert!(app.screen().contains("Call without"), "{}", app.screen());
    keys(&mut app, "n").await;
    app.type_text("souza");
    assert!(!app.screen().contains("Not kept"), "{}", app.screen());
    keys(&mut app, "ctrl-s").await;
    assert_eq!(host.lock().asked[1].arguments["search"], "souza");
}

#[tokio::test]
async fn one_call_goes_or_all_but_not_unasked() {
    let (host, mut app) = home([]).await;
    for search in ["summer", "winter", "autumn"] {
        call(&mut app, "list_events", search).await;
    }
    history(&mut app).await;
    keys(&mut app, "d n").await;
    assert_eq!(host.lock().history.len(), 3);
    keys(&mut app, "d y").await;
    assert_eq!(host.lock().history.len(), 2);
    assert!(!app.screen().contains("autumn"), "{}", app.screen());
    keys(&mut app, "D y").await;
    assert_eq!(host.lock().history.len(), 0);
    assert!(app.screen().contains("No calls yet"), "{}", app.screen());
}

#[tokio::test]
async fn a_full_disk_is_a_warning_and_no_obstacle() {
    let (host, mut app) = home([Ok(events(&[(1, "A")]))]).await;
    host.lock().disk_is_full = true;
    keys(&mut app, "t").await;
    app.type_text("list_events");
    keys(&mut app, "enter ctrl-s").await;
    let screen = app.screen();
    assert!(screen.contains("› Answer"), "{screen}");
    assert!(screen.contains("Calls are not in the history"), "{screen}");
}
