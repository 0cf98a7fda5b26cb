//! A server that is no host of the service: its tools beside those of the hosts, how far it is, what
//! it writes into its log, and how it is told to stop.

use frontdesk_protocol::Role;
use frontdesk_tests::{Desk, Foreign, desk, run, selected};

use crate::launch::school;

/// At the list of tools, with a server called `notes` in the configuration.
async fn at_the_tools(foreign: &Foreign) -> Desk {
    let organization = school().await;
    let setup = desk(&organization).signed_in_as(Role::Staff);
    let mut t = setup.config(foreign.config()).at_home().await;
    t.press("t").await.expect("› Tools");
    t
}

/// At the form of one of its tools.
async fn at_the_form(foreign: &Foreign, tool: &str) -> Desk {
    let mut t = at_the_tools(foreign).await;
    t.type_text(&format!("notes {tool}")).await;
    t.expect_row(selected(&format!("notes {tool}")));
    t.press("enter").await.expect(&format!("› {tool}"));
    t
}

#[test]
fn its_tools_stand_beside_those_of_the_hosts() {
    run(async {
        let foreign = Foreign::start().await;
        let mut t = at_the_tools(&foreign).await;
        t.type_text("notes").await;
        t.expect_row(selected("notes list_notes"))
            .snapshot("foreign_tools")
            .await;
        t.press("enter ctrl-s").await;
        t.expect_row(selected("Buy chairs"))
            .snapshot("foreign_table")
            .await;
        t.press("Y")
            .await
            .expect_toast("Copied as a command line, if your terminal lets programs copy");
        assert_eq!(
            t.copied().last().expect("a line"),
            "frontdesk call notes list_notes"
        );
        // And in the palette.
        t.press("esc esc esc esc :").await;
        t.type_text("notes write_note").await;
        t.expect_row(selected("notes write_note"));
    });
}

#[test]
fn what_does_not_say_that_it_removes_nothing_is_asked_about() {
    run(async {
        let foreign = Foreign::start().await;
        let mut t = at_the_form(&foreign, "write_note").await;
        t.type_text("Chairs").await.press("ctrl-s").await;
        t.expect("Call write_note?")
            .expect("It may remove what cannot be had back.")
            .snapshot("foreign_asked")
            .await;
        t.press("enter").await.expect("Call write_note?");
        assert!(foreign.called().is_empty());
        t.press("y").await.expect("kept");
        assert_eq!(foreign.called()[0]["arguments"]["text"], "Chairs");
    });
}

#[test]
fn it_is_seen_how_far_a_call_is_and_esc_stops_it() {
    run(async {
        let foreign = Foreign::start().await;
        let mut t = at_the_form(&foreign, "index").await;
        t.press_at_once("ctrl-s").hears("1 of 3 · reading").await;
        t.snapshot_meanwhile("foreign_progress").await;
        t.press("esc").await;
        foreign.cancelled().await;
        // It writes, and may have done so.
        t.expect("Not known whether it was done")
            .expect("it was told to stop")
            .expect("› index");
        // What it wrote into its log meanwhile is kept.
        t.run("app.log")
            .await
            .expect("index: two notes are damaged");
        t.snapshot("server_log").await;
    });
}

#[test]
fn the_palette_has_its_tools_without_the_list() {
    run(async {
        let foreign = Foreign::start().await;
        let organization = school().await;
        let setup = desk(&organization).signed_in_as(Role::Staff);
        let mut t = setup.config(foreign.config()).at_home().await;
        t.press(":").await;
        t.type_text("notes write_note").await;
        t.expect_row(selected("notes write_note"));
        t.press("enter").await.expect("› write_note");
    });
}

#[test]
fn tools_that_change_are_listed_anew() {
    run(async {
        let foreign = Foreign::start().await;
        let mut t = at_the_form(&foreign, "reorganise").await;
        t.press("ctrl-s").await.expect("done");
        t.press("esc esc ctrl-u").await;
        t.type_text("notes").await.hears("find_notes").await;
        t.expect_no("list_notes");
    });
}

#[test]
fn a_server_that_is_not_there_takes_nothing_from_the_others() {
    run(async {
        let organization = school().await;
        let config = frontdesk_client::Config::parse(
            "[servers.gone]\ncommand = [\"no-such-program\"]\n",
            std::path::Path::new("config.toml"),
        );
        let setup = desk(&organization).signed_in_as(Role::Owner);
        let mut t = setup
            .config(config.expect("a configuration"))
            .at_home()
            .await;
        t.press("t").await.expect("Learn · 53 tools");
        t.press("end").await.expect_row(selected("gone · ✗"));
        t.expect("cannot be started").snapshot("foreign_gone").await;
    });
}
