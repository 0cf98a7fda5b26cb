//! The pictures of docs/changes.md, drawn from the screens themselves. Those of the README come from tests/tapes.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::row;
use serde_json::json;

use crate::flows::programs::{at_the, fellowship};

#[test]
fn what_a_deletion_takes_with_it() {
    let mut t = at_the(&fellowship(), Role::Owner, "programs");
    t.press("enter").resize(100, 24);
    t.select("Arrival").press("d");
    t.expect_title("Delete stage?").picture("changes-preview");
    t.press("esc");
}

#[test]
fn a_change_and_a_refused_undo() {
    let school = fellowship();
    let mut t = at_the(&school, Role::Owner, "programs");
    t.press("enter").resize(100, 24);
    t.select("Set up").press("e").type_text(" early");
    t.press("ctrl-s y").expect_toast("Saved Set up");
    // Entries of the history change only with this setting.
    school.change(
        "update app.changes set created_at = '2025-03-11 12:40Z' \
         from set_config('app.erasing', 'on', true) where organization_id = $1",
        &[&school.organization.id.0],
    );
    t.seconds(60).press("C enter");
    t.expect_row(row("Title").with("Set up → Set up early"))
        .picture("changes-change");
    let milestones = school.texts(
        "select id::text from learn.milestones where organization_id = $1 and title like 'Set up%'",
        &[&school.organization.id.0],
    );
    let other = json!({ "id": milestones[0], "title": "Move in" });
    school.calls(Role::Owner, Host::Learn, [("update_milestone", other)]);
    t.press("U")
        .expect_row(row("Title").with("Set up early → Move in"))
        .picture("changes-refused");
}
