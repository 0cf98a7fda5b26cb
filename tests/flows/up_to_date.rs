//! What is on screen is up to date, or says how old it is.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::{Desk, LAUNCH, Mode, School, row, selected};
use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::flows::programs::add;

/// A school whose launch has two tasks, and their ids.
fn with_tasks() -> (School, Vec<Value>) {
    let school = School::launch();
    let event = school.event_id(LAUNCH);
    let mut owner = school.colleague(Role::Owner);
    let tasks = ["Order coffee", "Paint the sign"].map(|title| {
        let task = json!({ "event_id": event, "title": title });
        owner.make(Host::Events, "create_event_task", task)["id"].clone()
    });
    (school, tasks.to_vec())
}

/// Opens the tasks of the launch.
fn open_tasks(t: &mut Desk) {
    t.go_to("tasks (events").press("enter");
    t.expect_title(" 2 tasks ");
}

fn rename(school: &School, task: &Value, title: &str) {
    let mut owner = school.colleague(Role::Owner);
    let change = json!({ "id": task, "title": title });
    owner.make(Host::Events, "update_event_task", change);
}

#[test]
fn a_list_is_renewed_and_keeps_its_selection() {
    let (school, tasks) = with_tasks();
    let mut t = school.desk(Role::Staff).at_home();
    open_tasks(&mut t);
    t.select("Paint the sign").expect_title("as of 09:45");
    rename(&school, &tasks[0], "Order tea");
    t.seconds(29).expect_row(row("Order coffee"));
    t.seconds(1)
        .expect_row(row("Order tea"))
        .expect_row(selected("Paint the sign"));
    t.seconds(30).expect_title("as of 09:46");
}

#[test]
fn a_reload_shows_that_it_loads_and_when_it_has() {
    let (school, _) = with_tasks();
    let mut t = school.desk(Role::Staff).at_home();
    open_tasks(&mut t);
    t.seconds(7).expect_title(" as of 09:45 ");
    t.press_at_once("r").expect_title(" ⠋ as of 09:45 ");
    t.settle().expect_title(" as of 09:45:07 ");
    t.seconds(30).expect_title(" as of 09:45:37 ");
}

#[test]
fn a_terminal_that_is_not_used_asks_no_more_until_the_next_key() {
    let (school, tasks) = with_tasks();
    let mut t = school.desk(Role::Staff).over_a_network().at_home();
    open_tasks(&mut t);
    t.passes(SignedDuration::from_mins(30))
        .expect_title("! as of 09:54");
    rename(&school, &tasks[0], "Order tea");
    let before = t.network().count();
    t.passes(SignedDuration::from_mins(30))
        .expect("Order coffee");
    assert_eq!(t.network().count(), before);
    t.press("down").expect("Order tea");
    t.expect_title("as of 10:45").expect_no("! as of");
}

#[test]
fn a_record_of_a_kind_that_is_only_listed_is_renewed_too() {
    let (school, tasks) = with_tasks();
    let mut t = school.desk(Role::Staff).at_home();
    open_tasks(&mut t);
    t.select("Order coffee").press("enter");
    t.expect_head("Order coffee  task");
    rename(&school, &tasks[0], "Order tea");
    t.press("r").expect_head("Order tea  task");
    rename(&school, &tasks[0], "Order milk");
    t.seconds(30).expect_head("Order milk  task");
}

#[test]
fn an_archived_article_is_not_shown_as_published() {
    let school = School::new();
    let mut owner = school.colleague(Role::Owner);
    let article = json!({ "title": "Handbook", "slug": "handbook", "status": "published" });
    add(&mut owner, "create_wiki_article", article);
    let mut t = school.desk(Role::Teacher).at_home();
    t.go_to("wiki").press("enter");
    t.expect_head("✓ published");
    let archived = json!({ "slug": "handbook", "status": "archived" });
    add(&mut owner, "publish_wiki_article", archived);
    t.press("r").expect_head("(as of 09:45)");
    t.expect_no("published");
}

#[test]
fn numbers_appear_once_they_are_known() {
    let school = School::new();
    let mut owner = school.colleague(Role::Owner);
    let program = add(&mut owner, "create_program", json!({ "name": "Weaving" }));
    let stage = json!({ "program_id": program["id"], "title": "Looms" });
    let stage = add(&mut owner, "create_stage", stage);
    let milestone = json!({ "stage_id": stage["id"], "title": "Thread" });
    add(&mut owner, "create_milestone", milestone);
    let mut t = school.desk(Role::Owner).over_a_network().at_home();
    for request in ["list_programs", "get_program"] {
        t.network().set_for(request, Mode::Hold);
    }
    t.press(":").type_text("programs").press_at_once("enter");
    t.expect_title(" programs ").expect_no("0 programs");
    t.network().release();
    t.settle().expect_title(" 1 program ");
    t.press_at_once("enter").expect_no("0 of 0");
    t.network().release();
    t.settle().expect_head("0 of 1");
}

#[test]
fn a_host_that_goes_away_is_not_remembered_as_well() {
    let school = School::launch();
    let mut t = school.desk(Role::Staff).over_a_network().at_home();
    t.expect_no("Hosts:");
    t.network()
        .set_for("/work/health", Mode::status(503, "away"));
    t.seconds(30).expect_row(row("✗ away: Work"));
}
