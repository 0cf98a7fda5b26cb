//! Quick hands: few keys for what happens at each door, and remarks about guests.

use frontdesk_protocol::Role;
use frontdesk_tests::{Desk, LAUNCH, School, at_the_door, row};
use serde_json::json;

#[test]
fn a_party_of_six_is_in_with_ten_keys() {
    let school = School::new().with_crowd("Concert", 40);
    let party = ["Ana", "Bo", "Cleo", "Davi", "Eva", "Finn"];
    let names = party.map(|name| format!("{name} Sousa"));
    school.add_guests("Concert", &names.each_ref().map(String::as_str));
    let mut t = school.desk(Role::Staff).at("Concert");
    t.type_text("sous")
        .press("ctrl-f ctrl-f ctrl-f ctrl-f ctrl-f ctrl-f");
    t.expect_banner(&["CHECKED IN", "Finn Sousa"]);
    for name in &names {
        school.guest(name).is_checked_in();
    }
    assert_eq!(school.here(), 6);
}

#[test]
fn an_earlier_check_in_is_undone_with_five_keys() {
    let mut t = at_the_door();
    for name in ["zoe", "ulla", "asa"] {
        t.enter(name);
    }
    t.seconds(5).type_text("zoe").press("down ctrl-u");
    t.expect_banner(&["UNDONE", "Zoë Müller"]);
    t.database().guest("Zoë Müller").is_not_checked_in();
    assert_eq!(t.database().here(), 4);
}

#[test]
fn the_guest_who_has_just_come_is_opened_by_a_key() {
    let mut t = at_the_door();
    t.enter("zoe").press("ctrl-g").expect_path("Zoë Müller");
}

/// The desk, after Zoë has got these tags.
fn with_tags(role: Role, tags: serde_json::Value) -> Desk {
    let school = School::launch();
    school.tag(school.guest("Zoë Müller").id, &tags);
    school.desk(role).at(LAUNCH)
}

#[test]
fn a_remark_about_a_guest_is_in_the_verdict_and_rings_twice() {
    let mut t = with_tags(Role::Staff, json!({ "alert": "needs ID", "note": "VIP" }));
    t.enter("zoe")
        .expect_banner(&["! CHECKED IN", "Zoë Müller", "needs ID · VIP"]);
    assert_eq!(t.rings(), 2);
    t.database().guest("Zoë Müller").is_checked_in();
}

#[test]
fn a_blocked_guest_comes_in_only_for_a_reason_that_is_kept() {
    let mut t = with_tags(Role::Staff, json!({ "blocked": "unpaid", "seat": "4C" }));
    let zoe = t.database().guest("Zoë Müller");
    t.scan(&format!("{}\r", zoe.id)).expect_banner(&[
        "✗ BLOCKED",
        "Zoë Müller",
        "unpaid · ctrl-d lets in for a reason",
    ]);
    assert_eq!(t.rings(), 3);
    t.enter("zoe").expect_banner(&["✗ BLOCKED"]);
    t.database().guest("Zoë Müller").is_not_checked_in();
    t.press("ctrl-d enter")
        .expect_row(row("✗ a reason is required"));
    t.enter("paid in cash")
        .expect_banner(&["CHECKED IN", "Zoë Müller", "unpaid"]);
    t.database().guest("Zoë Müller").is_checked_in();
    let sql =
        "select tags::text from events.guests where name = 'Zoë Müller' and organization_id = $1";
    let tags = t.database().texts(sql, &[&t.database().organization.id.0]);
    let tags = tags[0].as_deref().expect("tags");
    let tags: serde_json::Value = serde_json::from_str(tags).expect("JSON");
    assert_eq!(
        tags,
        json!({ "blocked": "unpaid", "seat": "4C", "admitted_because": "paid in cash" })
    );
}

#[test]
fn a_teacher_cannot_check_in_a_blocked_guest() {
    let mut t = with_tags(Role::Teacher, json!({ "blocked": true }));
    t.enter("zoe").expect_banner(&["✗ BLOCKED"]);
    let why = t.cannot_run("guest.admit");
    assert!(
        why.contains("your role cannot let in whom the rules keep out"),
        "{why}"
    );
    t.press("ctrl-g");
    let why = t.cannot_run("guest.check_in_this");
    assert!(why.contains("blocked"), "{why}");
}

#[test]
fn pasted_lines_become_one_line_in_a_field_of_one_line_which_says_so() {
    let mut t = at_the_door();
    t.paste("Zoë\nMüller\n")
        .expect("│ Zoë Müller")
        .expect_toast("The pasted lines are one line, with spaces between them");
}

#[test]
fn enter_goes_through_the_form_of_a_walk_in_and_saves_it() {
    let mut t = at_the_door();
    t.type_text("Quentin Blake").press("ctrl-a");
    t.expect_keys("ctrl-s save").expect_no("null");
    t.press("enter")
        .enter("q@example.org")
        .press("enter")
        .enter("speaker")
        .press("enter")
        .expect_banner(&["CHECKED IN", "Quentin Blake"]);
    t.database().guest("Quentin Blake").is_checked_in();
}

#[test]
fn a_name_is_not_cut_where_it_differs_from_its_neighbour() {
    let school = School::new().with_event("Dinner");
    let names = ["Albuquerque", "Bittencourt"].map(|last| format!("Maria da Conceição {last}"));
    school.add_guests("Dinner", &names.each_ref().map(String::as_str));
    let mut t = school.desk(Role::Staff).at("Dinner");
    t.expect_rows([row("Conceição Alb"), row("Conceição Bit")]);
}
