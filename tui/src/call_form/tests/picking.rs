//! Choosing a record for an id.

use frontdesk_client::{CallError, ToolInfo};
use insta::assert_snapshot;
use jiff::SignedDuration;
use serde_json::{Value, json};

use super::{form, schema};
use crate::app::peer::Peer;
use crate::shell::Driver;
use crate::testing::{FakeHost, account, app};

const EVENT: &str = "0190a1b2-0000-7000-8000-0000000000e1";

/// The next answer of the host.
pub(super) fn answer(host: &FakeHost, value: Value) {
    host.lock().answers.push_back(Ok(value));
}

fn events() -> Value {
    json!({ "limit": 50, "offset": 0, "has_more": true, "events": [
        { "id": EVENT, "name": "Summer Open Day", "start_at": "2026-03-12T10:00:00Z", "guest_count": 12 },
        { "id": "0190a1b2-0000-7000-8000-0000000000e2", "name": "Staff party", "start_at": null,
          "guest_count": 3 },
    ] })
}

/// The last request to the host.
pub(super) fn last_asked(host: &FakeHost) -> (String, Value) {
    let inner = host.lock();
    let call = inner.asked.last().expect("a call");
    (call.tool.clone(), json!(call.arguments))
}

async fn pause(app: &mut Driver) {
    app.advance(SignedDuration::from_millis(250)).await;
}

#[tokio::test]
async fn how_the_question_stands_is_always_told() {
    let host = FakeHost::new();
    let mut app = form(&host, "get_event", (80, 24)).await;
    host.hang();
    app.key("enter").expect("a key");
    app.expect_row("loading");
    // A late answer to an old request is ignored.
    answer(&host, json!({ "events": [], "has_more": false }));
    app.type_text("x");
    app.advance_unsettled(SignedDuration::from_millis(250));
    host.release();
    app.settle().await;
    app.expect_row("No match for “x”");
    host.fail(CallError::Host {
        status: 503,
        message: "closed".to_owned(),
    });
    app.keys("ctrl-u").await;
    pause(&mut app).await;
    assert_snapshot!("pick_failed", app.said());
    host.recover();
    answer(&host, events());
    app.keys("enter").await;
    app.expect_row("Summer Open Day");
    // Retrying has chosen nothing.
    app.keys("esc").await;
    app.expect_row("required");
}

#[tokio::test]
async fn an_id_can_be_typed_all_the_same_and_enter_goes_on() {
    let host = FakeHost::new();
    let mut app = form(&host, "update_event_guest", (80, 24)).await;
    app.type_text("0190");
    app.keys("enter").await;
    assert!(host.lock().asked.is_empty());
    assert!(app.run("tool.pick").is_err(), "a name refers to nothing");
}

fn foreign(name: &str, described: Value) -> ToolInfo {
    ToolInfo {
        name: name.to_owned(),
        title: None,
        description: None,
        input_schema: schema(&described),
        output_schema: None,
        read_only: false,
        destructive: false,
        idempotent: false,
        previews: false,
    }
}

/// The form of a third-party tool.
async fn elsewhere(host: &FakeHost, picks_by_name: bool) -> Driver {
    let mut app = app(host, Some(account()), (80, 24));
    app.settle().await;
    let move_issue = json!({ "type": "object", "required": ["issue_id"], "properties": {
        "issue_id": { "type": "integer" } } });
    let tools = vec![
        foreign("move", move_issue),
        foreign("listIssues", json!({})),
    ];
    let shared = &mut app.state_mut().shared;
    shared.settings.picks_by_name = picks_by_name;
    shared
        .tools
        .insert(Peer::Server("tickets".to_owned()), tools);
    app.keys(":").await;
    app.type_text("tickets move");
    app.keys("enter").await;
    app
}

#[tokio::test]
async fn elsewhere_the_name_says_what_is_meant() {
    let host = FakeHost::new();
    let mut app = elsewhere(&host, true).await;
    let issues = json!([{ "id": 7, "title": "Late" }, { "id": 8, "title": "Lost" }]);
    answer(&host, issues);
    app.keys("enter").await;
    // The tool has no search: the listed records are searched.
    app.type_text("lost");
    pause(&mut app).await;
    assert_eq!(host.called("listIssues"), 1);
    app.keys("enter ctrl-s").await;
    assert_eq!(
        last_asked(&host),
        ("move".to_owned(), json!({ "issue_id": 8 }))
    );
}

#[tokio::test]
async fn names_say_nothing_where_that_is_turned_off() {
    let host = FakeHost::new();
    let mut app = elsewhere(&host, false).await;
    app.expect_no("opens the list");
    assert!(app.run("tool.pick").is_err());
}
