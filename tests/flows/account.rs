//! The signed-in account, and its password.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::blocking::world;
use frontdesk_tests::builder::PASSWORD;
use frontdesk_tests::{LAUNCH, School, row, run};
use serde_json::json;

#[test]
fn one_sees_the_account_and_changes_its_password() {
    let school = School::launch();
    let email = school.email(Role::Staff);
    let mut t = school.desk(Role::Staff).at_home();
    t.go_to("account");
    t.expect_path("› Account")
        .expect_path(&email)
        .expect_path("staff");
    t.press("p");
    let change = |t: &mut frontdesk_tests::Desk, texts: [&str; 3]| {
        for text in texts {
            t.enter(text);
        }
    };
    change(&mut t, ["not-it", "a new password", "a new passwort"]);
    t.expect_row(row("The two new passwords differ."));
    t.enter("a new password");
    t.expect_row(row("The current password is wrong."));
    t.expect_no("a new password");
    t.press("esc p");
    change(&mut t, [PASSWORD, "a new password", "a new password"]);
    t.expect_toast("Changed the password");
    let signed_in = run(t.client().sign_in("demo", &email, "a new password"));
    signed_in.expect("signs in with the new password");
}

#[test]
fn who_is_deactivated_reads_why_and_keeps_no_list() {
    let school = School::launch();
    let mut t = school.desk(Role::Teacher).at(LAUNCH);
    let account = school.organization.user(Role::Teacher).to_string();
    let lists = t.directory().join("guests").join(account);
    assert!(lists.exists());
    let deactivate = json!({ "id": school.organization.user(Role::Teacher), "is_active": false });
    school.calls(Role::Owner, Host::Staff, [("set_staff_active", deactivate)]);
    t.seconds(10).expect_title("Sign in to Frontdesk");
    t.expect_panel(
        "Sign in to Frontdesk",
        "The account was deactivated. What was stored here of its lists is removed.",
    );
    assert!(!lists.exists());
    assert!(t.client().last_account().is_none());
    t.press("esc").expect_no("Zoë Müller");
}

#[test]
fn who_is_removed_reads_why() {
    let school = School::launch();
    let mut t = school.desk(Role::Teacher).at_home();
    let remove = json!({ "id": school.organization.user(Role::Teacher) });
    school.calls(Role::Owner, Host::Staff, [("remove_staff_user", remove)]);
    t.press("r").expect_title("Sign in to Frontdesk");
    t.expect_panel("Sign in to Frontdesk", "The account was removed.");
}

#[test]
fn the_state_of_an_account_is_whether_it_is_active_and_is_previewed() {
    let school = School::launch();
    let email = school.email(Role::Teacher);
    let mut t = school.desk(Role::Owner).at_home();
    t.go_to("staff users");
    t.select(&email).press("=");
    t.expect_path("› Preview").expect_row(row("✓ yes → – no"));
    t.press("a y").expect_toast("Done: Set staff active");
    let active = "select is_active, role from staff.users where id = $1";
    let account = school.organization.user(Role::Teacher).0;
    let row = world().owner().query_one(active, &[&account]);
    let row = row.expect("the account");
    assert_eq!((row.get(0), row.get(1)), (false, "teacher"));
}
