//! A tool that changes a record shows the current values.

use frontdesk_client::CallError;
use serde_json::{Value, json};

use super::picking::{answer, last_asked};
use super::{GUEST, form};
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
        app.keys("backtab").await;
    }
    panic!("there is no field {label}");
}

/// The form about Zoë, loaded.
async fn about_zoe(host: &FakeHost, size: (u16, u16)) -> Driver {
    let mut app = form(host, "update_event_guest", size).await;
    app.type_text(GUEST);
    app.expect_row("enter loads the record");
    answer(host, zoe());
    app.keys("enter").await;
    assert_eq!(
        last_asked(host),
        ("get_event_guest".to_owned(), json!({ "id": GUEST }))
    );
    app
}

#[tokio::test]
async fn an_empty_text_and_null_are_two_changes() {
    let host = FakeHost::new();
    let mut app = about_zoe(&host, (80, 24)).await;
    go_to(&mut app, "Role").await;
    for _ in "speaker".chars() {
        app.keys("backspace").await;
    }
    go_to(&mut app, "Phone number").await;
    app.keys("ctrl-n").await;
    // A field whose change is reverted is not sent.
    go_to(&mut app, "Name").await;
    app.type_text("s");
    app.keys("ctrl-d").await;
    answer(&host, zoe());
    app.keys("ctrl-s y").await;
    let sent = json!({ "id": GUEST, "role": "", "phone_number": null });
    assert_eq!(last_asked(&host), ("update_event_guest".to_owned(), sent));
}

#[tokio::test]
async fn once_the_id_is_there_again_so_is_what_was_loaded() {
    let host = FakeHost::new();
    let mut app = about_zoe(&host, (80, 24)).await;
    go_to(&mut app, "Id").await;
    app.keys("backspace").await;
    app.expect_no("+5511987654321");
    app.type_text("1");
    app.expect_row("+5511987654321");
    app.expect_row("Zoë Müller as of 09:45");
}

#[tokio::test]
async fn tab_goes_around_without_the_id() {
    let host = FakeHost::new();
    let mut app = about_zoe(&host, (80, 24)).await;
    for _ in 0..20 {
        app.keys("tab").await;
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
    app.keys("backspace").await;
    app.type_text("9");
    app.expect_no("+5511987654321");
    app.expect_no("as of");
    app.keys("ctrl-s").await;
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
    app.keys("enter").await;
    app.expect_row("no guest that you can see has this id");
    host.fail(CallError::Unreachable {
        host: "http://127.0.0.1:8080".to_owned(),
        reason: "away".to_owned(),
    });
    app.keys("ctrl-t").await;
    app.expect_row("✗ Not loaded.");
    host.recover();
    answer(&host, zoe());
    app.keys("f5").await;
    app.expect_row("as of 09:45");
    // Another tool has no record.
    let mut other = form(&host, "check_in_guest", (80, 24)).await;
    other.type_text(GUEST);
    assert!(other.run("tool.load").is_err());
}
