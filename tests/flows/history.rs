//! The history: repeating, loading and comparing calls, and what is stored.

use std::path::Path;

use frontdesk_client::Config;
use frontdesk_protocol::Role;
use frontdesk_tests::desk::Setup;
use frontdesk_tests::{Desk, LAUNCH, School, row, selected};

/// Opens the form of a tool.
fn at_the_form(setup: Setup, tool: &str) -> Desk {
    let mut t = setup.at_home();
    t.press("t /").expect_path("› Tools");
    t.enter(tool);
    t.expect_path(&format!("› {tool}"));
    t
}

/// A configuration with this setting of `history.keep`.
fn keeping(keep: &str) -> Config {
    let config = Config::parse(
        &format!("[history]\nkeep = \"{keep}\"\n"),
        Path::new("config.toml"),
    );
    config.expect("is fine")
}

/// The history on disk.
fn on_disk(directory: &Path) -> String {
    let Ok(files) = std::fs::read_dir(directory.join("history")) else {
        return String::new();
    };
    files
        .map(|file| std::fs::read_to_string(file.expect("a file").path()).expect("text"))
        .collect()
}

#[test]
fn a_call_is_found_again_and_made_again() {
    let mut t = at_the_form(School::launch().desk(Role::Staff), "list_events");
    t.press("tab tab").type_text("5");
    t.press("ctrl-s").expect_row(selected(LAUNCH));
    t.seconds(90).run("app.history");
    t.expect_row(selected("09:45").with("✓ done").with("list_events limit=5"))
        .text_snapshot("history");
    t.press("enter").expect_row(row("Answered: 1 event"));
    t.text_snapshot("history_call");
    t.press("esc a").expect_path("› Answer");
    t.expect_row(selected(LAUNCH));
    // It is there twice now; the form gets the values of the call.
    t.run("app.history").expect_title("2 calls");
    t.press("e").expect_row(row("Limit").with("5"));
}

#[test]
fn arguments_are_filled_in_again_in_full_and_results_keep_no_texts() {
    let school = School::launch();
    let setup = school.desk(Role::Staff);
    let directory = setup.directory().to_owned();
    let mut t = at_the_form(setup, "create_event_guest");
    for (field, text) in [
        ("Event", school.event_id(LAUNCH).to_string()),
        ("Name", "Mildred Quux".to_owned()),
        ("Email", "mildred@quux.example".to_owned()),
    ] {
        for _ in 0..12 {
            if !t.screen().contains(&format!("▸ {field} ")) {
                t.press("tab");
            }
        }
        t.type_text(&text);
    }
    t.press("ctrl-s").expect_row(selected("Mildred Quux"));
    let kept = on_disk(&directory);
    assert!(kept.contains("create_event_guest"), "{kept}");
    let number = |word: &str| kept.matches(word).count();
    assert_eq!(
        (number("Mildred Quux"), number("mildred@quux")),
        (1, 1),
        "{kept}"
    );
    // The next day it is still there.
    let mut t = t.crash().at_home();
    t.run("app.history").press("a");
    // A write is shown before it is made, with its values.
    t.expect_path("› create_event_guest")
        .expect_row(row("Name").with("Mildred Quux"))
        .expect_row(row("Email").with("mildred@quux.example"))
        .expect_no("Not kept in the history");
    t.press("esc D").expect_title("Clear the history?");
    t.press("n").expect_title("1 call").press("D y");
    t.expect_row(row("No calls yet"));
    assert_eq!(on_disk(&directory), "");
}

#[test]
fn another_account_sees_nothing_of_it() {
    let school = School::launch();
    let setup = school.desk(Role::Staff);
    let directory = setup.directory().to_owned();
    let mut t = at_the_form(setup, "list_events");
    t.press("ctrl-s").expect_row(selected(LAUNCH));
    t.run("app.history").expect_title("1 call");
    // Keeps the directory.
    let _kept = t.crash();
    std::fs::remove_file(directory.join("credentials.json")).expect("is signed out");
    let mut t = school.desk(Role::Owner).in_directory(&directory).at_home();
    t.run("app.history");
    t.expect_row(row("No calls yet"));
}

#[test]
fn an_earlier_call_is_recalled_in_the_form() {
    let setup = School::launch().desk(Role::Staff).config(keeping("all"));
    let mut t = at_the_form(setup, "list_events");
    t.type_text("nothing like it").press("ctrl-s");
    t.expect_row(row("No records")).press("esc ctrl-u");
    t.seconds(60).type_text("launch");
    t.press("ctrl-s").expect_row(selected(LAUNCH));
    t.press("esc ctrl-r");
    t.expect_row(selected("09:46").with("search=launch"))
        .text_snapshot("history_recall");
    t.type_text("nothing");
    t.expect_row(selected("09:45").with("search=nothing like it"));
    t.press("enter");
    t.expect_row(selected("Search").with("nothing like it"));
    t.press("ctrl-s").expect_row(row("No records"));
}

#[test]
fn an_answer_is_compared_with_the_previous_one() {
    let setup = School::launch().desk(Role::Staff).config(keeping("all"));
    let mut t = at_the_form(setup, "list_events");
    t.press("ctrl-s").expect_row(selected(LAUNCH));
    t.press("=");
    t.expect_row(row("No earlier call has these arguments."));
    t.database().add_event("Winter Fair");
    t.press("esc r").expect_row(row("Winter Fair"));
    t.press("=").expect_row(row("\"name\": \"Winter Fair\""));
    t.text_snapshot("history_compare");
    // The same from the history, with other calls in between.
    t.run("app.history");
    let unmarked = t.cannot_run("history.compare");
    assert!(unmarked.contains("mark the other call first"), "{unmarked}");
    t.press("space down c")
        .expect_row(row("\"name\": \"Winter Fair\""));
}

#[test]
fn where_nothing_is_to_be_kept_nothing_is() {
    let school = School::launch();
    let setup = school.desk(Role::Staff).config(keeping("off"));
    let directory = setup.directory().to_owned();
    let mut t = at_the_form(setup, "list_events");
    t.press("ctrl-s").expect_row(selected(LAUNCH));
    t.press("esc").press("ctrl-r");
    t.expect_panel("Earlier inputs of list_events", "The history is off");
    t.press("esc");
    t.run("app.history").expect_row(row("The history is off"));
    assert_eq!(on_disk(&directory), "");
}
