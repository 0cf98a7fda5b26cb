//! A server that asks during a call: forms and pages, in both eras.

use frontdesk_protocol::Role;
use frontdesk_tests::{Desk, Era, Foreign, School, row};

/// Opens the list of tools of a server.
fn at_the_tools(foreign: &Foreign) -> Desk {
    let school = School::new();
    let mut t = school.desk(Role::Staff).config(foreign.config()).at_home();
    t.press("t /").enter("notes").press("/ ctrl-u");
    t
}

/// Calls a tool of a server of this era, which asks.
fn asked_by(foreign: &Foreign, tool: &str) -> Desk {
    let mut t = at_the_tools(foreign);
    t.enter(&format!("notes {tool}"))
        .expect_path(&format!("› {tool}"))
        .press("ctrl-s y");
    t
}

#[test]
fn a_question_is_a_form_with_its_defaults_and_the_tool_gets_the_answers() {
    for era in [Era::Handshake, Era::Discover] {
        let foreign = Foreign::start_in(era);
        let mut t = asked_by(&foreign, "book");
        t.expect_path("› notes asks")
            .expect_head("Which room?")
            .expect_head("All have a projector.")
            .expect_row(row("Room *").with("Red room"))
            .expect_keys("ctrl-s accept")
            .expect_keys("ctrl-q decline")
            .expect_keys("esc cancel");
        t.press("ctrl-s").expect_row(row("✗ is required"));
        t.type_text("Ana").press("tab b ctrl-s");
        t.expect_path("› Answer")
            .expect(r#"heard {"action":"accept","content":{"name":"Ana","room":"r1"}}"#);
    }
}

#[test]
fn declined_and_undecided_are_two_answers() {
    let foreign = Foreign::start();
    let mut t = asked_by(&foreign, "book");
    t.press("ctrl-q").expect(r#"heard {"action":"decline"}"#);
    let mut t = asked_by(&foreign, "book");
    t.press("esc").expect(r#"heard {"action":"cancel"}"#);
    // What was typed is not thrown away at once.
    let mut t = asked_by(&foreign, "book");
    t.type_text("Ana").press("esc").expect_title("Discard");
    t.press("n").expect_path("› notes asks");
    t.press("esc y").expect(r#"heard {"action":"cancel"}"#);
}

#[test]
fn a_field_for_a_secret_is_masked_and_warned_about() {
    let foreign = Foreign::start();
    let mut t = asked_by(&foreign, "book");
    t.expect("! asks for a secret (door_password): notes can read and keep what you type");
    t.press("up").type_text("hunter2").expect_no("hunter2");
    t.text_snapshot("question");
    t.press("ctrl-q").expect(r#"heard {"action":"decline"}"#);
}

#[test]
fn an_address_is_shown_whole_and_never_opened_by_itself() {
    for era in [Era::Handshake, Era::Discover] {
        let foreign = Foreign::start_in(era);
        let mut t = asked_by(&foreign, "pay");
        t.expect_path("› notes asks you to open a page")
            .expect("The deposit is due.")
            .expect("https://bank.example@xn--pple-43d.example/pay?amount=20&for=a-room-with-a")
            .expect("-name")
            .expect("! what stands before @ is not the host: it is xn--pple-43d.example")
            .expect("! the host has letters that can look like others: \u{430}pple.example");
        if era == Era::Handshake {
            t.text_snapshot("question_page");
        }
        t.press("ctrl-y");
        assert!(t.copied()[0].starts_with("https://bank.example@"));
        assert!(t.opened().is_empty());
        t.press("ctrl-b");
        assert_eq!(t.opened().len(), 1);
        t.press("ctrl-s").expect(r#"heard {"action":"accept"}"#);
    }
}

#[test]
fn a_call_that_requires_a_page_is_made_again_once_the_page_is_done() {
    let foreign = Foreign::start();
    let mut t = asked_by(&foreign, "rent");
    t.expect_path("› notes asks you to open a page")
        .expect("The deposit is due.")
        .expect("the call is then made again");
    foreign.pay();
    t.press("ctrl-s").expect_row(row("rented"));
    let called = foreign.called();
    assert_eq!(called.len(), 2);
    assert_eq!(called[0]["arguments"], called[1]["arguments"]);
}

#[test]
fn a_required_page_is_declined_or_asked_for_once() {
    let foreign = Foreign::start();
    let mut t = asked_by(&foreign, "rent");
    t.press("ctrl-q")
        .expect("Nothing was called: “The deposit is due.” was declined");
    assert_eq!(foreign.called().len(), 1);
    // The page was not done.
    let foreign = Foreign::start();
    let mut t = asked_by(&foreign, "rent");
    t.press("ctrl-s").expect("A deposit is required.");
    assert_eq!(foreign.called().len(), 2);
}

#[test]
fn a_request_for_a_model_is_refused_with_the_reason() {
    let foreign = Foreign::start_in(Era::Discover);
    asked_by(&foreign, "dream").expect("frontdesk has no model for sampling");
    let foreign = Foreign::start();
    asked_by(&foreign, "dream").expect("frontdesk has no model for sampling");
}

#[test]
fn a_question_waits_while_the_user_is_elsewhere() {
    let foreign = Foreign::start();
    let mut t = at_the_tools(&foreign);
    foreign.ask_at_the_next_list();
    t.hears("f4 answers it")
        .expect_toast("notes asks a question: f4 answers it");
    t.press("f4").expect_path("› notes asks");
    t.press("ctrl-q").expect_path("› Tools");
    let why = t.cannot_run("app.question");
    assert!(why.ends_with("no server asks anything"), "{why}");
}
