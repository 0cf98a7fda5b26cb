//! Tests of the list of tools.

use insta::assert_snapshot;

use crate::shell::Driver;
use crate::testing::{FakeHost, account, app};

async fn browser(host: &FakeHost, size: (u16, u16)) -> Driver {
    let mut app = app(host, Some(account()), size);
    app.settle().await;
    app.key("t").expect("is a key");
    app.settle().await;
    app
}

fn keys(app: &mut Driver, keys: &str) {
    for key in keys.split(' ') {
        app.key(key).expect("is a key");
    }
}

#[tokio::test]
async fn a_word_of_the_description_is_found_too() {
    let mut app = browser(&FakeHost::new(), (80, 24)).await;
    app.type_text("skeleton");
    assert!(app.screen().contains("merge_meetings"), "{}", app.screen());
    app.type_text("qqq");
    assert!(app.screen().contains("No matching tool"));
}

#[tokio::test]
async fn the_schema_is_there_on_demand() {
    let mut app = browser(&FakeHost::new(), (80, 24)).await;
    app.type_text("check in guest");
    keys(&mut app, "tab");
    assert_snapshot!("schema", app.said());
    // Letters do not search while the schema is shown.
    keys(&mut app, "j j esc");
    assert_eq!(app.selected(), ["events check_in_guest"]);
}

#[tokio::test]
async fn nothing_is_chosen_for_a_person_who_has_chosen() {
    let host = FakeHost::new();
    let mut app = browser(&host, (80, 24)).await;
    keys(&mut app, "down down");
    let chosen = app.selected();
    keys(&mut app, "f5");
    app.settle().await;
    assert_eq!(app.selected(), chosen);
}
