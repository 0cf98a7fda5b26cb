//! Records that need more than their declarations.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::{Desk, School, row, selected};
use serde_json::json;

use crate::flows::programs::add;

/// Opens the list of a kind.
fn at_the(school: &School, role: Role, kind: &str) -> Desk {
    let mut t = school.desk(role).at_home();
    t.go_to(kind);
    t
}

#[test]
fn milestones_are_reached_by_their_program_and_stage_and_added_at_the_end() {
    let school = School::new();
    let mut owner = school.colleague(Role::Owner);
    let program = add(
        &mut owner,
        "create_program",
        json!({ "name": "Fellowship" }),
    );
    let stage = json!({ "program_id": program["id"], "title": "Arrival" });
    let stage = add(&mut owner, "create_stage", stage);
    for (title, position) in [("Meet the house", 1), ("Set up", 4)] {
        let milestone = json!({ "stage_id": stage["id"], "title": title, "position": position });
        add(&mut owner, "create_milestone", milestone);
    }
    let mut t = at_the(&school, Role::Owner, "milestones");
    t.expect_title("First, which program?").press("enter");
    t.expect_title("Milestones: which stage?").press("enter");
    t.expect_row(selected("Meet the house")).press("a");
    t.type_text("Show it").press("ctrl-s");
    t.expect_toast("Added milestone “Show it”").expect_rows([
        row("Meet the house").with(" 1"),
        row("Set up").with(" 4"),
        selected("Show it").with(" 5"),
    ]);
}

#[test]
fn a_skill_is_published_where_skills_are_listed() {
    let mut t = at_the(&School::new(), Role::Staff, "skills");
    t.press("a").expect_path("Add skill");
    t.type_text("check-in")
        .press("tab")
        .type_text("Check guests in");
    t.press("tab").type_text("At the door").press("tab");
    t.type_text("Ask for the name.").press("ctrl-s");
    t.expect_toast("Added skill “Check guests in”")
        .expect_row(selected("Check guests in").with("✓ published").with(" 1"));
}

#[test]
fn a_record_shows_more_than_its_list() {
    let school = School::new();
    let text = "# Tests\n\nAll *of them*.\n";
    let document = json!({ "kind": "document", "title": "Before a release", "content": text });
    let mut staff = school.colleague(Role::Staff);
    staff.make(Host::Engineering, "create_document", document);
    let mut t = at_the(&school, Role::Staff, "documents");
    t.expect_row(selected("Before a release")).press("enter");
    t.expect_rows([row("Tests"), row(""), row("All of them.")])
        .expect_no("# Tests");
}

#[test]
fn staff_see_the_name_of_a_business_unit_that_they_cannot_list() {
    let school = School::new();
    let project =
        json!({ "name": "Museum", "business_unit_id": school.organization.business_unit });
    school.calls(Role::Owner, Host::Work, [("create_project", project)]);
    for role in [Role::Owner, Role::Staff] {
        at_the(&school, role, "projects").expect_row(selected("Museum").with("Unit"));
    }
}

#[test]
fn an_invoice_that_was_not_paid_in_time_is_late() {
    let school = School::new();
    let mut owner = school.colleague(Role::Owner);
    for (name, due) in [("Ana Souza", "2025-03-01"), ("Zoë Müller", "2025-04-01")] {
        let invoice = json!({
            "billed_to": name, "email": "ana@example.org", "description": "Fellowship",
            "amount": 480, "due_on": due,
        });
        let invoice = owner.make(Host::Staff, "create_invoice", invoice);
        owner.make(
            Host::Staff,
            "mark_invoice_sent",
            json!({ "id": invoice["id"] }),
        );
    }
    let mut t = at_the(&school, Role::Owner, "invoices");
    t.expect_row(row("Ana Souza").with("480.00 BRL").with("1 Mar ! late"));
    t.expect_row(selected("Zoë Müller").with("1 Apr"));
}
