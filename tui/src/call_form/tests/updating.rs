//! A tool that changes a record shows the current values.

use frontdesk_client::CallError;
use insta::assert_snapshot;
use serde_json::{Value, json};

use super::picking::{answer, last_asked};
use super::{GUEST, form, keys};
use crate::shell::Driver;
use crate::testing::FakeHost;

fn zoe() -> Value {
    json!({ "guest": {
        "id": GUEST, "event_id": "0190a1b2-0000-7000-8000-0000000000e1", "name": "Zoë Müller",
        "email": null, "phone_number": "+5511987654321", "role": "speaker", "member_id": null,
        "chat_id": null, "check_in_at": null, "tags": { "colour": "red" },
    } })
}

async fn go_to(app: &mut Driver, label: &str) {
    for _ in 0..20 {
        if app.selected().iter().any(|row| row.starts_with(label)) {
            return;
        }
        // In the other direction: tab skips the id.
        keys(app, "backtab").await;
    }
    panic!("there is no field {label}");
}

/// The form about Zoë, loaded.
async fn about_zoe(host: &FakeHost, size: (u16, u16)) -> Driver {
    let mut app = form(host, "update_event_guest", size).await;
    app.type_text(GUEST);
    assert!(
        app.screen().contains("enter loads the record"),
        "{}",
        app.screen()
    );
    answer(host, zoe());
    keys(&mut app, "enter").await;
    assert_eq!(
        last_asked(host),
        ("get_event_guest".to_owned(), json!({ "id": GUEST }))
    );
    app
}

#[tokio::test]
async fn only_what_was_changed_is_sent() {
    let host = FakeHost::new();
    let mut app = about_zoe(&host, (80, 24)).await;
    assert_snapshot!("loaded", app.said());
    // Without changes there is nothing to send or to discard.
    keys(&mut app, "ctrl-s").await;
    assert!(
        app.screen().contains("no field is changed"),
        "{}",
        app.screen()
    );
    go_to(&mut app, "Email").await;
    // The record has null; empty is different.
    app.type_text("z");
    keys(&mut app, "backspace").await;
    go_to(&mut app, "Phone number").await;
    keys(&mut app, "ctrl-n").await;
    go_to(&mut app, "Role").await;
    app.type_text("s");
    assert_snapshot!("changed", app.said());
    // Reverting a change removes its mark.
    keys(&mut app, "ctrl-d").await;
    assert!(
        app.screen().contains("2 changed: Zoë Müller"),
        "{}",
        app.screen()
    );
    answer(&host, zoe());
    keys(&mut app, "ctrl-s").await;
    let screen = app.screen();
    assert!(
        screen.contains("Phone number: +5511987654321 → nothing"),
        "{screen}"
    );
    keys(&mut app, "y").await;
    let sent = json!({ "id": GUEST, "email": "", "phone_number": null });
    assert_eq!(last_asked(&host), ("update_event_guest".to_owned(), sent));
    // The answer becomes the current state of the record.
    keys(&mut app, "esc").await;
    assert!(
        app.screen().contains("Only changes are sent"),
        "{}",
        app.screen()
    );
}

#[tokio::test]
async fn once_the_id_is_there_again_so_is_what_was_loaded() {
    let host = FakeHost::new();
    let mut app = about_zoe(&host, (80, 24)).await;
    go_to(&mut app, "Id").await;
    keys(&mut app, "backspace").await;
    assert!(!app.screen().contains("+5511987654321"));
    app.type_text("1");
    let screen = app.screen();
    assert!(screen.contains("+5511987654321"), "{screen}");
    assert!(screen.contains("Zoë Müller as of 09:45"), "{screen}");
}

#[tokio::test]
async fn tab_goes_around_without_the_id() {
    let host = FakeHost::new();
    let mut app = about_zoe(&host, (80, 24)).await;
    for _ in 0..20 {
        keys(&mut app, "tab").await;
        let selected = app.selected();
        assert!(
            !selected.iter().any(|row| row.starts_with("Id")),
            "{selected:?}"
        );
    }
}

#[tokio::test]
async fn under_another_id_it_is_not_about_the_record_any_more() {
    let host = FakeHost::new();
    let mut app = about_zoe(&host, (80, 24)).await;
    go_to(&mut app, "Role").await;
    app.type_text("!");
    go_to(&mut app, "Id").await;
    keys(&mut app, "backspace").await;
    app.type_text("9");
    let screen = app.screen();
    assert!(!screen.contains("+5511987654321"), "{screen}");
    assert!(!screen.contains("as of"), "{screen}");
    keys(&mut app, "ctrl-s").await;
    let sent = json!({ "id": "0190a1b2-0000-7000-8000-000000000009", "role": "speaker!" });
    assert_eq!(last_asked(&host).1, sent);
}

#[tokio::test]
async fn a_record_that_is_not_there_or_does_not_come_is_told() {
    let host = FakeHost::new();
    let mut app = form(&host, "update_event_guest", (80, 24)).await;
    assert!(app.run("tool.load").is_err(), "there is no id yet");
    app.type_text(GUEST);
    answer(&host, json!({ "guest": null }));
    keys(&mut app, "enter").await;
    assert!(
        app.screen()
            .contains("no guest that you can see has this id"),
        "{}",
        app.screen()
    );
    host.fail(CallError::Unreachable {
        host: "http://127.0.0.1:8080".to_owned(),
        reason: "away".to_owned(),
    });
    keys(&mut app, "ctrl-t").await;
    assert!(app.screen().contains("✗ Not loaded."), "{}", app.screen());
    host.recover();
    answer(&host, zoe());
    keys(&mut app, "f5").await;
    assert!(app.screen().contains("as of 09:45"), "{}", app.screen());
    // Another tool has no record.
    let mut other = form(&host, "check_in_guest", (80, 24)).await;
    other.type_text(GUEST);
    assert!(other.run("tool.load").is_err());
}
