//! The questions of the command line.

use frontdesk_client::paths;
use frontdesk_protocol::Role;
use frontdesk_tests::builder::PASSWORD;
use frontdesk_tests::run;

use crate::terminal::program::{Stage, plain};
use crate::terminal::tty::Tty;

#[test]
fn ctrl_c_ends_every_question_with_130() {
    let stage = Stage::signed_in_as(Role::Owner);
    let file = |name: &str, text: &str| {
        let path = stage.directory.path().join(name);
        std::fs::write(&path, text).expect("it is written");
        path.to_str().expect("text").to_owned()
    };
    let guests = file("guests.csv", "Name,E-Mail\nAna,ana@example.org\n");
    let notes = file("notes.csv", "Name,Notes\nAna,early\n");
    let dates = file("dates.csv", "Title,Start time\nTalk,03/04/2027 14:00\n");
    let entry = "BEGIN:VEVENT\nUID:a\nDTSTART:20270105T140000Z\nSUMMARY:Team\nEND:VEVENT";
    let meetings = file(
        "c.ics",
        &format!("BEGIN:VCALENDAR\n{entry}\nEND:VCALENDAR\n"),
    );
    let rows = |tool, file| ["import", "events", tool, file, "--set", "event_id=Launch"];
    for (words, question) in [
        (
            &rows("create_event_guest", &guests)[..],
            "Import 1 row? [y/N]",
        ),
        (
            &rows("create_event_guest", &notes),
            "Argument for column “Notes”",
        ),
        (
            &rows("create_event_session", &dates),
            "is the day first, or the month? [d/m]",
        ),
        (&["import", "calendar", &meetings], "c.ics? [y/N]"),
        (&["call", "events", "get_event"], "id:"),
        (
            &["prompt", "events", "prepare_the_door"],
            "The event, by id or name (Launch):",
        ),
    ] {
        let mut command = stage.frontdesk();
        command.args(words);
        let mut tty = Tty::start(command);
        tty.wait_for(question);
        tty.type_text("\x03");
        assert_eq!(tty.end().exit_code(), 130, "{question}");
    }
    let password = [
        "login",
        "--email",
        "ana@example.org",
        "--url",
        "http://127.0.0.1:1",
    ];
    for (words, question) in [
        (&["setup"][..], "E-mail address:"),
        (&password, "Password of"),
    ] {
        let home = tempfile::tempdir().expect("a directory");
        let mut command = plain(&frontdesk_tests::program::program("frontdesk"), home.path());
        command.args(words);
        command.arg("--home");
        command.arg(home.path());
        let mut tty = Tty::start(command);
        tty.wait_for(question);
        while words[0] == "login" && !tty.is_raw() {
            std::thread::yield_now();
        }
        tty.type_text("\x03");
        assert_eq!(tty.end().exit_code(), 130, "{question}");
        assert!(!paths::credentials_file(home.path()).exists());
    }
}

#[test]
fn a_prompt_asks_for_what_it_misses() {
    let stage = Stage::signed_in();
    let mut command = stage.frontdesk();
    command.args(["prompt", "events", "prepare_the_door"]);
    let mut tty = Tty::start(command);
    tty.wait_for("The event, by id or name (Launch):");
    tty.type_text("launch\n");
    tty.wait_for("Prepare the door of this event");
    assert_eq!(tty.end().exit_code(), 0);
}

/// A sign-in of this role, after its password.
fn logs_in(stage: &Stage, role: Role) -> Tty {
    let mut command = stage.frontdesk();
    command.args(["login", "--email", &stage.organization.email(role)]);
    let mut tty = Tty::start(command);
    tty.wait_for("Password of");
    while !tty.is_raw() {
        std::thread::yield_now();
    }
    tty.type_text(&format!("{PASSWORD}\n"));
    tty
}

#[test]
fn a_sign_in_asks_for_the_code_of_a_second_factor_until_it_is_right() {
    let stage = Stage::signed_in();
    let [code, other] = run(stage.organization.second_factor(Role::Staff));
    let mut tty = logs_in(&stage, Role::Staff);
    tty.wait_for("A code is required");
    tty.type_text("123456\n");
    tty.wait_for("The code is wrong");
    tty.type_text(&format!("{code}\n"));
    tty.wait_for("Signed in as");
    assert_eq!(tty.end().exit_code(), 0);

    let mut command = stage.frontdesk();
    command.args(["second-factor", "off"]);
    let mut tty = Tty::start(command);
    tty.wait_for("Code:");
    tty.type_text(&format!("{other}\n"));
    tty.wait_for("The second factor is off.");
    assert_eq!(tty.end().exit_code(), 0);
}

#[test]
fn where_it_is_required_a_sign_in_shows_the_key_and_its_picture() {
    let stage = Stage::signed_in();
    run(stage.organization.requires_second_factor());
    let mut tty = logs_in(&stage, Role::Owner);
    tty.wait_for("Add this key to an authenticator app");
    tty.wait_for("Code:");
    assert!(
        tty.screen().contents().contains("▀"),
        "{}",
        tty.screen().contents()
    );
}
