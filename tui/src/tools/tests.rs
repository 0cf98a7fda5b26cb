//! Tests of the list of tools.

use crate::shell::Driver;
use crate::testing::{FakeHost, account, app};

async fn browser(host: &FakeHost, size: (u16, u16)) -> Driver {
    let mut app = app(host, Some(account()), size);
    app.settle().await;
    app.keys("t").await;
    app
}

#[tokio::test]
async fn nothing_is_chosen_for_a_person_who_has_chosen() {
    let host = FakeHost::new();
    let mut app = browser(&host, (80, 24)).await;
    app.keys("down down").await;
    let chosen = app.selected();
    app.keys("f5").await;
    assert_eq!(app.selected(), chosen);
}
