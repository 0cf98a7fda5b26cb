//! A server outside the service: its tools beside the hosts' tools, its progress, its log, and cancelling
//! its calls.

use std::path::Path;

use frontdesk_client::Config;
use frontdesk_protocol::Role;
use frontdesk_tests::{Desk, Era, Foreign, School, row, selected};

use crate::commands::servers::foreign::Foreign as Stub;

/// Opens the list of tools, with a server called `notes` in the configuration.
fn at_the_tools(foreign: &Foreign) -> Desk {
    let school = School::new();
    let mut t = school.desk(Role::Staff).config(foreign.config()).at_home();
    t.press("t /").expect_path("› Tools");
    t.type_text("notes")
        .expect_row(selected("notes · not opened"));
    t.press("enter")
        .expect_row(row("list_notes"))
        .press("/ ctrl-u");
    t
}

/// Opens the form of one of its tools.
fn at_the_form(foreign: &Foreign, tool: &str) -> Desk {
    let mut t = at_the_tools(foreign);
    t.type_text(&format!("notes {tool}"));
    t.expect_row(selected(&format!("notes {tool}")));
    t.press("enter").expect_path(&format!("› {tool}"));
    t
}

#[test]
fn its_tools_stand_beside_those_of_the_hosts() {
    let foreign = Foreign::start();
    let mut t = at_the_tools(&foreign);
    t.type_text("notes");
    t.expect_row(selected("notes list_notes"))
        .expect_row(row("reads, and changes nothing"))
        .expect_row(row("All notes."));
    t.press("enter ctrl-s");
    t.expect_row(selected("Buy chairs"))
        .text_snapshot("foreign_table");
    t.press("Y")
        .expect_toast("Copied as a command line, if your terminal lets programs copy");
    assert_eq!(
        t.copied().last().expect("a line"),
        "frontdesk call notes list_notes"
    );
    // The palette lists it, too.
    t.press("esc esc esc esc :");
    t.type_text("notes write_note");
    t.expect_row(selected("write_note (notes)"));
}

#[test]
fn a_tool_that_may_remove_asks_first() {
    let foreign = Foreign::start();
    let mut t = at_the_form(&foreign, "write_note");
    t.type_text("Chairs").press("ctrl-s");
    t.expect_title("Call write_note?")
        .expect_row(row("This cannot be undone."))
        .text_snapshot("foreign_asked");
    t.press("enter").expect_title("Call write_note?");
    assert!(foreign.called().is_empty());
    t.press("y").expect_row(row("kept"));
    assert_eq!(foreign.called()[0]["arguments"]["text"], "Chairs");
}

#[test]
fn a_call_shows_its_progress_and_esc_cancels_it() {
    for era in [Era::Handshake, Era::Discover] {
        let foreign = Foreign::start_in(era);
        let mut t = at_the_form(&foreign, "index");
        t.press_at_once("ctrl-s").hears("1 of 3 · reading");
        if era == Era::Handshake {
            t.text_snapshot("foreign_progress");
        }
        t.press("esc");
        foreign.cancelled();
        // The tool writes, and may have done so.
        t.expect_head("Outcome unknown")
            .expect_head("the call was cancelled")
            .expect_path("› index");
        // The log has its messages.
        t.run("app.log").expect_head("index: two notes are damaged");
        if era == Era::Handshake {
            t.text_snapshot("server_log");
        }
    }
}

#[test]
fn a_server_is_opened_by_hand_and_the_palette_knows_its_tools_from_then_on() {
    let foreign = Foreign::start();
    let school = School::new();
    let mut t = school.desk(Role::Staff).config(foreign.config()).at_home();
    t.press("t").expect_path("› Tools").press("esc :");
    t.type_text("notes write_note");
    t.expect_no("write_note (notes)").press("esc t /");
    t.enter("notes").expect_row(row("list_notes"));
    t.press("esc esc :").type_text("notes write_note");
    t.expect_row(selected("write_note (notes)"));
    t.press("enter").expect_path("› write_note");
}

#[test]
fn changed_tools_are_listed_again() {
    let foreign = Foreign::start();
    let mut t = at_the_form(&foreign, "reorganise");
    t.press("ctrl-s").expect_row(row("done"));
    t.press("esc esc / ctrl-u");
    t.type_text("notes").hears("find_notes");
    t.expect_no("list_notes");
}

#[test]
fn a_server_that_is_not_there_takes_nothing_from_the_others() {
    let school = School::new();
    let config = frontdesk_client::Config::parse(
        "[servers.gone]\ncommand = [\"no-such-program\"]\n",
        std::path::Path::new("config.toml"),
    );
    let setup = school.desk(Role::Owner);
    let mut t = setup.config(config.expect("a configuration")).at_home();
    t.press("t").expect_row(row("Staff management · "));
    t.press("end enter").expect_row(selected("gone · ✗"));
    t.expect_row(row("Server not reachable"))
        .expect_row(row("no-such-program cannot be"));
}

/// The list of tools, with a server called `stub` that is opened.
fn at_the_stub(foreign: &Stub) -> Desk {
    let school = School::new();
    let config = Config::parse(&foreign.config(), Path::new("config.toml"));
    let setup = school.desk(Role::Staff);
    let mut t = setup.config(config.expect("a configuration")).at_home();
    t.press("t /").enter("stub");
    t
}

#[test]
fn enter_opens_a_server_again_that_was_not_there() {
    let foreign = Stub::start();
    foreign.go_down();
    let mut t = at_the_stub(&foreign);
    t.expect_row(selected("stub · ✗ not reachable"));
    foreign.proxy().come_back();
    t.press("enter").expect_row(selected("stub say"));
}

#[test]
fn one_signs_in_to_a_server_on_its_page() {
    let foreign = Stub::guarded();
    let mut t = at_the_stub(&foreign);
    t.expect_row(selected("stub · ✗ refused"));
    t.press("ctrl-s").expect("Not signed in to stub");
    t.expect_keys("L sign in")
        .press_at_once("L")
        .hears("ctrl-y copies the address")
        .press_at_once("ctrl-y");
    let address = t.copied()[0].clone();
    let (_, state) = address.split_once("state=").expect("a state");
    let state = state.split('&').next().expect("a state");
    t.paste_at_once("http://127.0.0.1:1/callback?code=wrong")
        .press_at_once("enter")
        .hears("✗");
    t.press_at_once("ctrl-u");
    t.paste_at_once(&format!(
        "http://127.0.0.1:1/callback?code=the-code&state={state}"
    ));
    t.press_at_once("enter").hears("Signed in to stub");
    t.settle().expect_toast("Copied the address");
    t.expect_toast("Signed in to stub");
    t.expect_head("announces tools").press("esc");
    t.expect_row(selected("stub say"));
}
