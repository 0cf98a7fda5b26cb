//! Business units, a kind of record that the app knows from its declarations: managed by finance, refused to staff.

use frontdesk_protocol::Role;
use frontdesk_tests::{Desk, Organization, desk, row, run, selected};

/// At the business units, as this role.
async fn at_the_units(organization: &Organization, role: Role) -> Desk {
    let mut t = desk(organization).signed_in_as(role).at_home().await;
    t.press(":").await;
    t.type_text("business units").await.press("enter").await;
    t
}

#[test]
fn finance_adds_edits_and_deletes_a_unit_where_units_are_listed() {
    run(async {
        let organization = Organization::create().await;
        let mut t = at_the_units(&organization, Role::Finance).await;
        t.expect(" 1 business unit ").expect_row(selected("Unit"));
        t.press("a").await.expect("Add business unit");
        t.type_text("Consulting").await.press("ctrl-s").await;
        t.expect_toast("Added the business unit: Consulting")
            .expect(" 2 business units ")
            .expect_row(selected("Consulting"));
        t.press("enter").await.expect("Consulting  business unit");
        t.press("esc").await.press("e").await;
        t.type_text(" abroad").await.press("ctrl-s").await;
        t.expect("Name: Consulting → Consulting abroad")
            .press("y")
            .await
            .expect_toast("Saved Consulting")
            .expect_row(selected("Consulting abroad"));
        t.press("d").await.press("ctrl-s").await;
        t.expect("Call delete_business_unit?")
            .type_text("consulting abroad")
            .await
            .press("ctrl-y")
            .await
            .expect_toast("Delete business unit: done")
            .expect(" 1 business unit ")
            .expect_row(selected("Unit"));
    });
}

#[test]
fn staff_are_told_why_they_see_no_units() {
    run(async {
        let organization = Organization::create().await;
        let mut t = at_the_units(&organization, Role::Staff).await;
        t.expect_row(row("list_business_units is not offered to you (staff)"));
        t.press("a")
            .await
            .expect_toast("create_business_unit is not offered to you (staff)");
    });
}
