//! Calls that were made before: made again, recalled, compared, and what of them is on disk.

use std::path::Path;

use frontdesk_client::Config;
use frontdesk_protocol::Role;
use frontdesk_tests::desk::Setup;
use frontdesk_tests::{Desk, desk, row, run, selected};

use crate::launch::{LAUNCH, launch};

/// At the form of a tool.
async fn at_the_form(setup: Setup, tool: &str) -> Desk {
    let mut t = setup.at_home().await;
    t.press("t").await.expect("› Tools");
    t.type_text(tool).await.press("enter").await;
    t.expect(&format!("› {tool}"));
    t
}

/// The configuration with which this much is kept.
fn keeping(keep: &str) -> Config {
    let config = Config::parse(
        &format!("[history]\nkeep = \"{keep}\"\n"),
        Path::new("config.toml"),
    );
    config.expect("is fine")
}

/// All that is kept on disk.
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
    run(async {
        let (organization, _) = launch().await;
        let setup = desk(&organization).signed_in_as(Role::Staff);
        let mut t = at_the_form(setup, "list_events").await;
        t.press("tab tab").await.type_text("5").await;
        t.press("ctrl-s").await.expect_row(selected(LAUNCH));
        t.seconds(90).await.run("app.history").await;
        t.expect_row(selected("09:45").with("✓ done").with("list_events limit=5"))
            .snapshot("history")
            .await;
        t.press("enter").await.expect("Answered: 1 event");
        t.snapshot("history_call").await;
        t.press("esc a").await.expect("› Answer");
        t.expect_row(selected(LAUNCH));
        // It is there twice now; the form of one is filled in as it was.
        t.run("app.history").await.expect("2 calls");
        t.press("e").await.expect_row(row("Limit").with("5"));
    });
}

#[test]
fn people_are_not_on_disk_and_are_asked_for_again() {
    run(async {
        let (organization, event) = launch().await;
        let setup = desk(&organization).signed_in_as(Role::Staff);
        let directory = setup.directory().to_owned();
        let mut t = at_the_form(setup, "create_event_guest").await;
        for (field, text) in [
            ("Event id", event.to_string()),
            ("Name", "Mildred Quux".to_owned()),
            ("Email", "mildred@quux.example".to_owned()),
        ] {
            for _ in 0..12 {
                if !t.screen().contains(&format!("▸ {field} ")) {
                    t.press("tab").await;
                }
            }
            t.type_text(&text).await;
        }
        t.press("ctrl-s").await.expect("Mildred Quux");
        let kept = on_disk(&directory);
        assert!(kept.contains("create_event_guest"), "{kept}");
        assert!(kept.contains(&event.to_string()), "an id is kept: {kept}");
        for word in ["Mildred", "Quux", "quux"] {
            assert!(!kept.contains(word), "{word} is on disk: {kept}");
        }
        // The next day it is still there.
        let mut t = t.crash().at_home().await;
        t.run("app.history").await.press("a").await;
        // A write is not made unseen, and what was not kept is named.
        t.expect("› create_event_guest")
            .expect("Not kept in the history: ")
            .snapshot("history_not_kept")
            .await;
        t.press("esc D").await.expect("Clear the history?");
        t.press("n").await.expect("1 call").press("D y").await;
        t.expect("No tool was called from here yet.");
        assert_eq!(on_disk(&directory), "");
    });
}

#[test]
fn another_account_sees_nothing_of_it() {
    run(async {
        let (organization, _) = launch().await;
        let setup = desk(&organization).signed_in_as(Role::Staff);
        let directory = setup.directory().to_owned();
        let mut t = at_the_form(setup, "list_events").await;
        t.press("ctrl-s").await.expect_row(selected(LAUNCH));
        t.run("app.history").await.expect("1 call");
        // The directory goes with the last who has it.
        let _kept = t.crash();
        std::fs::remove_file(directory.join("credentials.json")).expect("is signed out");
        let setup = desk(&organization)
            .signed_in_as(Role::Owner)
            .in_directory(&directory);
        let mut t = setup.at_home().await;
        t.run("app.history").await;
        t.expect("No tool was called from here yet.");
    });
}

#[test]
fn an_earlier_call_is_recalled_in_the_form() {
    run(async {
        let (organization, _) = launch().await;
        let setup = desk(&organization)
            .signed_in_as(Role::Staff)
            .config(keeping("all"));
        let mut t = at_the_form(setup, "list_events").await;
        t.type_text("nothing like it").await.press("ctrl-s").await;
        t.expect("There are none.").press("esc ctrl-u").await;
        t.seconds(60).await.type_text("launch").await;
        t.press("ctrl-s").await.expect_row(selected(LAUNCH));
        t.press("esc ctrl-r").await;
        t.expect_row(selected("09:46").with("search=launch"))
            .snapshot("history_recall")
            .await;
        t.type_text("nothing").await;
        t.expect_row(selected("09:45").with("search=nothing like it"));
        t.press("enter").await;
        t.expect_row(selected("Search").with("nothing like it"));
        t.press("ctrl-s").await.expect("There are none.");
    });
}

#[test]
fn an_answer_is_compared_with_the_previous_one() {
    run(async {
        let (organization, _) = launch().await;
        let setup = desk(&organization)
            .signed_in_as(Role::Staff)
            .config(keeping("all"));
        let mut t = at_the_form(setup, "list_events").await;
        t.press("ctrl-s").await.expect_row(selected(LAUNCH));
        t.press("=").await;
        t.expect("It was not called with this before.");
        organization.event("Winter Fair").await;
        t.press("esc r").await.expect("Winter Fair");
        t.press("=").await.expect("\"name\": \"Winter Fair\"");
        t.snapshot("history_compare").await;
        // The same from the history, where other calls stand in between.
        t.run("app.history").await;
        t.press("space down c")
            .await
            .expect("\"name\": \"Winter Fair\"");
    });
}

#[test]
fn where_nothing_is_to_be_kept_nothing_is() {
    run(async {
        let (organization, _) = launch().await;
        let setup = desk(&organization)
            .signed_in_as(Role::Staff)
            .config(keeping("off"));
        let directory = setup.directory().to_owned();
        let mut t = at_the_form(setup, "list_events").await;
        t.press("ctrl-s").await.expect_row(selected(LAUNCH));
        t.run("app.history").await.expect("Nothing is kept");
        assert_eq!(on_disk(&directory), "");
    });
}
