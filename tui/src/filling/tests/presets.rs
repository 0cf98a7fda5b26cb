//! Presets in a form.

use std::path::PathBuf;

use insta::assert_snapshot;
use serde_json::{Value, json};

use super::{GUEST, form, keys};
use crate::shell::Driver;
use crate::testing::FakeHost;

/// The form with a limit entered.
async fn limited(host: &FakeHost, limit: &str) -> Driver {
    let mut app = form(host, "list_events", (80, 24)).await;
    keys(&mut app, "tab tab").await;
    app.type_text(limit);
    app
}

async fn keep_as(app: &mut Driver, name: &str) {
    keys(app, "ctrl-b").await;
    app.type_text(name);
    keys(app, "enter").await;
}

fn kept(host: &FakeHost) -> Vec<(String, Value)> {
    let inner = host.lock();
    let presets = inner.presets.iter();
    presets
        .map(|preset| (preset.name.clone(), json!(preset.arguments)))
        .collect()
}

#[tokio::test]
async fn what_is_entered_is_kept_and_used_again() {
    let host = FakeHost::new();
    let mut app = limited(&host, "5").await;
    assert!(app.run("tool.presets").is_err(), "there is none");
    keep_as(&mut app, "a few").await;
    assert_eq!(app.toasts(), ["✓ Saved preset “a few”"]);
    assert_eq!(kept(&host), [("a few".to_owned(), json!({ "limit": 5 }))]);
    let mut app = limited(&host, "7").await;
    assert!(app.screen().contains("ctrl-p 1 preset"), "{}", app.screen());
    keep_as(&mut app, "more").await;
    keys(&mut app, "ctrl-p").await;
    app.type_text("few");
    assert_snapshot!("presets_80x24", app.screen());
    keys(&mut app, "enter ctrl-s").await;
    assert_eq!(json!(host.lock().asked[0].arguments), json!({ "limit": 5 }));
    // The previous input can be restored.
    keys(&mut app, "esc ctrl-p").await;
    assert!(
        app.screen().contains("(previous input)"),
        "{}",
        app.screen()
    );
    keys(&mut app, "enter").await;
    assert!(
        app.selected().iter().any(|row| row.ends_with('7')),
        "{}",
        app.screen()
    );
}

#[tokio::test]
async fn one_is_changed_by_keeping_it_again() {
    let host = FakeHost::new();
    let mut app = limited(&host, "5").await;
    keep_as(&mut app, "a few").await;
    // The loaded preset is replaced without a question.
    app.type_text("0");
    keys(&mut app, "ctrl-b enter").await;
    assert_eq!(kept(&host), [("a few".to_owned(), json!({ "limit": 50 }))]);
    // Another existing preset is only replaced after a warning.
    let mut app = limited(&host, "7").await;
    keep_as(&mut app, "a few").await;
    assert!(
        app.screen().contains("this name is in use"),
        "{}",
        app.screen()
    );
    keys(&mut app, "enter").await;
    assert_eq!(kept(&host), [("a few".to_owned(), json!({ "limit": 7 }))]);
    keys(&mut app, "ctrl-b ctrl-u enter").await;
    assert!(app.screen().contains("enter a name"), "{}", app.screen());
}

#[tokio::test]
async fn one_is_forgotten_after_a_question() {
    let host = FakeHost::new();
    let mut app = limited(&host, "5").await;
    keep_as(&mut app, "a few").await;
    keys(&mut app, "ctrl-p ctrl-d n").await;
    assert_eq!(kept(&host).len(), 1);
    keys(&mut app, "ctrl-d y").await;
    assert_eq!(kept(&host), []);
    assert!(app.screen().contains("No presets"), "{}", app.screen());
    keys(&mut app, "esc").await;
    assert!(app.run("tool.presets").is_err(), "there is none");
}

#[tokio::test]
async fn a_disk_that_takes_nothing_and_a_file_that_is_none_are_told() {
    let host = FakeHost::new();
    host.lock().aside = Some(PathBuf::from("/data/presets.damaged.json"));
    let mut app = form(&host, "get_event", (120, 40)).await;
    let toasts = app.toasts().join("; ");
    assert!(
        toasts.contains("renamed to /data/presets.damaged.json"),
        "{toasts}"
    );
    app.dismiss_toasts();
    host.lock().disk_is_full = true;
    app.type_text(GUEST);
    keep_as(&mut app, "one").await;
    let toasts = app.toasts().join("; ");
    assert!(toasts.contains("no space left"), "{toasts}");
    assert!(app.screen().contains(GUEST), "{}", app.screen());
}
