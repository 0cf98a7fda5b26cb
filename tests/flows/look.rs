//! What the app looks like: at home, small, large, without colours, and with text that means harm.

use frontdesk_client::Config;
use frontdesk_protocol::Role;
use frontdesk_tests::{desk, row, run, selected, world};

use crate::launch::{LAUNCH, at, event_today, launch};

#[test]
fn home_shows_who_one_is_the_hosts_and_what_is_on_today() {
    run(async {
        let (organization, _) = launch().await;
        event_today(&organization, "Dinner").await;
        let past = organization.event("Last year's party").await;
        let coming = organization.event("Graduation").await;
        for (event, start) in [
            (past, "2024-03-12T13:00:00Z"),
            (coming, "2025-04-01T13:00:00Z"),
        ] {
            world()
                .owner()
                .await
                .execute(
                    "update events.events set start_at = $2 where id = $1",
                    &[&event.0, &at(start)],
                )
                .await
                .expect("a time");
        }
        let mut t = desk(&organization)
            .signed_in_as(Role::Finance)
            .at_home()
            .await;
        t.expect("finance at Riverside School").expect("· finance");
        t.expect_row(row("Dinner").with("today 10:00–18:00").with("no guests"));
        t.expect_row(row("Graduation").with("Tue 1 Apr 10:00"));
        t.expect_no("Last year's party");
        t.expect("✓ Events ok")
            .expect("✓ Staff management ok")
            .expect("✓ Skills ok");
        t.select(LAUNCH)
            .await
            .expect_row(selected(LAUNCH).with("2 of 12"));
        t.snapshot("home").await;
    });
}

#[test]
fn on_a_small_screen_home_is_the_events() {
    run(async {
        let (organization, _) = launch().await;
        for name in ["Dinner", "Breakfast", "Lunch", "Supper", "Tea"] {
            event_today(&organization, name).await;
        }
        let mut t = desk(&organization)
            .signed_in_as(Role::Staff)
            .size(60, 16)
            .at_home()
            .await;
        t.expect_row(selected(LAUNCH).with("2 of 12"));
        for name in ["Dinner", "Breakfast", "Lunch", "Supper", "Tea"] {
            t.expect_row(row(name).with("today 10:00–18:00"));
        }
        t.expect("Hosts: ✓ 15 ok");
    });
}

#[test]
fn a_theme_that_is_not_there_is_a_warning() {
    run(async {
        let (organization, _) = launch().await;
        let config = Config {
            theme: Some("night".to_owned()),
            ..Config::default()
        };
        let mut t = desk(&organization)
            .signed_in_as(Role::Staff)
            .config(config)
            .at(LAUNCH)
            .await;
        t.expect_toast("There is no theme `night`");
        t.expect("2 of 12");
    });
}

/// What turns the direction of text around.
const HARMFUL: [char; 9] = [
    '\u{202a}', '\u{202b}', '\u{202c}', '\u{202d}', '\u{202e}', '\u{2066}', '\u{2067}', '\u{2068}',
    '\u{2069}',
];

#[test]
fn text_that_means_harm_is_drawn_as_text() {
    run(async {
        let (organization, event) = launch().await;
        organization
            .guests(
                event,
                &[
                    "Eve\u{1b}[31m Red\u{7}",
                    "Mal\u{202e}lory\u{2066}",
                    "Two\nLines\tHere",
                ],
            )
            .await;
        let mut t = desk(&organization)
            .signed_in_as(Role::Staff)
            .at(LAUNCH)
            .await;
        t.expect_row(row("Eve[31m Red"))
            .expect_row(row("Mallory"))
            .expect_row(row("Two Lines Here"));
        let screen = t.screen();
        let is_harmful =
            |char: &char| *char != '\n' && (char.is_control() || HARMFUL.contains(char));
        assert_eq!(screen.chars().find(is_harmful), None);
        t.type_text("eve")
            .await
            .press("enter")
            .await
            .expect_banner(&["CHECKED IN", "Eve[31m Red"]);
        assert_eq!(t.screen().chars().find(is_harmful), None);
        t.snapshot("harmful_names").await;
    });
}

#[test]
fn a_terminal_that_is_too_small_says_so_and_loses_nothing() {
    run(async {
        let (organization, _) = launch().await;
        let mut t = desk(&organization)
            .signed_in_as(Role::Staff)
            .at(LAUNCH)
            .await;
        t.type_text("zo").await.resize(59, 16).await;
        t.expect("Frontdesk needs 60x16; this is 59x16.")
            .snapshot_as_it_is("too_small")
            .await;
        t.resize(60, 15)
            .await
            .expect("Frontdesk needs 60x16; this is 60x15.");
        t.resize(60, 16).await.expect_row(selected("Zoë Müller"));
        t.snapshot_as_it_is("desk_60x16").await;
        t.resize(1, 1)
            .await
            .resize(200, 60)
            .await
            .expect_row(selected("Zoë Müller"));
        t.press("enter")
            .await
            .expect_banner(&["CHECKED IN", "Zoë Müller"]);
    });
}

#[test]
fn the_help_shows_the_keys_of_the_screen() {
    run(async {
        let (organization, _) = launch().await;
        let mut t = desk(&organization)
            .signed_in_as(Role::Staff)
            .at(LAUNCH)
            .await;
        t.press("?")
            .await
            .expect("Undo the last check-in")
            .expect("ctrl-u");
        t.snapshot("help").await;
        t.press("esc")
            .await
            .expect("12 guests")
            .expect_no("Next guest");
    });
}

#[test]
fn the_palette_finds_a_command_by_its_name_and_runs_it() {
    run(async {
        let (organization, _) = launch().await;
        let mut t = desk(&organization)
            .signed_in_as(Role::Staff)
            .at(LAUNCH)
            .await;
        t.type_text("zoe")
            .await
            .press("enter")
            .await
            .expect_banner(&["CHECKED IN"]);
        t.press(":").await.type_text("undo").await;
        t.expect_row(selected("Undo the last check-in").with("ctrl-u"));
        t.press("enter")
            .await
            .expect_banner(&["UNDONE", "Zoë Müller"]);
        t.database().guest("Zoë Müller").await.is_not_checked_in();

        t.press(":")
            .await
            .type_text("undo")
            .await
            .expect("(there is none at this desk)");
        t.snapshot("palette").await;
        t.press("esc").await.expect("12 guests");
    });
}

#[test]
fn without_colours_the_selection_still_shows() {
    run(async {
        let (organization, _) = launch().await;
        let setup = desk(&organization).signed_in_as(Role::Staff).no_color();
        let mut t = setup.at(LAUNCH).await;
        t.type_text("an").await.press("down").await;
        let styled = t.styled();
        assert!(styled.contains("REVERSED"));
        for line in styled.lines().filter(|line| line.contains("fg: ")) {
            assert!(line.contains("fg: Reset, bg: Reset"), "{line}");
        }
        t.styled_snapshot("no_color_styled").await;
    });
}

#[test]
fn the_desk_fits_into_large_terminals() {
    run(async {
        let (organization, _) = launch().await;
        let setup = desk(&organization).signed_in_as(Role::Staff).size(200, 60);
        let mut t = setup.at(LAUNCH).await;
        t.type_text("zoe")
            .await
            .press("enter")
            .await
            .expect_banner(&["CHECKED IN", "Zoë Müller"]);
        t.snapshot_as_it_is("desk_200x60").await;
    });
}

#[test]
fn a_question_mark_is_a_letter_once_one_types() {
    run(async {
        let (organization, _) = launch().await;
        let mut t = desk(&organization)
            .signed_in_as(Role::Staff)
            .at(LAUNCH)
            .await;
        t.type_text("zoe?:")
            .await
            .expect("│ zoe?: ")
            .expect(" 0 found ");
    });
}
