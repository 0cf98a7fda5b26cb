//! Inviting somebody: the link is shown once, copied with one key, and kept nowhere.

use frontdesk_client::Config;
use frontdesk_protocol::Role;
use frontdesk_tests::{Desk, School, row, selected};

/// The last copied link.
fn copied(t: &Desk) -> String {
    t.copied().last().expect("a link").clone()
}

#[test]
fn the_link_of_an_invitation_is_shown_once_and_can_be_renewed() {
    let school = School::launch();
    // Even a history that keeps everything does not have it.
    let keep = "[history]\nkeep = \"all\"\n";
    let config = Config::parse(keep, std::path::Path::new("config.toml")).expect("a configuration");
    let mut t = school.desk(Role::Owner).config(config).at_home();
    t.go_to("invitations");
    t.press("a").expect_head("Role *").expect_head("staff");
    t.type_text("bea@example.org").press("tab");
    // A look at what would happen has no link.
    t.type_text("Bea").press("ctrl-o");
    t.expect_row(row("+ add invitation  Bea"));
    t.expect_no("token=").expect_no("c copies the link.");
    t.press("esc ctrl-s");
    t.expect_toast("Added invitation “Bea”").expect_no("undoes");
    t.expect("For bea@example.org").expect("c copies the link.");
    t.press("c").expect_row(row("✓ Copied the link"));
    let link = copied(&t);
    assert!(link.contains("/auth/v1/invitation?token="), "{link}");
    // It is whole on the screen: beside the code, in several lines.
    let token = link.split("token=").nth(1).expect("a token");
    t.expect_row(row(&token[..20]));
    t.press("esc").expect_no(&token[..20]);

    t.run("app.history").expect_row(selected("invite_staff"));
    t.press("enter").expect_no(&token[..20]);
    t.expect_row(row("bea@example.org"));

    t.press("esc esc").select("Bea").press("space");
    t.select("Renew invitation").press("enter ctrl-s");
    t.expect_toast("Done: Renew invitation “Bea”");
    t.press("c").expect_row(row("✓ Copied the link"));
    assert_ne!(copied(&t), link);
}

#[test]
fn an_owner_issues_a_link_for_a_forgotten_password() {
    let school = School::launch();
    let email = school.email(Role::Teacher);
    let mut t = school.desk(Role::Owner).at_home();
    t.go_to("staff users");
    t.select(&email)
        .press("space")
        .select("Issue password link");
    // The link gives access to the account, so the app asks first.
    t.press("enter ctrl-s").expect("Add 1 password link.");
    t.press("y").expect_toast("Issue password link");
    t.expect_row(row(&format!("For {email}"))).press("c");
    t.expect_row(row("✓ Copied the link"));
    assert!(copied(&t).contains("/auth/v1/password?token="));
    t.press("esc").expect_no("token=");
}
