//! Guests who are not on the list.

use frontdesk_protocol::Role;
use frontdesk_tests::{Desk, LAUNCH, School, row};

/// The stored role of the guest.
fn role(t: &Desk) -> Option<String> {
    let sql =
        "select role from events.guests where organization_id = $1 and name = 'Quentin Blake'";
    let organization = t.database().organization.id.0;
    t.database().texts(sql, &[&organization]).remove(0)
}

/// Quentin, who is not on the list, is added with a role.
fn after_quentin() -> Desk {
    let mut t = School::launch().desk(Role::Staff).at(LAUNCH);
    t.type_text("Quentin Blake").press("ctrl-a");
    t.expect_path(" Add a guest and check in")
        .expect_no("create_event_guest");
    t.press("down down down")
        .type_text("speaker")
        .press("ctrl-s")
        .expect_banner(&["CHECKED IN", "Quentin Blake"]);
    assert_eq!(role(&t).as_deref(), Some("speaker"));
    t
}

#[test]
fn a_guest_who_arrives_after_all_has_the_role_from_before() {
    let mut t = after_quentin();
    let quentin = t.database().guest("Quentin Blake");
    t.database().changes_guest("Quentin Blake");
    t.press("ctrl-u")
        .expect_banner(&["UNDONE", "Quentin Blake"]);
    assert_eq!(role(&t).as_deref(), Some("added by mistake"));
    t.expect_row(row("Quentin Blake").with("✗ mistake"));
    // Another desk only knows the list.
    let mut other = School::of(&t.database().organization)
        .desk(Role::Owner)
        .size(120, 40)
        .at(LAUNCH);
    other
        .paste(&quentin.id.to_string())
        .expect_banner(&["CHECKED IN", "Quentin Blake"]);
    assert_eq!(role(&other).as_deref(), Some("speaker"));
    other.expect_row(row("Quentin Blake").with("speaker"));
    let tags =
        "select tags from events.guests where name = 'Quentin Blake' and organization_id = $1";
    let organization = t.database().organization.id.0;
    let tags = t.database().texts(tags, &[&organization]).remove(0);
    assert_eq!(tags.as_deref(), Some("{}"));
}

#[test]
fn a_plus_one_is_linked_to_the_guest_whom_they_accompany() {
    let mut t = School::launch().desk(Role::Staff).at(LAUNCH);
    let zoe = t.database().guest("Zoë Müller").id;
    // The selected guest is filled in.
    t.type_text("müller").press("down ctrl-a");
    t.type_text("Quentin Blake")
        .press("ctrl-s")
        .expect_banner(&["CHECKED IN", "Quentin Blake", "guest of Zoë Müller"]);
    assert_eq!(host(&t, "Quentin Blake"), Some(zoe.to_string()));
    t.press("ctrl-g").expect_row(row("Guest of  Zoë Müller"));
    t.press("esc ctrl-a")
        .type_text("Rufus Okoye")
        .press("down down down down")
        .type_text("silva")
        .press("ctrl-s")
        .expect_row(row("can mean João Silva"));
    for _ in 0.."silva".len() {
        t.press("backspace");
    }
    t.type_text("siobhan").press("ctrl-s").expect_banner(&[
        "CHECKED IN",
        "Rufus Okoye",
        "guest of O'Brien, Siobhán",
    ]);
    let siobhan = t.database().guest("O'Brien, Siobhán").id;
    assert_eq!(host(&t, "Rufus Okoye"), Some(siobhan.to_string()));
}

/// The id of the guest whom they accompany, as stored.
fn host(t: &Desk, name: &str) -> Option<String> {
    let sql =
        "select tags ->> 'guest_of' from events.guests where organization_id = $1 and name = $2";
    let organization = t.database().organization.id.0;
    t.database().texts(sql, &[&organization, &name]).remove(0)
}
