//! A hostile server, at an address and as a process: the app shows what it says, does nothing that it wants,
//! and stays usable.

use frontdesk_client::Config;
use frontdesk_protocol::Role;
use frontdesk_tests::{Desk, School, hostile, selected};

#[test]
#[ignore = "it is the process that the others start"]
fn plays_its_part() {
    if !frontdesk_tests::is_asked_for() {
        return;
    }
    hostile::play();
}

/// Both servers.
fn servers() -> [Config; 2] {
    [
        hostile::at_an_address(),
        hostile::as_a_process("flows::hostile::plays_its_part"),
    ]
}

/// Opens its list of tools, and selects one.
fn at_the_tool(config: Config, tool: &str) -> Desk {
    let school = School::new();
    let mut t = school.desk(Role::Staff).config(config).at_home();
    t.press("t /").enter("hostile").press("/ ctrl-u");
    t.type_text(&format!("hostile {tool}"));
    expect_harmless(&mut t);
    t
}

/// Nothing on the screen moves the cursor, hides text or turns it around.
fn expect_harmless(t: &mut Desk) {
    let screen = t.screen();
    let harm = screen.chars().find(|char| {
        char.is_control() && *char != '\n' || matches!(char, '\u{202a}'..='\u{202e}' | '\u{200b}')
    });
    assert_eq!(harm, None);
}

#[test]
fn thousands_of_tools_and_pages_without_end() {
    for config in servers() {
        let mut t = at_the_tool(config, "tool-4999");
        t.expect_row(selected("hostile tool-4999"));
        t.press("end home pgdn ctrl-s")
            .expect_row(selected("Tools").with("5000 tools"))
            .expect("the rest of the prompts: ");
        expect_harmless(&mut t);
    }
}

#[test]
fn an_answer_of_ten_megabytes() {
    for config in servers() {
        let mut t = at_the_tool(config, "large");
        t.press("enter").expect_path("› Answer");
        t.press("end home pgdn tab");
        expect_harmless(&mut t);
    }
}

#[test]
fn a_thousand_log_lines_and_an_answer_that_nobody_asked_for() {
    for config in servers() {
        let mut t = at_the_tool(config, "noisy");
        t.press("enter").expect("the answer").expect_no("stray");
        t.run("app.log").expect_path("› Messages");
        expect_harmless(&mut t);
    }
}

#[test]
fn a_form_that_asks_for_a_password() {
    for config in servers() {
        let mut t = at_the_tool(config, "secret");
        t.press("enter").expect("asks for a secret (Password");
        expect_harmless(&mut t);
        t.type_text("1234").expect_no("1234");
        t.press("ctrl-q").expect("decline, with 1000000 bytes");
    }
}

#[test]
fn an_address_that_looks_like_another() {
    for config in servers() {
        let mut t = at_the_tool(config, "page");
        t.press("enter")
            .expect("what stands before @ is not the host")
            .expect("the host has letters that can look like others")
            .expect("the connection is not encrypted");
        expect_harmless(&mut t);
        t.press("ctrl-y");
        let shown = "http://frontdesk.example:pay@xn--frontesk-wqi.example/%E2%80%AEmocrm%20-r%20x";
        assert_eq!(t.copied(), [shown]);
        t.press("esc").expect("cancel, with 1000000 bytes");
        assert!(t.opened().is_empty());
    }
}
