//! Adding somebody at the door, and lists that cannot be loaded.

use frontdesk_client::CallError;
use frontdesk_protocol::{ErrorCode, ToolError};
use insta::assert_snapshot;
use jiff::SignedDuration;

use crate::shell::Driver;
use crate::testing::{FakeHost, account, app, desk};

const SIZES: [(&str, (u16, u16)); 2] = [("80x24", (80, 24)), ("120x40", (120, 40))];

async fn keys(app: &mut Driver, keys: &[&str]) {
    for key in keys {
        app.key(key).expect("is a key");
        app.settle().await;
    }
}

#[tokio::test]
async fn somebody_on_no_list_is_added_at_the_door() {
    for (name, size) in SIZES {
        let host = FakeHost::new();
        let mut app = desk(&host, size).await;
        app.type_text("Kim Passer-by");
        app.advance(SignedDuration::from_millis(300)).await;
        keys(&mut app, &["enter"]).await;
        assert_snapshot!(format!("nobody_{name}"), app.screen());
        keys(&mut app, &["ctrl-a"]).await;
        assert_snapshot!(format!("add_{name}"), app.screen());
        keys(&mut app, &["ctrl-s"]).await;
        let screen = app.screen();
        assert!(screen.contains("✓ CHECKED IN  Kim Passer-by"), "{screen}");
        assert!(screen.contains("3 of 13"), "{screen}");
        assert_eq!(host.called("deliver"), 1);
    }
}

#[tokio::test]
async fn the_search_is_clear_after_somebody_was_added() {
    let host = FakeHost::new();
    let mut app = desk(&host, (80, 24)).await;
    app.type_text("Kim");
    keys(&mut app, &["ctrl-a", "ctrl-s", "enter"]).await;
    assert_eq!(host.called("deliver"), 1);
}

#[tokio::test]
async fn lists_that_cannot_be_loaded_say_so() {
    let host = FakeHost::new();
    let mut app = app(&host, Some(account()), (80, 24));
    app.settle().await;
    host.fail(CallError::Forbidden(ToolError::new(
        ErrorCode::Forbidden,
        "an automation account does not see events",
    )));
    keys(&mut app, &["e"]).await;
    assert_snapshot!("events_forbidden_80x24", app.screen());
    host.fail(CallError::Host {
        status: 404,
        message: "not found".to_owned(),
    });
    keys(&mut app, &["r"]).await;
    assert_snapshot!("events_not_there_80x24", app.screen());
    host.recover();
    keys(&mut app, &["r"]).await;
    assert!(app.screen().contains("Summer Open Day"));
}
