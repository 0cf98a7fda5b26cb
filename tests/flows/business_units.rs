//! Business units, without a view of their kind: managed by finance, refused to staff.

use frontdesk_protocol::Role;
use frontdesk_tests::{Desk, School, row, selected};

/// Opens the business units as this role.
fn at_the_units(role: Role) -> Desk {
    at_the_units_of(School::new(), role)
}

fn at_the_units_of(school: School, role: Role) -> Desk {
    let mut t = school.desk(role).at_home();
    t.press(":");
    t.enter("business units");
    t
}

#[test]
fn finance_adds_edits_and_deletes_a_unit_where_units_are_listed() {
    let mut t = at_the_units(Role::Finance);
    t.expect_title(" 1 business unit ")
        .expect_row(selected("Unit"));
    t.press("a").expect_path("Add business unit");
    t.type_text("Consulting").press("ctrl-s");
    t.expect_toast("Added business unit “Consulting”")
        .expect_title(" 2 business units ")
        .expect_row(selected("Consulting"));
    t.press("enter").expect_head("Consulting  business unit");
    t.press("esc").press("e");
    t.type_text(" abroad").press("ctrl-s");
    t.expect_row(row("Name: Consulting → Consulting abroad"))
        .press("y")
        .expect_toast("Saved Consulting")
        .expect_row(selected("Consulting abroad"));
    t.press("d")
        .expect_title("Delete business unit “Consulting abroad”?")
        .press("y")
        .expect_toast("Deleted business unit “Consulting abroad”")
        .expect_title(" 1 business unit ")
        .expect_row(selected("Unit"));
}

#[test]
fn a_unit_with_events_is_kept_and_the_events_are_named() {
    let mut t = at_the_units_of(School::launch(), Role::Finance);
    t.expect_row(selected("Unit")).press("d");
    t.expect_toast("This business unit still has 1 event (“Launch”)")
        .expect_row(selected("Unit"));
}

#[test]
fn staff_are_told_why_they_see_no_units() {
    let mut t = at_the_units(Role::Staff);
    t.expect_row(row("Business units need the finance, admin or owner role."));
    t.press("a")
        .expect_toast("create_business_unit is not offered to you (staff)");
}
