//! Tests of answers and previews, and of the calls that apply them.

use frontdesk_client::{CallError, Content};
use frontdesk_protocol::ToolError;
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::shell::Driver;
use crate::testing::{FakeHost, account, app};

const SERIES: &str = "0190a1b2-0000-7000-8000-000000000001";

/// Opens the answer of this tool, with its first argument filled in.
async fn answer(host: &FakeHost, tool: &str, first: &str, size: (u16, u16)) -> Driver {
    let mut app = app(host, Some(account()), size);
    app.settle().await;
    app.keys("t /").await;
    app.type_text(tool);
    app.keys("enter").await;
    app.type_text(first);
    app.keys("ctrl-s").await;
    app
}

/// Types the requested name and confirms.
async fn confirm(app: &mut Driver) {
    app.type_text("remove_meeting_series");
    app.keys("ctrl-y").await;
}

fn answers(answers: impl IntoIterator<Item = Value>) -> FakeHost {
    let host = FakeHost::new();
    host.lock().answers.extend(answers.into_iter().map(Ok));
    host
}

fn events(names: &[&str], offset: u64, has_more: bool) -> Value {
    let events: Vec<Value> = names
        .iter()
        .map(|name| {
            json!({
                "id": SERIES, "name": name, "start_at": "2026-03-12T10:00:00Z",
                "location": null, "guest_count": 12, "tags": { "floor": 2 },
            })
        })
        .collect();
    json!({ "events": events, "limit": 2, "offset": offset, "has_more": has_more })
}

fn plan(digest: &str) -> Value {
    json!({
        "dry_run": true, "digest": digest, "automation_webhook_inserts": 2,
        "totals": { "promote": 2, "keep": 0 },
        "occurrences": [
            { "occurrence_date": "2026-01-06", "action": "promote", "title": "Weekly" },
            { "occurrence_date": "2026-01-13", "action": "promote", "title": "Weekly" },
        ],
    })
}

/// Records with more columns than fit.
fn people() -> Value {
    let people: Vec<Value> = [
        ("1", "Ana Souza", 9),
        ("2", "Zoë Müller", 10),
        ("3", "João", 1),
    ]
    .iter()
    .map(|(id, name, table)| {
        json!({
            "id": id, "name": name, "seat_number": table, "created_at": "2026-03-12T10:00:00Z",
            "updated_at": "2026-03-12T10:00:00Z", "note": format!("A friend of {name}"),
        })
    })
    .collect();
    json!({ "people": people, "limit": 3, "offset": 0, "has_more": true })
}

#[tokio::test]
async fn a_table_is_sorted_by_value_and_the_record_stays_selected() {
    let mut app = answer(&answers([people()]), "list_events", "", (80, 24)).await;
    app.keys("down").await;
    assert!(app.selected()[0].starts_with("Zoë"), "{}", app.screen());
    app.keys("right right right right b").await;
    assert_snapshot!("sorted", app.said());
    app.keys("b").await;
    assert!(app.selected()[0].starts_with("Zoë"), "{}", app.screen());
    app.expect_row("Seat number ↓");
    // Sort by the columns in turn, then in the host's order.
    app.keys("s S s").await;
    app.expect_no("↑");
}

#[tokio::test]
async fn a_table_is_searched_in_all_its_cells() {
    let host = answers([people(), people()]);
    let mut app = answer(&host, "list_events", "", (80, 24)).await;
    app.keys("/").await;
    app.type_text("friend of zoe");
    assert_snapshot!("searched", app.said());
    // A refresh keeps the search and the selection.
    app.keys("enter esc").await;
    assert!(app.selected()[0].starts_with("Zoë"), "{}", app.screen());
    app.run("app.refresh").expect("asks again");
    app.settle().await;
    app.expect_row("1 of 3");
    app.keys("/").await;
    app.type_text("!");
    app.expect_row("No match for");
    let why = app.run("answer.open").expect_err("nothing is selected");
    assert!(why.to_string().contains("no record is selected"), "{why}");
    // Esc closes the search, not the answer.
    app.keys("esc").await;
    app.expect_row("Ana Souza");
}

#[tokio::test]
async fn columns_without_room_are_reached_and_the_first_stays() {
    let mut app = answer(&answers([people()]), "list_events", "", (60, 16)).await;
    app.expect_no("Id");
    app.keys("right right right right right").await;
    assert_snapshot!("columns_60x16", app.screen());
}

#[tokio::test]
async fn after_a_refresh_the_same_record_is_selected() {
    let other = json!({ "people": [{ "id": "9", "name": "New" }, { "id": "3", "name": "Zora" },
        { "id": "2", "name": "Zoë" }] });
    let host = answers([people(), other]);
    let mut app = answer(&host, "list_events", "", (80, 24)).await;
    app.keys("down r").await;
    assert_eq!(app.selected()[0], "Zoë  2", "{}", app.screen());
}

#[tokio::test]
async fn cells_and_records_are_copied() {
    let evil = json!({ "people": [{ "id": "1", "name": "a\u{1b}[1m\tb\u{202e}", "n": 2 }] });
    let mut app = answer(&answers([evil.clone()]), "list_events", "", (80, 24)).await;
    app.keys("c right c C T u").await;
    let [name, number, record, row, curl] = app.copied() else {
        panic!("five things: {:?}", app.copied());
    };
    assert_eq!((name.as_str(), number.as_str()), ("a[1m b", "2"));
    assert_eq!(row, "a[1m b\t2\t1");
    // JSON is complete, and control characters are escaped.
    let copied: Value = serde_json::from_str(record).expect("JSON");
    assert_eq!(copied, evil["people"][0]);
    assert!(record.contains("\\u202e"), "{record}");
    assert_eq!(curl, "curl list_events");
}

#[tokio::test]
async fn the_path_of_a_found_value_is_copied_and_it_stays_selected() {
    let host = answers([events(&["A", "B", "C"], 0, false)]);
    let mut app = answer(&host, "list_events", "", (80, 24)).await;
    app.keys("tab z down right down right /").await;
    app.type_text("floor");
    app.keys("esc P c").await;
    assert_eq!(app.copied(), [".events[0].tags.floor", "2"]);
    app.keys("tab tab").await;
    assert!(app.selected()[0].starts_with("floor"), "{}", app.screen());
}

#[tokio::test]
async fn of_a_megabyte_only_what_is_on_screen_is_drawn() {
    let rows: Vec<Value> = (0..12_000)
        .map(|at| json!([at, format!("row {at}"), { "nested": ["a text of some length", at] }]))
        .collect();
    let large = json!({ "rows": rows });
    assert!(large.to_string().len() > 700_000);
    let mut app = answer(&answers([large]), "list_events", "", (80, 24)).await;
    app.expect_row("12000 items");
    app.keys("tab z end").await;
    assert_snapshot!("large_80x24", app.screen());
}

#[tokio::test]
async fn what_is_nested_in_a_card_opens_as_a_tree_and_a_long_text_to_be_read() {
    let text = (1..40).map(|at| format!("Line {at} of a long text.\n"));
    let meeting = json!({ "meeting": {
        "title": "Weekly", "notes": text.collect::<String>(), "tags": ["a", { "b": [1, 2] }],
        "room": null, "people": [],
    } });
    let mut app = answer(&answers([meeting]), "list_events", "", (80, 24)).await;
    assert_snapshot!("long_card_80x24", app.screen());
    let why = app.run("answer.open").expect_err("it is short");
    assert!(why.to_string().contains("nothing more"), "{why}");
    app.run("list.last").expect("moves");
    app.keys("up up enter").await;
    assert_snapshot!("opened_tree_80x24", app.screen());
    app.keys("esc down enter end").await;
    assert_snapshot!("opened_text", app.said());
    app.keys("esc").await;
    app.expect_row("Weekly");
}

#[tokio::test]
async fn a_missing_record_is_said_to_be_missing() {
    let note = "no event that you can see has this id";
    let missing = json!({ "event": null, "note": note });
    let mut app = answer(&answers([missing]), "list_events", "", (80, 24)).await;
    app.expect_row("not found, or not visible to you");
    app.expect_row(note);
    let within = json!({ "task": { "title": "Chairs", "epic": null } });
    let mut app = answer(&answers([within]), "list_events", "", (80, 24)).await;
    app.expect_no("not found");
}

#[tokio::test]
async fn markdown_is_shown_as_what_it_means_or_as_it_was_written() {
    let text = "# Minutes\n\nWe met **twice**:\n\n- in *May*\n- in June\n";
    let mut app = answer(&answers([text.into()]), "list_events", "", (80, 24)).await;
    assert_snapshot!("markdown", app.said());
    app.keys("v").await;
    app.expect_row("We met **twice**:");
    let mut app = answer(
        &answers(["not Markdown".into()]),
        "list_events",
        "",
        (80, 24),
    )
    .await;
    let why = app.run("answer.markdown").expect_err("it is none");
    assert!(why.to_string().contains("not Markdown"), "{why}");
}

#[tokio::test]
async fn images_sounds_and_resources_are_told_of_read_and_saved() {
    let png = "iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAA=";
    let blocks = vec![
        Content::Text("# Here\n\nis a **picture**".to_owned()),
        Content::Image {
            data: png.to_owned(),
            mime_type: "image/png".to_owned(),
        },
        Content::Audio {
            data: "UklGRg==".to_owned(),
            mime_type: "audio/wav".to_owned(),
        },
        Content::Link {
            uri: "demo://r/2".to_owned(),
            name: "Second".to_owned(),
            mime_type: None,
            description: Some("what it is about".to_owned()),
        },
        Content::TextResource {
            uri: "file:///notes.txt".to_owned(),
            mime_type: None,
            text: "one\ntwo".to_owned(),
        },
    ];
    let host = FakeHost::new();
    let received = json!({ "content": [{ "type": "text", "text": "as it was received" }] });
    host.lock().contents = blocks;
    host.lock().answers.push_back(Ok(received));
    let mut app = answer(&host, "list_events", "", (80, 24)).await;
    assert_snapshot!("blocks", app.said());
    app.keys("enter").await;
    assert_snapshot!("block_text", app.said());
    app.keys("esc down enter").await;
    assert_snapshot!("block_image", app.said());
    app.keys("w esc down w down w down w").await;
    let exported = host.lock().exported.clone();
    let names: Vec<&str> = exported.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        names,
        [
            "frontdesk-list-events-2026-03-12.png",
            "frontdesk-list-events-2026-03-12.wav",
            "frontdesk-notes.txt"
        ]
    );
    let said = app.all_toasts().join(" ");
    assert!(said.contains("Not saved: it is a link"), "{said}");
    app.keys("tab").await;
    app.expect_row("as it was received");
    let why = app.run("answer.save").expect_err("it is JSON");
    assert!(why.to_string().contains("no image"), "{why}");
}

#[tokio::test]
async fn a_full_disk_is_reported_by_an_export() {
    let host = answers([people()]);
    let mut app = answer(&host, "list_events", "", (80, 24)).await;
    host.lock().disk_is_full = true;
    app.keys("x c").await;
    let said = app.toasts().pop().unwrap_or_default();
    assert!(said.contains("no space left"), "{said}");
}

/// Applies the preview of a removal, loses the answer, and lets the host answer the next call like
/// this.
async fn after_a_loss(then: Result<Value, CallError>) -> Driver {
    let host = answers([plan("d1")]);
    let lost = CallError::no_answer("the connection was closed");
    let again = then.clone();
    host.lock().answers.extend([Err(lost), then, again]);
    let mut app = answer(&host, "remove_meeting_series", SERIES, (80, 24)).await;
    app.keys("a").await;
    confirm(&mut app).await;
    let asked = host.lock().asked.clone();
    let dry_runs = asked.iter().map(|call| call.arguments["dry_run"].clone());
    let first: Vec<_> = dry_runs.take(3).collect();
    assert_eq!(first, [true, false, true], "it is looked at again");
    app
}

#[tokio::test]
async fn a_change_without_an_answer_is_looked_at_again() {
    let mut app = after_a_loss(Ok(plan("d1"))).await;
    app.expect_row("! Not done, as of");

    let gone = CallError::Tool(ToolError::not_found("meeting"));
    after_a_loss(Err(gone)).await.expect_row("no longer exists");

    // A different plan is inconclusive: it was partly applied, or somebody else changed something.
    let mut app = after_a_loss(Ok(plan("d2"))).await;
    app.expect_row("! CHECK: the data is different");

    let away = CallError::no_answer("still away");
    let mut app = after_a_loss(Err(away)).await;
    app.expect_row("! CHECK: it may or may not have been done");
    app.expect_row("It could not be checked");
}

#[tokio::test]
async fn what_was_written_is_not_written_again_by_looking_again() {
    let host = answers([json!({ "guest": { "name": "Zoë" } })]);
    let mut app = answer(&host, "check_in_guest", SERIES, (80, 24)).await;
    app.keys("r").await;
    assert_eq!(host.lock().asked.len(), 1);
    app.expect_row("Not repeated");
}
