//! Walk-ins, and lists that cannot be loaded.

use frontdesk_client::CallError;
use frontdesk_protocol::{ErrorCode, ToolError};
use insta::assert_snapshot;

use crate::testing::{FakeHost, account, app};

#[tokio::test]
async fn lists_that_cannot_be_loaded_say_so() {
    let host = FakeHost::new();
    let mut app = app(&host, Some(account()), (80, 24));
    app.settle().await;
    host.fail(CallError::Forbidden(ToolError::new(
        ErrorCode::Forbidden,
        "an automation account does not see events",
    )));
    app.keys("e").await;
    assert_snapshot!("events_forbidden", app.said());
    host.fail(CallError::Host {
        status: 404,
        message: "not found".to_owned(),
    });
    app.keys("r").await;
    assert_snapshot!("events_not_there", app.said());
    host.recover();
    app.keys("r").await;
    app.expect_row("Summer Open Day");
}
