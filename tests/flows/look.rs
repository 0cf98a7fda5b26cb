//! The look of the app: Home, small and large terminals, no colours, and malicious text.

use frontdesk_client::Config;
use frontdesk_protocol::Role;
use frontdesk_tests::{LAUNCH, School, at, at_the_door, row, selected};

#[test]
fn home_shows_the_account_the_hosts_and_today_s_events() {
    let school = School::launch();
    school.with_event("Dinner");
    school.add_event_at("Last year's party", at("2024-03-12T13:00:00Z"));
    school.add_event_at("Graduation", at("2025-04-01T13:00:00Z"));
    let mut t = school.desk(Role::Finance).at_home();
    t.expect_row(row("finance at Riverside School"))
        .expect_path("· finance");
    t.expect_row(row("Dinner").with("today 10:00–18:00").with("no guests"));
    t.expect_row(row("Graduation").with("Tue 1 Apr 10:00"));
    t.expect_no("Last year's party");
    t.expect_no("Hosts:").expect_row(row("as of 09:45"));
    t.select(LAUNCH)
        .expect_row(selected(LAUNCH).with("2 of 12"));
    t.snapshot("home");
}

#[test]
fn on_a_small_screen_home_is_the_events() {
    let school = School::launch();
    for name in ["Dinner", "Breakfast", "Lunch", "Supper", "Tea"] {
        school.with_event(name);
    }
    let mut t = school.desk(Role::Staff).size(60, 16).at_home();
    t.expect_row(selected(LAUNCH).with("2 of 12"));
    for name in ["Dinner", "Breakfast", "Lunch", "Supper", "Tea"] {
        t.expect_row(row(name).with("today 10:00–18:00"));
    }
    t.expect_no("Hosts:");
}

#[test]
fn a_theme_that_is_not_there_is_a_warning() {
    let school = School::launch();
    let config = Config {
        theme: Some("night".to_owned()),
        ..Config::default()
    };
    let mut t = school.desk(Role::Staff).config(config).at(LAUNCH);
    t.expect_toast("There is no theme `night`");
    t.expect_head("2 of 12");
}

/// A character that reverses the direction of text.
const HARMFUL: [char; 9] = [
    '\u{202a}', '\u{202b}', '\u{202c}', '\u{202d}', '\u{202e}', '\u{2066}', '\u{2067}', '\u{2068}',
    '\u{2069}',
];

#[test]
fn text_that_means_harm_is_drawn_as_text() {
    let school = School::launch();
    school.add_guests(
        LAUNCH,
        &[
            "Eve\u{1b}[31m Red\u{7}",
            "Mal\u{202e}lory\u{2066}",
            "Two\nLines\tHere",
        ],
    );
    let mut t = school.desk(Role::Staff).at(LAUNCH);
    t.expect_row(row("Eve[31m Red"))
        .expect_row(row("Mallory"))
        .expect_row(row("Two Lines Here"));
    let screen = t.screen();
    let is_harmful = |char: &char| *char != '\n' && (char.is_control() || HARMFUL.contains(char));
    assert_eq!(screen.chars().find(is_harmful), None);
    t.enter("eve").expect_banner(&["CHECKED IN", "Eve[31m Red"]);
    assert_eq!(t.screen().chars().find(is_harmful), None);
    t.text_snapshot("harmful_names");
}

#[test]
fn a_terminal_that_is_too_small_says_so_and_loses_nothing() {
    let mut t = at_the_door();
    t.type_text("zoe").resize(59, 16);
    t.expect_row(row("Frontdesk needs 60x16; this is 59x16."))
        .snapshot_as_it_is("too_small");
    t.resize(60, 15)
        .expect_row(row("Frontdesk needs 60x16; this is 60x15."));
    t.resize(60, 16).expect_row(selected("Zoë Müller"));
    t.snapshot_as_it_is("desk_60x16");
    t.resize(1, 1)
        .resize(200, 60)
        .expect_row(selected("Zoë Müller"));
    t.press("enter")
        .expect_banner(&["CHECKED IN", "Zoë Müller"]);
}

#[test]
fn the_help_shows_the_keys_of_the_screen() {
    let mut t = at_the_door();
    t.press("?")
        .expect_row(row("Next guest"))
        .expect_no("Undo a check-in");
    t.snapshot("help");
    // A search also finds what does not work now, with the reason.
    t.type_text("undo a check")
        .expect_row(row("ctrl-u").with("Undo a check-in (none at this desk yet)"))
        .expect_no("Next guest");
    t.press("ctrl-u esc")
        .expect_title("12 on this desk ✓")
        .expect_no("Next guest");
}

#[test]
fn the_palette_finds_a_command_by_its_name_and_runs_it() {
    let mut t = at_the_door();
    t.enter("zoe").expect_banner(&["CHECKED IN"]);
    t.press(":").type_text("undo");
    t.expect_row(selected("Undo a check-in").with("ctrl-u"));
    t.press("enter").expect_banner(&["UNDONE", "Zoë Müller"]);
    t.database().guest("Zoë Müller").is_not_checked_in();

    t.press(":")
        .type_text("undo")
        .expect_row(selected("(none at this desk yet)"));
    t.text_snapshot("palette");
    t.press("esc").expect_title("12 on this desk ✓");
}

#[test]
fn without_colours_the_selection_still_shows() {
    let mut t = School::launch().desk(Role::Staff).no_color().at(LAUNCH);
    t.type_text("an").press("down");
    let styled = t.styled();
    assert!(styled.contains("REVERSED"));
    for line in styled.lines().filter(|line| line.contains("fg: ")) {
        assert!(line.contains("fg: Reset, bg: Reset"), "{line}");
    }
}

#[test]
fn the_desk_fits_into_large_terminals() {
    let mut t = School::launch().desk(Role::Staff).size(200, 60).at(LAUNCH);
    t.enter("zoe").expect_banner(&["CHECKED IN", "Zoë Müller"]);
    t.snapshot_as_it_is("desk_200x60");
}

#[test]
fn a_letter_right_behind_esc_begins_the_next_name() {
    let mut t = at_the_door();
    t.type_text("ull").press("alt-z").type_text("oe");
    t.expect("│ zoe ").expect_row(selected("Zoë Müller"));
    // The same in the form of a new guest, which asks before it discards the input.
    t.press("ctrl-a").type_text("x").press("alt-y");
    t.expect_title("Discard changes?").press("esc");
    t.press("esc y").expect("│ zoe ");
}

#[test]
fn a_mark_without_a_letter_is_put_on_no_other_cell() {
    let school = School::launch();
    school.add_guests(LAUNCH, &["\u{301}\u{308}Mark"]);
    let mut t = school.desk(Role::Staff).at(LAUNCH);
    t.expect_row(row("Mark")).expect_no("\u{301}");
}

#[test]
fn a_question_mark_is_a_letter_once_one_types() {
    let mut t = at_the_door();
    t.type_text("zoe?:")
        .expect("│ zoe?: ")
        .expect_title(" 1 found ");
}
