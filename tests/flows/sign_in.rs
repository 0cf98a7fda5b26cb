//! Signing in.

use frontdesk_protocol::Role;
use frontdesk_server::accounts::{NewAccount, add};
use frontdesk_server::database::Location;
use frontdesk_server::identity::IdentitySettings;
use frontdesk_server::server::Settings;
use frontdesk_tests::builder::PASSWORD;
use frontdesk_tests::code_host::Browser;
use frontdesk_tests::world::identity;
use frontdesk_tests::{
    CodeHost, LAUNCH, Mode, School, at_the_door, desk, row, run, selected, world,
};

#[test]
fn one_signs_in_with_the_wrong_password_then_the_right_one_and_checks_a_guest_in() {
    let school = School::launch();
    let mut t = desk(&school).at_home();
    t.expect_title("Sign in to Frontdesk")
        .expect_head("Nobody is signed in");
    t.text_snapshot("sign_in");

    let email = t.database().email(Role::Staff);
    t.type_text(&email);
    t.press("tab").type_text("not-it");
    t.press("enter")
        .expect_row(row("Address or password is wrong. Try again."));
    t.expect_no("not-it");
    t.text_snapshot("sign_in_wrong");

    t.enter(PASSWORD);
    t.expect_no("Sign in to Frontdesk")
        .expect_row(row("staff at"));
    t.expect_row(selected(LAUNCH).with("2 of 12"));

    t.press("enter").enter("zoe");
    t.expect_banner(&["CHECKED IN", "Zoë Müller"]);
    t.database().guest("Zoë Müller").is_checked_in();
}

#[test]
fn a_password_that_fits_accounts_at_two_organisations_asks_which_one() {
    let school = School::launch();
    let email = school.email(Role::Staff);
    let other = NewAccount {
        email: email.clone(),
        name: String::new(),
        password: PASSWORD.to_owned(),
        organization: format!("Evening School {}", school.organization.id),
        is_new_organization: true,
        role: Role::Teacher,
    };
    run(async {
        let mut owner = world().owner().await;
        add(&mut owner, &other).await.expect("an account")
    });
    let mut t = desk(&school).at_home();
    t.type_text(&email).press("tab").type_text(PASSWORD);
    t.press("enter").expect_row(selected("▸ Organisation"));
    t.text_snapshot("sign_in_organization");
    t.enter(&other.organization);
    t.expect_no("Sign in to Frontdesk")
        .expect_row(row("teacher at Evening School"));
}

#[test]
fn an_account_with_a_second_factor_asks_for_a_code() {
    let school = School::launch();
    let [code, _] = run(school.organization.second_factor(Role::Staff));
    let mut t = desk(&school).at_home();
    t.type_text(&school.email(Role::Staff)).press("tab");
    t.enter(PASSWORD);
    t.expect_row(selected("▸ Code of your authenticator"));
    t.text_snapshot("sign_in_code");
    t.enter("AAAA-BBBB");
    t.expect_row(row("The code is wrong, or was used before."));
    // Typed at once, as by a password manager, it is no scan.
    t.press("ctrl-u").scan(&format!("{code}\r"));
    t.expect_no("Sign in to Frontdesk")
        .expect_row(row("staff at"));
}

#[test]
fn where_an_organisation_requires_a_second_factor_the_card_says_how_to_turn_it_on() {
    let school = School::launch();
    run(school.organization.requires_second_factor());
    let mut t = desk(&school).at_home();
    t.type_text(&school.email(Role::Owner)).press("tab");
    t.enter(PASSWORD);
    t.expect_row(row("Your organisation requires a second factor."));
    t.text_snapshot("sign_in_factor_required");
}

#[test]
fn one_signs_in_through_a_provider_in_a_browser() {
    let school = School::launch();
    let email = school.email(Role::Staff);
    let provider = run(CodeHost::start(&email));
    let settings = Settings {
        identity: IdentitySettings {
            code_host: Some(provider.settings()),
            ..identity()
        },
        ..Settings::local(Location::Memory)
    };
    let server = run(world().server_with(settings));
    let mut t = desk(&school).over(server.url()).at_home();
    t.expect_row(row("ctrl-b signs in with forge, in a browser"));
    // A person without the password can sign in this way, too.
    t.type_text(&email).press("tab");
    t.enter("not-it");
    t.expect_row(row("Address or password is wrong. Try again."))
        .expect_row(row("ctrl-b signs in with forge, in a browser"))
        .press_at_once("ctrl-b")
        .hears("ctrl-y copies the address")
        .press_at_once("ctrl-y");
    let address = t.copied()[0].clone();

    let mut browser = Browser::default();
    let end = run(browser.goes_through(&address));
    let page = run(browser.get(end.as_str()));
    assert_eq!(page.text, "Done. You can close this page.");
    t.settle().expect_toast("Copied the address");
    t.expect_no("Sign in to Frontdesk").expect_head("staff at");
    t.expect_row(selected(LAUNCH).with("2 of 12"));
}

#[test]
fn the_sign_in_card_names_missing_fields() {
    let school = School::launch();
    let mut t = desk(&school).at_home();
    t.press("enter")
        .expect_row(row("Your e-mail address is missing."));
    t.enter("staff@example.org");
    t.expect_no("missing")
        .press("enter")
        .expect_row(row("Your password is missing."));
}

#[test]
fn a_host_that_is_away_at_sign_in_can_be_tried_again_with_one_key() {
    let school = School::launch();
    let mut t = desk(&school).over_a_network().at_home();
    let email = t.database().email(Role::Staff);
    t.type_text(&email).press("tab");
    t.type_text(PASSWORD);
    t.network().go_down();
    t.press("enter").expect_row(row("✗ Host not reachable."));
    t.expect_panel("Sign in to Frontdesk", "enter tries again")
        .text_snapshot("sign_in_host_away");
    t.network().set(Mode::NotJson);
    t.network().come_back();
    t.press("enter")
        .expect_panel("Sign in to Frontdesk", "✗ Unreadable answer.");
    t.network().set(Mode::Pass);
    t.press("enter").expect_no("Sign in to Frontdesk");
    t.press("r").expect_row(selected(LAUNCH));
}

#[test]
fn the_next_person_finds_nothing_of_the_previous_one() {
    let mut t = at_the_door();
    t.enter("zoe");
    t.expect_banner(&["CHECKED IN", "Zoë Müller"]);
    t.run("session.sign_out")
        .expect_panel("Sign out?", "stored here for an outage are deleted")
        .press("y")
        .expect_title("Sign in to Frontdesk");
    t.expect_path("✗ signed out");

    let email = t.database().email(Role::Teacher);
    t.type_text(&email).press("tab");
    t.enter(PASSWORD);
    t.expect_row(row("Today and coming up"))
        .expect_path("· teacher");
    t.open_desk(LAUNCH).expect_head("3 of 12");
    // Neither can they undo the other's check-in.
    assert!(t.cannot_run("guest.undo").contains("none at this desk yet"));
}
