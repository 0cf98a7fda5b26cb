//! The form of a tool: display and calls.

mod editor;
mod outcomes;
mod picking;
mod presets;
mod updating;

use frontdesk_client::{CallError, ToolInfo};
use frontdesk_form::Form;
use frontdesk_protocol::{ErrorCode, Host, ToolError};
use insta::assert_snapshot;
use serde_json::{Map, Value, json};

use crate::shell::Driver;
use crate::testing::{FakeHost, account, app};

const GUEST: &str = "0190a1b2-0000-7000-8000-000000000001";

/// The form of this tool.
async fn form(host: &FakeHost, tool: &str, size: (u16, u16)) -> Driver {
    let mut app = app(host, Some(account()), size);
    app.settle().await;
    app.keys("t /").await;
    app.type_text(tool);
    app.keys("enter").await;
    app
}

fn schema(schema: &Value) -> Map<String, Value> {
    schema.as_object().cloned().expect("an object")
}

fn refused(field: Option<&str>, message: &str) -> CallError {
    let mut error = ToolError::new(ErrorCode::InvalidArgument, message);
    error.field = field.map(str::to_owned);
    error.hint = Some("look again".to_owned());
    CallError::Tool(error)
}

#[tokio::test]
async fn a_form_shows_what_is_asked_for() {
    let mut app = form(&FakeHost::new(), "update_event_guest", (80, 24)).await;
    assert_snapshot!("form_80x24", app.screen());
}

#[tokio::test]
async fn what_is_typed_and_erased_is_left_out_and_null_is_not() {
    let host = FakeHost::new();
    let mut app = form(&host, "update_event_guest", (80, 24)).await;
    app.type_text(GUEST);
    app.keys("tab tab ctrl-n tab x backspace").await;
    app.keys("tab tab tab tab x backspace tab").await;
    assert_snapshot!("absent_null_empty", app.said());
    app.keys("backtab backtab backtab backtab backtab ctrl-d")
        .await;
    app.keys("backtab ctrl-d").await;
    app.expect_no("  null");
    app.expect_no("empty");
}

#[tokio::test]
async fn what_is_wrong_is_told_at_the_field_as_one_types() {
    let host = FakeHost::new();
    let mut app = form(&host, "check_in_guest", (80, 24)).await;
    app.expect_no("✗");
    app.type_text("0190");
    app.expect_row("✗ must be");
    app.keys("ctrl-s").await;
    assert_snapshot!("wrong", app.said());
    assert!(host.lock().asked.is_empty());
}

#[tokio::test]
async fn what_is_missing_is_told_once_a_call_was_tried() {
    let host = FakeHost::new();
    let mut app = form(&host, "check_in_guest", (80, 24)).await;
    app.keys("ctrl-s").await;
    app.expect_row("✗ is required");
    assert!(host.lock().asked.is_empty());
}

#[tokio::test]
async fn what_is_about_no_field_is_told_below() {
    let host = FakeHost::new();
    let refusal = refused(None, "the event is over");
    host.lock().answers.push_back(Err(refusal));
    let mut app = form(&host, "check_in_guest", (80, 24)).await;
    app.type_text(GUEST);
    app.keys("ctrl-s").await;
    app.expect_row("The event is over");
}

#[tokio::test]
async fn a_list_grows_and_shrinks() {
    let host = FakeHost::new();
    let mut app = form(&host, "add_event_photo", (120, 40)).await;
    for _ in 0..6 {
        if app.selected().iter().any(|row| row.starts_with("Members")) {
            break;
        }
        app.keys("tab").await;
    }
    app.keys("ctrl-a").await;
    app.type_text(GUEST);
    app.keys("ctrl-a").await;
    app.type_text("x");
    assert_snapshot!("list", app.said());
    app.keys("ctrl-d").await;
    app.expect_row("1 entry");
    // The whole list as JSON, and back.
    app.keys("ctrl-g").await;
    app.expect_row(&format!("\"{GUEST}\""));
}

#[tokio::test]
async fn what_lies_in_another_and_what_can_be_several_things() {
    let host = FakeHost::new();
    host.lock().tools.push(ToolInfo {
        name: "publish_event".to_owned(),
        title: None,
        description: None,
        input_schema: schema(&json!({
            "type": "object", "required": ["when", "places"],
            "properties": {
                "when": { "oneOf": [
                    { "title": "Now", "type": "object", "required": ["kind"],
                      "properties": { "kind": { "const": "now" } } },
                    { "title": "Later", "type": "object", "required": ["kind", "at"],
                      "properties": { "kind": { "const": "later" },
                                      "at": { "type": "string", "format": "date-time" } } },
                ] },
                "places": { "type": "array", "items": { "type": "object", "required": ["name"],
                    "properties": { "name": { "type": "string" },
                                    "address": { "type": "object", "properties": {
                                        "city": { "type": "string" } } } } } },
                "reach": { "anyOf": [{ "type": "integer" }, { "enum": ["all"] }] },
            },
        })),
        output_schema: None,
        read_only: false,
        destructive: false,
        idempotent: false,
        previews: false,
    });
    let mut app = form(&host, "publish_event", (80, 24)).await;
    assert_snapshot!("variants", app.said());
    // The second alternative, and its fields.
    app.keys("ctrl-v ctrl-v tab").await;
    app.type_text("2026-03-12T18:00:00Z");
    app.keys("tab ctrl-a tab").await;
    app.type_text("Hall");
    app.keys("tab space tab").await;
    app.type_text("Porto");
    app.keys("tab ctrl-v ctrl-v").await;
    assert_snapshot!("nested", app.said());
    app.keys("ctrl-s").await;
    assert_eq!(
        json!(host.lock().asked[0].arguments),
        json!({
            "when": { "kind": "later", "at": "2026-03-12T18:00:00Z" },
            "places": [{ "name": "Hall", "address": { "city": "Porto" } }],
            "reach": "all",
        })
    );
}

#[test]
fn no_label_of_a_form_is_the_name_of_a_column() {
    let mut wrong = Vec::new();
    for tool in Host::ALL.into_iter().flat_map(|host| host.tools()) {
        let form = Form::new(&tool.input_schema());
        let rows = form.rows().into_iter().filter(|row| row.depth == 0);
        let labels: Vec<_> = rows.map(|row| row.field.label().to_owned()).collect();
        for label in &labels {
            // An id beside its record, such as `answer_id` beside `answer`, keeps its whole name.
            let is_column = [" at", " on", " id", " ids"].iter().any(|end| {
                let record = label.strip_suffix(end);
                record.is_some_and(|record| !labels.iter().any(|other| other == record))
            });
            let is_twice = labels.iter().filter(|other| *other == label).count() > 1;
            if is_column || is_twice || label.contains('_') || label.starts_with("Strategy ") {
                wrong.push(format!("{}: {label}", tool.name));
            }
        }
    }
    assert_eq!(wrong, [""; 0]);
}
