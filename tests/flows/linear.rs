//! The app line by line: what a person does and hears who sees no screen.

use frontdesk_client::Config;
use frontdesk_protocol::Role;
use frontdesk_tests::desk::Setup;
use frontdesk_tests::{Desk, LAUNCH, School, desk};

use crate::flows::removal::{LEADERS, SERIES, weekly};

/// The app line by line.
fn linear(setup: Setup) -> Setup {
    let config = Config {
        linear: true,
        ..Config::default()
    };
    setup.config(config).size(200, 24)
}

fn at_home(school: &School, role: Role) -> Desk {
    let mut t = linear(school.desk(role)).at_home();
    t.line(".", &["Home", "Signed in as"]);
    t
}

#[test]
fn a_guest_is_found_at_the_desk_and_checked_in() {
    let school = School::launch();
    let mut t = at_home(&school, Role::Staff);
    t.line("1", &[LAUNCH, "Check-in", "2 of 12", "12 on this desk"]);
    t.line(
        "müller",
        &[
            "1 found",
            "1. ○ not yet, Zoë Müller",
            "On 1. ○ not yet, Zoë Müller",
        ],
    );
    t.line("", &["3 of 12", "✓ CHECKED IN, Zoë Müller"]);
    school.guest("Zoë Müller").is_checked_in();
    // The other guests were read before.
    let guests = t.hear("ctrl-u");
    assert!(guests.contains("UNDONE, Zoë Müller"), "{guests}");
    assert!(!guests.contains("Ulla"), "{guests}");
    school.guest("Zoë Müller").is_not_checked_in();
}

#[test]
fn a_list_is_searched_and_a_row_opened_by_its_number() {
    let school = School::launch();
    let mut t = at_home(&school, Role::Staff);
    t.line(":events", &["What do you want to do?", "1. events"]);
    t.line("", &["Events", "1 event", "1. Launch", "On 1. Launch"]);
    t.line("1", &["Launch", "12 guests", "1. ✓ in 09:34, Ana Souza"]);
    t.line("/zoë", &["1 guest", "On 1. ○ not yet, Zoë Müller"]);
    t.line("1", &["Zoë Müller", "Event, Launch"]);
    // What was read is not read again.
    let back = t.hear("esc");
    assert_eq!(back, "Launch\nOn 1. ○ not yet, Zoë Müller");
    t.line("esc", &["12 guests"]);
    assert_eq!(t.hear("down"), "On 11. ○ not yet, דנה כהן");
    t.line("40", &["Enter a number from 1 to 12"]);
    t.line("Zoë", &["There is no field here."]);
    t.line("?delete", &["d: Delete"]);
}

#[test]
fn a_form_is_filled_in_field_by_field() {
    let school = School::launch();
    let mut t = at_home(&school, Role::Staff);
    t.line("e", &["Events", "1. Launch"]);
    t.line("1 e", &["Edit Launch", "On Name, Launch"]);
    t.line(
        "Open Day",
        &["Name ●, Open Day", "1 changed", "On Business unit"],
    );
    t.line("tab", &["On Description, empty"]);
    // A word that is a key's name is typed after a quotation mark.
    t.line("\"home", &["Description ●, home", "On Location, Main hall"]);
    t.line("tab", &["On Latitude, empty"]);
    t.line("north", &["✗ must be a number", "On Longitude"]);
    t.line("backtab", &["On Latitude ●, north"]);
    t.line("-23.5", &["Latitude ●, -23.5"]);
    t.line(
        "ctrl-s",
        &["Send these changes?", "Name: Launch → Open Day"],
    );
    t.line("y", &["✓ Saved Launch", "Events", "On 1. Open Day"]);
    assert_eq!(school.event("name").as_deref(), Some("Open Day"));
}

#[test]
fn a_series_is_removed_after_its_title_was_typed() {
    let school = weekly();
    let mut t = at_home(&school, Role::Owner);
    t.line("R", &["Series", LEADERS]);
    t.line("1 d", &["Remove Weekly leaders", "2 become meetings"]);
    // Digits choose a policy here.
    t.line("2", &["[2 promote all]"]);
    t.line("1", &["[1 promote those with transcript]"]);
    t.line("down", &["On 2. 2025-03-11"]);
    t.line("a", &["Remove this series of 4 occurrences?", "On "]);
    t.line("", &["✗ type the title first"]);
    t.line(LEADERS, &[LEADERS]);
    t.line("ctrl-y", &["✓ REMOVED"]);
    assert_eq!(school.count(SERIES), 0);
}

#[test]
fn a_password_is_typed_as_it_is() {
    let school = School::launch();
    let mut t = linear(desk(&school)).at_home();
    t.line(".", &["Sign in to Frontdesk", "On E-mail"]);
    t.line("ana@example.org", &["ana@example.org", "On Password"]);
    t.line("? 1 ", &["••••"]);
}
