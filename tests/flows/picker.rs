//! Ids that are chosen from a list.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::{LAUNCH, School, row, selected};
use jiff::SignedDuration;
use serde_json::json;

use crate::flows::form::go_to;
use crate::flows::programs::fellowship;
use crate::flows::tools::at_the_form;

#[test]
fn an_event_is_chosen_by_its_name_and_not_by_its_id() {
    let school = School::launch();
    let mut t = at_the_form(school.desk(Role::Staff), "get_event");
    t.expect_row(row("enter opens the list")).press("enter");
    t.expect_title("Which event?").expect_row(selected(LAUNCH));
    t.text_snapshot("picker");
    t.search("nowhere")
        .expect_row(row("No match for “nowhere”"));
    t.press("ctrl-u").search("LAUN");
    t.expect_row(selected(LAUNCH)).press("enter");
    t.expect_row(selected("Id").with(LAUNCH))
        .expect_no(&school.event_id(LAUNCH).to_string());
    t.text_snapshot("picker_taken");
    t.press("ctrl-s").expect_row(row("Guest count").with("12"));
}

#[test]
fn a_guest_is_found_by_way_of_the_event() {
    let mut t = at_the_form(School::launch().desk(Role::Staff), "check_in_guest");
    t.press("enter").expect_title("First, which event?");
    t.press("enter").expect_title("Which guest of Launch?");
    // Case and accents do not matter: the host searches.
    t.search("zoe mul");
    t.expect_row(selected("Zoë Müller"))
        .text_snapshot("picker_guest");
    t.press("enter")
        .expect_row(selected("Id").with("Zoë Müller"));
    t.press("ctrl-s").expect_row(selected("Already checked in"));
    t.database().guest("Zoë Müller").is_checked_in();
}

#[test]
fn somebody_is_found_although_the_first_page_does_not_have_them() {
    let school = School::launch();
    let names: Vec<String> = (0..110).map(|at| format!("Crowd {at:03}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    school.add_guests(LAUNCH, &names);
    let mut t = at_the_form(school.desk(Role::Staff), "get_event_guest");
    t.press("enter enter")
        .expect_row(row(" 100 of 122 guests "));
    t.expect_no("Zoë Müller").search("zoë");
    t.expect_row(selected("Zoë Müller"));
}

#[test]
fn whom_one_moved_to_stays_selected_when_the_host_finds_more() {
    let school = School::launch();
    let crowd = ["Crowd 1", "Crowd 2", "Crowd 3"];
    school.add_guests(LAUNCH, &crowd);
    // More than are loaded at once.
    let others: Vec<String> = (0..100).map(|number| format!("Other {number}")).collect();
    let others: Vec<&str> = others.iter().map(String::as_str).collect();
    school.add_guests(LAUNCH, &others);
    let mut t = at_the_form(school.desk(Role::Staff), "get_event_guest");
    t.press("enter enter")
        .expect_title("Which guest of Launch?");
    // Among the loaded guests, before the host is asked.
    t.type_text("crowd").press("down");
    t.expect_rows([row("Crowd 1"), selected("Crowd 2"), row("Crowd 3")]);
    t.database().add_guests(LAUNCH, &["A Crowd"]);
    t.passes(SignedDuration::from_millis(300));
    t.expect_rows([row("A Crowd"), row("Crowd 1"), selected("Crowd 2")]);
    // Typing on drops the choice: the first one is taken.
    t.search(" ").expect_row(selected("A Crowd"));
}

#[test]
fn a_member_is_chosen_in_the_list_of_another_host() {
    let mut t = at_the_form(School::launch().desk(Role::Staff), "create_event_task");
    go_to(&mut t, "Assignee");
    t.press("enter")
        .expect_title("Which member?")
        .search("fellow");
    t.expect_row(selected("Fellow")).press("enter");
    t.expect_row(selected("Assignee").with("Fellow"));
}

#[test]
fn who_cannot_list_business_units_is_offered_those_of_the_events() {
    let school = School::launch();
    let mut t = at_the_form(school.desk(Role::Staff), "create_event");
    t.type_text("Open day");
    go_to(&mut t, "Business unit");
    t.press("enter").expect_title("Which business unit?");
    t.expect_row(row(
        "Only those of events that you see. You cannot list business units.",
    ));
    t.expect_row(selected("Unit")).press("enter");
    t.expect_row(selected("Business unit").with("Unit"));
    t.press("ctrl-s").expect_row(selected("Open day"));
}

#[test]
fn both_ends_of_a_dependency_are_chosen_in_their_program() {
    let mut t = at_the_form(fellowship().desk(Role::Owner), "add_stage_dependency");
    go_to(&mut t, "Predecessor");
    t.press("enter")
        .expect_title("First, which program?")
        .press("enter");
    t.expect_title("Which stage or milestone of Fellowship?");
    t.search("meet").expect_row(selected("Meet the house"));
    t.press("enter")
        .expect_row(selected("Predecessor").with("Meet the house"));
    t.expect_head("Fellowship");
    go_to(&mut t, "Successor");
    // The program is known by now.
    t.press("enter").expect_title("Which stage or milestone?");
}

#[test]
fn an_id_inside_a_list_of_objects_is_chosen_too() {
    let school = School::new();
    let mut owner = school.colleague(Role::Owner);
    owner.make(Host::Plans, "create_plan", json!({ "name": "Opening" }));
    let task = json!({
        "name": "Call the bank", "stage_id": "spec", "context": {},
        "owner_id": school.organization.fellow,
    });
    owner.make(Host::Work, "create_task", task);
    let mut t = at_the_form(school.desk(Role::Owner), "set_plan_tasks");
    go_to(&mut t, "Tasks");
    t.press("ctrl-a tab enter").expect_title("Which task?");
    t.expect_row(selected("Call the bank")).press("enter");
    t.expect_row(selected("Task").with("Call the bank"));
}
