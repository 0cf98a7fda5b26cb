//! Calls that go on by themselves.

use frontdesk_tests::Mode;
use serde_json::json;

use super::foreign::Foreign;

#[test]
fn a_task_whose_result_was_not_delivered_is_listed_until_it_is() {
    let foreign = Foreign::start();
    foreign.answer("tasks/get", 503, &json!({}));
    let called = foreign.frontdesk(&["call", "stub", "print"]);
    assert_eq!(called.code, Some(1), "{called:?}");
    let listed = foreign.frontdesk(&["tasks"]);
    assert!(listed.stdout.starts_with("stub print t1 "), "{listed:?}");

    foreign.proxy().set_for("tasks/get", Mode::Pass);
    let listed = foreign.frontdesk(&["tasks"]);
    assert_eq!(listed.stdout, "stub print t1  completed: 3 pages\n");
    let listed = foreign.frontdesk(&["tasks", "--json"]).json();
    assert_eq!(listed[0]["id"], "t1", "{listed}");
    let result = foreign.frontdesk(&["tasks", "stub", "t1"]);
    assert_eq!(result.stdout, "all is printed\n", "{result:?}");
    assert_eq!(foreign.frontdesk(&["tasks"]).stdout, "");
}

#[test]
fn a_call_waits_for_the_result_of_its_task() {
    let foreign = Foreign::start();
    let called = foreign.frontdesk(&["call", "stub", "print", "-o", "text"]);
    assert_eq!(called.stdout, "all is printed\n", "{called:?}");
    assert_eq!(foreign.frontdesk(&["tasks"]).stdout, "");
}
