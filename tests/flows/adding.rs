//! Adding, setting states and other actions: one key for each, wherever the record is shown.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::{School, row, selected};
use serde_json::json;

use crate::flows::board;
use crate::flows::programs::{at_the, fellowship};

#[test]
fn pressed_three_times_three_stages_are_added() {
    let school = fellowship();
    let mut t = at_the(&school, Role::Owner, "programs");
    t.press("enter").expect_keys("a add stage to Fellowship");
    for title in ["Kick-off", "Build", "Show"] {
        t.press("a").expect_path("Add stage");
        t.type_text(title).press("ctrl-s");
        t.expect_toast("Added stage")
            .expect_row(selected(title))
            .expect_keys("a add stage to Fellowship");
    }
    // A stage that was not just added has milestones.
    t.press("home").select("Kick-off");
    t.expect_keys("a add milestone to Kick-off").press("a");
    t.expect_path("Add milestone")
        .expect_head("Kick-off · given");
    for title in ["Meet", "Plan"] {
        if !t.screen().contains("Add milestone") {
            t.expect_keys("a add milestone to Kick-off").press("a");
        }
        t.type_text(title).press("ctrl-s");
        t.expect_toast("Added milestone")
            .expect_row(selected(title));
    }
    // What else can be added here is in the menu.
    t.press("space")
        .expect_row(row("a").with("Add milestone to Kick-off"));
    t.select("Add stage to Fellowship").press("enter");
    t.expect_path("Add stage");
}

#[test]
fn an_epic_gets_a_delivery_and_who_cannot_add_one_a_task() {
    let school = School::new();
    let mut owner = school.colleague(Role::Owner);
    let project = board::add(&mut owner, "create_project", json!({ "name": "Museum" }));
    let epic = json!({ "name": "Tickets", "project_id": project["id"] });
    board::add(&mut owner, "create_epic", epic);
    let mut t = at_the(&school, Role::Owner, "projects");
    t.press("enter").select("Tickets");
    t.expect_keys("a add delivery to Tickets").press("a");
    t.expect_path("Add delivery").expect_head("Tickets · given");
    let mut t = at_the(&school, Role::Fellow, "projects");
    t.press("enter").select("Tickets");
    t.expect_keys("a add task to Tickets");
}

#[test]
fn the_facts_of_a_record_ask_what_is_added() {
    let school = School::launch();
    let mut t = at_the(&school, Role::Owner, "events");
    t.press("enter backtab backtab backtab backtab");
    t.expect_keys("a add").press("a");
    t.expect_title("Add").select("Add guest to Launch");
    t.press("enter").expect_path("Add guest");
}

#[test]
fn a_state_is_set_with_one_key_in_lists_records_trees_boards_and_menus() {
    let school = fellowship();
    let mut t = at_the(&school, Role::Owner, "programs");
    t.press("=").expect_title("Fellowship").press("l");
    t.expect_toast("Set “Fellowship” to locked")
        .expect_row(selected("! locked"));
    t.press("enter space = a");
    t.expect_toast("Set “Fellowship” to active");
    t.press("tab tab").expect_row(row("Status").with("active"));
    t.press("= d").expect_toast("Set “Fellowship” to done");
    t.expect_row(row("✓ done"));
}

#[test]
fn a_menu_offers_what_the_state_allows_and_a_key_explains_the_rest() {
    let school = School::launch();
    let mut owner = school.colleague(Role::Owner);
    let invoice = json!({
        "billed_to": "Ana", "description": "Spring term", "amount": 300, "due_on": "2025-04-01",
    });
    let invoice = owner.make(Host::Staff, "create_invoice", invoice);
    let sent = json!({ "id": invoice["id"] });
    owner.make(Host::Staff, "mark_invoice_sent", sent);
    let mut t = at_the(&school, Role::Owner, "invoices");
    t.press("space");
    t.expect_no("Mark invoice sent").expect_no("Update invoice");
    t.select("Record payment").press("enter");
    t.expect_path("Ana").press("esc");
    // The list of its payments adds one, too.
    t.press("enter tab")
        .expect_keys("a add payment")
        .press("a")
        .expect_head("record_payment");
    t.press("esc esc");
    t.press("e").expect_toast("The invoice is sent, not draft");
}
