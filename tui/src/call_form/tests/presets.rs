//! Presets in a form.

use serde_json::{Value, json};

use super::{GUEST, form};
use crate::shell::Driver;
use crate::testing::FakeHost;

/// The form with a limit entered.
async fn limited(host: &FakeHost, limit: &str) -> Driver {
    let mut app = form(host, "list_events", (80, 24)).await;
    app.keys("tab tab").await;
    app.type_text(limit);
    app
}

async fn keep_as(app: &mut Driver, name: &str) {
    app.keys("ctrl-b").await;
    app.type_text(name);
    app.keys("enter").await;
}

fn kept(host: &FakeHost) -> Vec<(String, Value)> {
    let inner = host.lock();
    let presets = inner.presets.iter();
    presets
        .map(|preset| (preset.name.clone(), json!(preset.arguments)))
        .collect()
}

#[tokio::test]
async fn after_a_preset_the_previous_input_can_be_loaded() {
    let host = FakeHost::new();
    let mut app = limited(&host, "5").await;
    keep_as(&mut app, "a few").await;
    assert_eq!(kept(&host), [("a few".to_owned(), json!({ "limit": 5 }))]);
    let mut app = limited(&host, "7").await;
    app.keys("ctrl-p enter ctrl-s").await;
    assert_eq!(json!(host.lock().asked[0].arguments), json!({ "limit": 5 }));
    app.keys("esc ctrl-p").await;
    app.expect_row("(previous input) limit=7");
    app.keys("enter").await;
    let selected = app.selected();
    assert!(
        selected.iter().any(|row| row.ends_with('7')),
        "{selected:?}"
    );
}

#[tokio::test]
async fn one_is_changed_by_keeping_it_again() {
    let host = FakeHost::new();
    let mut app = limited(&host, "5").await;
    keep_as(&mut app, "a few").await;
    // The loaded preset is replaced without a question.
    app.type_text("0");
    app.keys("ctrl-b enter").await;
    assert_eq!(kept(&host), [("a few".to_owned(), json!({ "limit": 50 }))]);
    // Another existing preset is only replaced after a warning.
    let mut app = limited(&host, "7").await;
    keep_as(&mut app, "a few").await;
    app.expect_row("this name is in use");
    app.keys("enter").await;
    assert_eq!(kept(&host), [("a few".to_owned(), json!({ "limit": 7 }))]);
    app.keys("ctrl-b ctrl-u enter").await;
    app.expect_row("enter a name");
}

#[tokio::test]
async fn a_full_disk_is_reported_and_the_input_stays() {
    let host = FakeHost::new();
    let mut app = form(&host, "get_event", (120, 40)).await;
    host.lock().disk_is_full = true;
    app.type_text(GUEST);
    keep_as(&mut app, "one").await;
    let toasts = app.toasts().join("; ");
    assert!(toasts.contains("no space left"), "{toasts}");
    app.expect_row(GUEST);
}
