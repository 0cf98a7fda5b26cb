//! The first steps of a new organisation, on its owner's Home.

use frontdesk_protocol::Role;
use frontdesk_server::accounts::{NewAccount, add};
use frontdesk_tests::builder::PASSWORD;
use frontdesk_tests::{School, desk, row, run, selected, world};

#[test]
fn a_new_owner_takes_the_first_steps_until_they_are_gone() {
    let school = School::new();
    let account = NewAccount {
        email: format!("ada@{}.test", school.organization.id),
        name: "Ada Lang".to_owned(),
        password: PASSWORD.to_owned(),
        organization: format!("River School {}", school.organization.id),
        is_new_organization: true,
        role: Role::Owner,
    };
    run(async {
        let mut owner = world().owner().await;
        add(&mut owner, &account).await.expect("an account")
    });
    let mut t = desk(&school).at_home();
    t.type_text(&account.email).press("tab");
    t.enter(PASSWORD);
    t.expect_row(row("First steps 5, 1 done"))
        .expect_row(row("✓ Be a member yourself"));

    t.expect_row(selected("Add a business unit"));
    t.press("enter")
        .type_text("Evening courses")
        .press("ctrl-s");
    t.expect_toast("Added business unit")
        .expect_row(row("✓ Add a business unit"));

    t.expect_row(selected("Invite a colleague"));
    t.press("enter").type_text("bea@example.org").press("tab");
    t.type_text("Bea").press("ctrl-s");
    t.expect_toast("Added invitation")
        .expect_row(row("Invite staff"));
    t.press("esc").expect_row(row("✓ Invite a colleague"));

    t.expect_row(selected("Plan the first event"));
    t.press("enter")
        .expect_path("› Add event")
        .type_text("Open Day");
    t.press("down enter")
        .expect_row(selected("Evening courses"));
    t.press("enter")
        .press("tab tab tab tab tab")
        .type_text("tomorrow 18:00–22:00")
        .press("ctrl-s")
        .expect_toast("Added event")
        .expect_row(row("tomorrow 18:00–22:00"));

    t.select("Add its guests")
        .press("enter")
        .expect_row(row("Open Day"));
    t.type_text("Zoë Müller").press("ctrl-s");
    t.expect_toast("Added guest").expect_no("First steps");
    // What is over is not asked for again, and makes nothing older.
    t.seconds(300).expect_no("as of 09:45");
}
