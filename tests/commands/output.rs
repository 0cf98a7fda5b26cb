//! Output formats, and lists read to their end.

use frontdesk_protocol::Role;
use frontdesk_tests::run;

use crate::stage::Stage;

fn guests(stage: &Stage, arguments: &[&str]) -> String {
    let event = format!("event_id={}", stage.event);
    let command = ["call", "events", "list_event_guests", &event];
    let arguments: Vec<_> = command
        .into_iter()
        .chain(arguments.iter().copied())
        .collect();
    let ended = stage.frontdesk(&arguments);
    assert_eq!(
        (ended.code, ended.stderr.as_str()),
        (Some(0), ""),
        "{ended:?}"
    );
    ended.stdout
}

fn names(stage: &Stage, names: &[String]) {
    let names: Vec<_> = names.iter().map(String::as_str).collect();
    run(stage.organization.guests(stage.event, &names));
}

#[test]
fn json_is_one_line() {
    let stage = Stage::of(Role::Staff);
    names(&stage, &["Zoë".to_owned()]);
    let written = guests(&stage, &[]);
    assert_eq!(written.lines().count(), 1);
    let value: serde_json::Value = serde_json::from_str(&written).expect("JSON");
    assert_eq!(value["guests"][0]["name"], "Zoë");
    assert_eq!(value["has_more"], false);
}

#[test]
fn csv_and_markdown_have_a_header_and_a_line_for_each_record() {
    let stage = Stage::of(Role::Staff);
    names(&stage, &["Müller, Zoë".to_owned(), "a|b".to_owned()]);
    let csv = guests(&stage, &["--output", "csv"]);
    let lines: Vec<_> = csv.lines().collect();
    assert_eq!(lines.len(), 3);
    assert!(lines[0].starts_with("name,"), "{csv}");
    assert!(lines[2].starts_with("\"Müller, Zoë\","), "{csv}");
    let markdown = guests(&stage, &["--output", "markdown"]);
    let lines: Vec<_> = markdown.lines().collect();
    assert_eq!(lines.len(), 4);
    assert!(lines[2].starts_with("| a\\|b |"), "{markdown}");
}

#[test]
fn a_table_has_its_columns_below_each_other() {
    let stage = Stage::of(Role::Staff);
    names(&stage, &["Ana".to_owned(), "王小明".to_owned()]);
    let table = guests(&stage, &["--output", "table"]);
    let lines: Vec<_> = table.lines().collect();
    assert!(lines[0].starts_with("name"), "{table}");
    assert!(lines[1].starts_with("Ana"), "{table}");
    assert!(lines[2].starts_with("王小明"), "{table}");
}

#[test]
fn all_follows_the_pages_to_the_end_as_one_result() {
    let stage = Stage::of(Role::Staff);
    let all: Vec<_> = (0..7).map(|number| format!("Guest {number}")).collect();
    names(&stage, &all);
    let written = guests(&stage, &["--all", "limit=3"]);
    let value: serde_json::Value = serde_json::from_str(&written).expect("one JSON document");
    let listed = value["guests"].as_array().expect("guests");
    let listed: Vec<_> = listed
        .iter()
        .map(|guest| guest["name"].as_str().expect("a name"))
        .collect();
    assert_eq!(listed, all);
    let csv = guests(&stage, &["--all", "limit=3", "--output", "csv"]);
    assert_eq!(csv.lines().count(), 8, "{csv}");
    let rest = guests(&stage, &["--all", "limit=3", "offset=5", "--output", "csv"]);
    assert_eq!(rest.lines().count(), 3, "{rest}");
}
