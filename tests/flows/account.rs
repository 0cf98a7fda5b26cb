//! The signed-in account, and its password.

use frontdesk_protocol::Role;
use frontdesk_tests::builder::PASSWORD;
use frontdesk_tests::{School, run};

#[test]
fn one_sees_the_account_and_changes_its_password() {
    let school = School::launch();
    let email = school.email(Role::Staff);
    let mut t = school.desk(Role::Staff).at_home();
    t.press(":").type_text("account").press("enter");
    t.expect_path("› Account")
        .expect_path(&email)
        .expect_path("staff");
    t.press("p");
    let change = |t: &mut frontdesk_tests::Desk, texts: [&str; 3]| {
        for text in texts {
            t.type_text(text).press("enter");
        }
    };
    change(&mut t, ["not-it", "a new password", "a new passwort"]);
    t.expect("The two new passwords differ.");
    t.type_text("a new password").press("enter");
    t.expect("The current password is wrong.");
    t.expect_no("a new password");
    t.press("esc p");
    change(&mut t, [PASSWORD, "a new password", "a new password"]);
    t.expect_toast("Changed the password");
    let signed_in = run(t.client().sign_in("demo", &email, "a new password"));
    signed_in.expect("signs in with the new password");
}
