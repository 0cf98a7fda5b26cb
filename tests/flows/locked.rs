//! A desk that opens with the app and is locked: for volunteers, and for screens that guests see.

use frontdesk_client::Config;
use frontdesk_protocol::Role;
use frontdesk_tests::{LAUNCH, PASSWORD, School, Setup, selected};
use serde_json::json;

const KEYS: &str = include_str!("../../docs/keys.md");

/// The commands that work at a locked desk.
const WORK: [&str; 12] = [
    "app.quit",
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
    t.press("ctrl-q").enter("wrong");
    t.expect_toast("The desk stays locked")
        .expect_path("Check-in");
    t.press("ctrl-q").enter(PASSWORD);
    t.expect_no("Find a guest").press("e").expect_path("Events");
}

#[test]
fn at_the_lock_nobody_is_let_in_despite_a_verdict() {
    let school = School::launch();
    let blocked = json!({ "blocked": "unpaid" });
    school.tag(school.guest("Zoë Müller").id, &blocked);
    let mut t = locked(&school).at_home();
    t.search("zoe").press("enter");
    t.expect_banner(&["BLOCKED", "unpaid"]).expect_no("ctrl-d");
    t.press("ctrl-d").read_messages();
    t.expect_no("Why do you let").expect_banner(&["BLOCKED"]);
    school.guest("Zoë Müller").is_not_checked_in();
}

#[test]
fn three_signs_are_no_letters_and_namesakes_show_no_address() {
    let school = School::launch();
    for email in ["one@one.example", "two@two.example"] {
        school.add_guest_with(LAUNCH, "Quentin Blake", "", email);
    }
    let mut t = locked(&school).at_home();
    for signs in ["...", ", , ,", "123"] {
        t.type_text(signs).expect("Type three letters").press("esc");
    }
    t.search("quentin").expect_row(selected("Quentin Blake"));
    t.expect_no("one.example").press("enter");
    t.expect_banner(&["WHICH ONE?"]).expect_no("one.example");
}

#[test]
fn a_lock_needs_no_host_and_holds_where_there_is_no_event() {
    let school = School::launch();
    // The list of the event is on this machine.
    let t = locked(&school).over_a_network().at_home();
    t.network().go_down();
    let mut t = t.crash().at_home();
    t.expect_toast("The host does not say which event");
    t.expect_path("Check-in")
        .expect("Type three letters")
        .expect_no("Zoë");
    t.press("esc alt-h").read_messages();
    t.expect_path("Check-in");
    drop(t);

    let mut config = Config::default();
    config.desk.event = Some("Lunch".to_owned());
    config.desk.locked = true;
    let mut t = school.desk(Role::Staff).config(config).at_home();
    t.expect_toast("There is no event “Lunch”");
    for key in ["enter", "e", "t", "c", ":", "?"] {
        t.press(key).read_messages();
        t.expect_no("Zoë")
            .expect_no("› Events")
            .expect_no("› Check-in");
    }
    t.press("q").type_text("wrong").press("enter");
    t.expect_toast("The desk stays locked");
    t.press("q").type_text(PASSWORD).press("enter");
    t.press("e").expect_path("Events");
}

#[test]
fn a_desk_opens_by_the_id_of_its_event() {
    let school = School::launch();
    let mut config = Config::default();
    config.desk.event = Some(school.event_id(LAUNCH).to_string());
    let mut t = school.desk(Role::Staff).config(config).at_home();
    t.expect_path("Check-in");
}
