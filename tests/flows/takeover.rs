//! A desk whose account is gone: what was scanned is kept, and another account of the organisation delivers it.

use frontdesk_client::paths;
use frontdesk_protocol::{Host, Role};
use frontdesk_tests::builder::PASSWORD;
use frontdesk_tests::{Desk, LAUNCH, Mode, NOW, School};
use serde_json::json;

/// An owner deactivates the account of the staff.
fn is_deactivated(t: &Desk) {
    let school = t.database();
    let account = school.organization.user(Role::Staff);
    let deactivate = json!({ "id": account, "is_active": false });
    school.calls(Role::Owner, Host::Staff, [("set_staff_active", deactivate)]);
}

/// Somebody signs in at the card.
fn signs_in(t: &mut Desk, role: Role) {
    let email = t.database().email(role);
    t.type_text(&email).press("tab");
    t.enter(PASSWORD);
}

#[test]
fn the_scans_of_a_deactivated_account_are_kept_and_delivered_by_another_one() {
    let school = School::launch();
    school.give_ticket("Zoë Müller", "TX-1");
    school.give_ticket("Ulla Lindqvist", "TX-2");
    let mut t = school.desk(Role::Staff).at(LAUNCH);
    is_deactivated(&t);
    // The host says so when this one is delivered.
    t.scan("TX-1\r").expect_title("Sign in to Frontdesk");
    assert_eq!(t.on_disk().len(), 1);
    // The list is gone with the account: what the card's field is given could be a password, and stays there.
    t.scan("TX-2\r").expect("Your e-mail address is missing.");
    assert_eq!(t.on_disk().len(), 1);
    t.press("esc")
        .scan("TX-2\r")
        .expect_banner(&["NOT ASKED", "TX-2", "saved here"])
        .expect_no("Ulla");
    assert_eq!(t.on_disk().len(), 2);
    let staff = t.database().email(Role::Staff);
    // Nor does a crash lose them.
    let mut t = t.crash().signed_in_as(Role::Admin).at_home();
    t.expect_toast("2 check-ins from before, still to be delivered");
    t.expect_panel("Take over 2 check-ins?", &staff)
        .press("y")
        .expect_toast("“TX-2” is the ticket of Ulla Lindqvist, who is in now")
        .expect_toast("2 waiting check-ins delivered");
    t.database().guest("Zoë Müller").came_at(NOW);
    t.database().guest("Ulla Lindqvist").is_checked_in();
    let organization = t.database().organization;
    let both = "select distinct concat_ws(' for ', account_id, made_by) from app.changes \
         where organization_id = $1 and tool = 'check_in_guest'";
    let both = t.database().texts(both, &[&organization.id.0]);
    let [admin, staff] = [Role::Admin, Role::Staff].map(|role| organization.user(role));
    assert_eq!(both, [Some(format!("{admin} for {staff}"))]);
    assert!(t.on_disk().is_empty());
}

#[test]
fn a_walk_in_that_the_account_before_may_have_added_is_not_added_twice() {
    let mut t = School::launch()
        .desk(Role::Staff)
        .over_a_network()
        .at(LAUNCH);
    t.network()
        .set_for("create_event_guest", Mode::CutAfterRequest);
    t.type_text("Quentin Blake")
        .press("ctrl-a ctrl-s")
        .expect_banner(&["WAITING", "Quentin Blake"]);
    t.network().set(Mode::Pass);
    t.network().go_down();
    assert_eq!(t.database().guests(), 13);
    let setup = t.crash();
    setup.network().come_back();
    std::fs::remove_file(paths::credentials_file(setup.directory())).expect("nobody is signed in");
    let mut t = setup.signed_in_as(Role::Admin).at(LAUNCH);
    t.expect_toast("1 check-in from before, still to be delivered")
        .expect_title("Take over 1 check-in?")
        .press("y")
        .expect_toast("Quentin Blake may be on the list")
        .press("ctrl-t enter")
        .expect_banner(&["CHECKED IN", "Quentin Blake"]);
    assert_eq!(t.database().guests(), 13);
}

#[test]
fn what_is_scanned_after_signing_out_is_kept() {
    let school = School::launch();
    school.give_ticket("Zoë Müller", "TX-1");
    let mut t = school.desk(Role::Staff).at(LAUNCH);
    t.run("session.sign_out").press("y");
    t.scan("TX-1\r")
        .expect_toast("Code scanned; the desk shows the result");
    assert_eq!(t.on_disk().len(), 1);
    signs_in(&mut t, Role::Staff);
    t.expect_toast("1 waiting check-in delivered");
    t.database().guest("Zoë Müller").came_at(NOW);
}

#[test]
fn check_ins_that_are_not_taken_over_wait() {
    let school = School::launch();
    let setup = school.desk(Role::Staff).over_a_network();
    let mut t = setup.at(LAUNCH);
    t.network().go_down();
    t.enter("zoe").expect_banner(&["WAITING"]);
    t.type_text("Quentin Blake")
        .press("ctrl-a ctrl-s")
        .expect_banner(&["WAITING", "Quentin Blake"]);
    t.network().come_back();
    is_deactivated(&t);
    t.seconds(10).expect_title("Sign in to Frontdesk");
    // A teacher may not add guests: that one waits for somebody who may.
    signs_in(&mut t, Role::Teacher);
    t.expect_panel("Take over 1 check-in?", "1 check-in of")
        .press("y")
        .seconds(10);
    t.database().guest("Zoë Müller").came_at(NOW);
    assert_eq!(t.on_disk().len(), 1);
    let mut t = t.crash().at_home();
    t.expect_toast("1 check-in from before, still to be delivered");
    t.run("session.sign_out").press("y");
    signs_in(&mut t, Role::Admin);
    t.expect_title("Take over 1 check-in?")
        .press("n")
        .seconds(60);
    assert_eq!(t.on_disk().len(), 1);
    assert_eq!(t.database().guests(), 12);
}
