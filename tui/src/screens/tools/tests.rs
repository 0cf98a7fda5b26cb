//! The list of tools, as it looks.

use frontdesk_client::CallError;
use insta::assert_snapshot;

use crate::shell::Driver;
use crate::testing::{FakeHost, account, app};

const SIZES: [(&str, (u16, u16)); 2] = [("80x24", (80, 24)), ("120x40", (120, 40))];

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
async fn all_tools_by_host() {
    for (name, size) in SIZES {
        let mut app = browser(&FakeHost::new(), size).await;
        assert_snapshot!(format!("all_{name}"), app.screen());
    }
}

#[tokio::test]
async fn a_name_is_found_by_some_of_its_letters() {
    let mut app = browser(&FakeHost::new(), (80, 24)).await;
    app.type_text("chkguest");
    assert_eq!(app.selected(), ["events check_in_guest"]);
    // What is typed next is looked for in all, not only in what was found.
    app.key("ctrl-u").expect("is a key");
    app.type_text("remove series");
    assert_eq!(app.selected(), ["work remove_meeting_series"]);
    assert_snapshot!("found_80x24", app.screen());
    keys(&mut app, "esc");
    assert!(!app.screen().contains("of 88 tools"), "{}", app.screen());
    assert!(
        app.screen().contains("Learn · 53 tools"),
        "{}",
        app.screen()
    );
}

#[tokio::test]
async fn a_word_of_the_description_is_found_too() {
    let mut app = browser(&FakeHost::new(), (80, 24)).await;
    app.type_text("skeleton");
    assert!(app.screen().contains("merge_meetings"), "{}", app.screen());
    app.type_text("qqq");
    assert!(app.screen().contains("No tool is called or does that."));
}

#[tokio::test]
async fn the_schema_is_there_on_demand() {
    let mut app = browser(&FakeHost::new(), (80, 24)).await;
    app.type_text("check in guest");
    keys(&mut app, "tab");
    assert_snapshot!("schema_80x24", app.screen());
    // Letters are no search while the schema is shown.
    keys(&mut app, "j j esc");
    assert_eq!(app.selected(), ["events check_in_guest"]);
}

#[tokio::test]
async fn a_host_that_is_away_says_so() {
    let host = FakeHost::new();
    let mut app = app(&host, Some(account()), (80, 24));
    app.settle().await;
    host.fail(CallError::Unreachable {
        host: "http://127.0.0.1:8080/events".to_owned(),
        reason: "connection refused".to_owned(),
    });
    app.key("t").expect("is a key");
    app.settle().await;
    assert_snapshot!("away_80x24", app.screen());
    host.recover();
    app.key("f5").expect("is a key");
    app.settle().await;
    assert_eq!(app.selected(), ["list_students"]);
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
