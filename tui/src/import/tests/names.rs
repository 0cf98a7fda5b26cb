//! Names in the place of ids.

use std::sync::Arc;

use frontdesk_protocol::Host;
use serde_json::json;

use super::host::{EVENT, Next, Table};

/// A host with these events.
async fn with_events(names: &[&str]) -> Arc<Table> {
    let place = tempfile::tempdir().expect("a directory");
    let table = Arc::new(Table::new(Host::Events));
    let rows = names.iter().map(|name| format!("{name},{EVENT}\n"));
    let text = format!(
        "name,strategy_business_unit_id\n{}",
        rows.collect::<String>()
    );
    let mut import = table.import(place.path(), "create_event", &text).await;
    import
        .check(Some("none"), false, |_| {})
        .await
        .expect("checked");
    import.run(false, |_| {}).await.expect("written");
    table
}

#[tokio::test]
async fn a_name_stands_for_the_id_of_its_record() {
    let table = with_events(&["Open day", "Gala", "Gala 2", "Ana  Sá", "Café"]).await;
    let place = tempfile::tempdir().expect("a directory");
    let first = "00000000-0000-0000-0000-000000000001";
    for (text, expected) in [
        ("Open day", Ok(first)),
        (" Open  day ", Ok(first)),
        (first, Ok(first)),
        ("Gala", Ok("00000000-0000-0000-0000-000000000002")),
        (
            "open day",
            Err("no event is named “open day”, but one “Open day”"),
        ),
        ("Closing", Err("no event is named “Closing”")),
        ("event_id", Err("no event is named “event_id”")),
    ] {
        let mut import = table
            .import(place.path(), "create_event_task", "title\nSweep\n")
            .await;
        let set = import.set("event_id", text).await;
        match (set, expected) {
            (Ok(()), Ok(id)) => assert_eq!(import.set["event_id"], id, "{text}"),
            (Err(error), Err(reason)) => {
                assert_eq!(error.to_string(), format!("event_id: {reason}"));
            }
            other => panic!("{text}: {other:?}"),
        }
    }
}

#[tokio::test]
async fn a_name_that_two_records_have_needs_an_id() {
    let table = with_events(&["Gala"]).await;
    let twin = json!({ "name": "Gala" });
    table.next([Next::After(vec![twin])]);
    let place = tempfile::tempdir().expect("a directory");
    let other = format!("name,strategy_business_unit_id\nOther,{EVENT}\n");
    let mut other = table.import(place.path(), "create_event", &other).await;
    other
        .check(Some("none"), false, |_| {})
        .await
        .expect("checked");
    other.run(false, |_| {}).await.expect("written");
    let mut import = table
        .import(place.path(), "create_event_task", "title\nSweep\n")
        .await;
    let wrong = import
        .set("event_id", "Gala")
        .await
        .expect_err("two events");
    let expected = "event_id: 2 records are named “Gala”; give the id of the event";
    assert_eq!(wrong.to_string(), expected);
}
