//! `frontdesk tools` and `frontdesk describe`.

use frontdesk_protocol::{Host, Role};

use crate::commands::stage::Stage;

#[test]
fn the_tools_of_a_host_are_listed_with_a_line_each() {
    let stage = Stage::of(Role::Owner);
    let ended = stage.frontdesk(&["tools", "work"]);
    let lines: Vec<_> = ended.stdout.lines().collect();
    assert_eq!(lines.len(), Host::Work.tools().count());
    let first = lines[0];
    assert!(first.starts_with("work list_projects "), "{first}");
    assert!(first.ends_with("Lists projects by name."), "{first}");
}

#[test]
fn the_tools_of_all_hosts_are_those_that_the_role_is_offered() {
    let count = |role| {
        let ended = Stage::of(role).frontdesk(&["tools", "--json"]);
        let tools = ended.json();
        let tools = tools.as_array().expect("tools").clone();
        tools.iter().filter(|tool| tool["host"] == "work").count()
    };
    assert_eq!(count(Role::Owner), 42);
    assert_eq!(count(Role::Teacher), 15);
    assert_eq!(
        count(Role::Fellow),
        13,
        "though the staff host refuses a fellow"
    );
}

#[test]
fn a_tool_is_described_with_all_that_it_takes() {
    let stage = Stage::of(Role::Owner);
    let ended = stage.frontdesk(&["describe", "work", "remove_meeting_series"]);
    insta::assert_snapshot!(ended.stdout);
    let json = stage.frontdesk(&["describe", "work", "remove_meeting_series", "--json"]);
    assert_eq!(
        json.json()["inputSchema"]["required"][0],
        "series_meeting_id"
    );
}
