//! Editing a text in the user's own editor.

use super::form;
use crate::shell::Driver;
use crate::testing::FakeHost;

/// The form for a new event, with the description focused.
async fn description(editor: &str) -> Driver {
    let host = FakeHost::new();
    let mut app = form(&host, "create_event", (120, 40)).await;
    app.set_editor(editor);
    go_to(&mut app, "Description").await;
    app
}

async fn go_to(app: &mut Driver, label: &str) {
    for _ in 0..20 {
        if app.selected().iter().any(|row| row.starts_with(label)) {
            return;
        }
        app.keys("tab").await;
    }
    panic!("there is no field {label}");
}

/// An editor that runs this script; `$1` is the file.
fn script(script: &str) -> String {
    format!("sh -c '{script}' editor")
}

#[cfg(unix)]
#[tokio::test]
async fn an_editor_that_fails_leaves_the_text_as_it_was() {
    for (editor, told) in [
        (script("printf %s%s lo st >\"$1\"; exit 1"), "status 1"),
        ("no-such-editor".to_owned(), "no such program"),
    ] {
        let mut app = description(&editor).await;
        app.type_text("Mine");
        app.keys("ctrl-e").await;
        let toasts = app.toasts().join("; ");
        assert!(toasts.contains(told), "{toasts}");
        app.expect_row("Mine");
        app.expect_no("lost");
    }
}

#[cfg(unix)]
#[tokio::test]
async fn fields_go_out_as_json_and_come_back_as_fields() {
    let host = FakeHost::new();
    let mut app = form(&host, "update_event_guest", (80, 24)).await;
    app.set_editor(&script(
        "printf %s \"{\\\"colour\\\": \\\"red\\\"}\" >\"$1\"",
    ));
    go_to(&mut app, "Tags").await;
    app.keys("ctrl-e").await;
    app.expect_row("Colour");
    assert!(app.selected()[0].contains("1 key"), "{}", app.screen());
    // Invalid JSON is kept for correction.
    app.set_editor(&script("printf %s \"{colour\" >\"$1\""));
    app.keys("ctrl-e").await;
    app.expect_row("{colour");
    app.expect_row("✗");
}

#[tokio::test]
async fn what_is_no_text_is_not_for_an_editor() {
    let host = FakeHost::new();
    let mut app = form(&host, "list_events", (80, 24)).await;
    go_to(&mut app, "Limit").await;
    assert!(app.run("tool.editor").is_err());
    app.state_mut().shared.has_editor = false;
    app.keys("tab tab").await;
    let error = app
        .run("tool.editor")
        .expect_err("there is none")
        .to_string();
    assert!(error.contains("$EDITOR"), "{error}");
}
