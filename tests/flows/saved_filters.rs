//! A list with a filter is saved under a name, and is then a section of Home.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::{Desk, School, row, selected};
use serde_json::json;

/// A school with two invoices, one of them sent.
fn school() -> School {
    let school = School::new();
    let mut owner = school.colleague(Role::Owner);
    for name in ["Ana", "Bento"] {
        let invoice = json!({
            "billed_to": name, "description": "Spring term", "amount": 100, "due_on": "2025-04-01",
        });
        let id = &owner.make(Host::Staff, "create_invoice", invoice)["id"];
        if name == "Bento" {
            owner.make(Host::Staff, "mark_invoice_sent", json!({ "id": id }));
        }
    }
    school
}

/// Saves the invoices that are sent as "On their way".
fn save(t: &mut Desk) {
    t.go_to("invoices");
    t.press("f").select("Status: sent").press("enter");
    t.expect_row(selected("Bento")).expect_no("Ana");
    t.press("F").expect_title("Save this list");
    t.press("ctrl-u").enter("On their way");
    t.expect_toast("Saved “On their way”");
}

#[test]
fn a_saved_list_is_a_section_of_home_that_opens_it_and_can_be_removed() {
    let school = school();
    let mut t = school.desk(Role::Owner).at_home();
    save(&mut t);
    t.press("alt-h").expect("On their way 1 invoice");
    t.expect_row(row("Bento"));
    t.press("G enter").expect_row(selected("Bento"));
    t.expect("[Status: sent]").expect_no("Ana");
    t.press("alt-h")
        .press("G d")
        .expect_title("Remove “On their way” from Home?");
    t.press("y")
        .expect_toast("Removed “On their way”")
        .expect_no("On their way 1");
}

#[test]
fn it_is_there_at_the_next_start_and_can_be_opened_without_records() {
    let school = school();
    let setup = school.desk(Role::Owner);
    let directory = setup.directory().to_owned();
    let mut t = setup.at_home();
    save(&mut t);
    let gone = "delete from staff.invoices where organization_id = $1";
    school.change(gone, &[&school.organization.id.0]);
    let mut t = school.desk(Role::Owner).in_directory(&directory).at_home();
    t.expect("On their way 0 invoices")
        .expect("no invoices match");
    t.press("G enter")
        .expect("No match; esc clears the filters.");
}

#[test]
fn a_list_without_a_filter_is_not_saved() {
    let school = school();
    let mut t = school.desk(Role::Owner).at_home();
    t.go_to("invoices");
    t.press("F").expect_toast("Filter or search the list first");
}
