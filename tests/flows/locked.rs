//! A desk that opens with the app and is locked: for volunteers, and for screens that guests see.

use frontdesk_client::Config;
use frontdesk_protocol::Role;
use frontdesk_tests::{LAUNCH, PASSWORD, School, Setup, selected};

const KEYS: &str = include_str!("../../docs/keys.md");

/// The commands that work at a locked desk.
const WORK: [&str; 12] = [
    "guest.admit",
    "guest.badge",
    "guest.check_in",
    "guest.check_in_next",
    "guest.clear",
    "guest.leave",
    "guest.next",
    "guest.out",
    "guest.page_down",
    "guest.page_up",
    "guest.previous",
    "guest.undo",
];

fn locked(school: &School) -> Setup {
    let mut config = Config::default();
    config.desk.event = Some(LAUNCH.to_lowercase());
    config.desk.locked = true;
    school.desk(Role::Staff).config(config)
}

#[test]
fn a_locked_desk_shows_names_after_three_letters_and_checks_in() {
    let school = School::launch();
    let mut t = locked(&school).at_home();
    t.expect_path("Check-in")
        .expect("Type three letters")
        .expect_no("Zoë");
    t.type_text("zo")
        .expect("Type three letters")
        .expect_no("Zoë");
    t.press("enter").expect_toast("at least three letters");
    school.guest("Zoë Müller").is_not_checked_in();
    t.expect_keys("check in")
        .expect_no("help")
        .expect_no("ctrl-a add");
    t.search("zoe")
        .expect_row(selected("Zoë Müller"))
        .press("enter");
    t.expect_banner(&["✓ CHECKED IN", "Zoë Müller"])
        .expect("Type three letters");
    school.guest("Zoë Müller").is_checked_in();
}

#[test]
fn nothing_but_the_desk_works_until_the_password_is_given() {
    let school = School::launch();
    let mut t = locked(&school).at_home();
    let ids = KEYS.lines().filter_map(|line| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let ids = cells
            .iter()
            .filter_map(|cell| cell.strip_prefix('`')?.strip_suffix('`'));
        ids.into_iter()
            .find(|id| id.contains('.') && !id.contains(' '))
            .map(str::to_owned)
    });
    let ids: Vec<String> = ids.filter(|id| !WORK.contains(&id.as_str())).collect();
    assert!(ids.len() > 100, "{ids:?}");
    for id in &ids {
        let why = t.cannot_run(id);
        let is_refused = why.contains("locked") || why.contains("only in");
        assert!(is_refused, "{id}: {why}");
    }
    t.press("esc alt-h").expect_path("Check-in").read_messages();
    t.press("ctrl-q").type_text("wrong").press("enter");
    t.expect_toast("The desk stays locked")
        .expect_path("Check-in");
    t.press("ctrl-q").type_text(PASSWORD).press("enter");
    t.expect_no("Find a guest").press("e").expect_path("Events");
}
