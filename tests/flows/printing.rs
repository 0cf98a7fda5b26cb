//! Badges are printed by a program of the organisation's choice.

use std::fs;
use std::path::PathBuf;

use frontdesk_client::Config;
use frontdesk_protocol::Role;
use frontdesk_tests::{Desk, LAUNCH, School, Setup};

/// A desk before a network, which prints with this shell script.
fn prints_with(script: &str) -> Setup {
    let setup = School::launch().desk(Role::Staff).over_a_network();
    let file = setup.directory().join("print badges.sh");
    fs::write(&file, script).expect("is written");
    let badge_command = ["/bin/sh", &file.to_string_lossy(), &printed(&setup)];
    setup.config(Config {
        badge_command: badge_command.map(str::to_owned).to_vec(),
        badge_on_check_in: true,
        ..Config::default()
    })
}

/// A desk with a printer that counts.
fn at_a_printer() -> Desk {
    prints_with("head -c 5 \"$2\" >>\"$1\"").at(LAUNCH)
}

fn printed(setup: &Setup) -> String {
    setup.directory().join("printed").display().to_string()
}

/// That this many badges, which are PDFs, are printed.
fn expect_printed(t: &Desk, number: usize) {
    let file: PathBuf = t.directory().join("printed");
    let printed = fs::read_to_string(file).unwrap_or_default();
    assert_eq!(printed, "%PDF-".repeat(number));
}

#[test]
fn a_check_in_prints_a_badge_and_a_key_another() {
    let mut t = at_a_printer();
    t.enter("müller")
        .expect_banner(&["CHECKED IN", "Zoë Müller"]);
    expect_printed(&t, 1);
    t.enter("souza")
        .expect_banner(&["ALREADY CHECKED IN", "Ana Souza"]);
    expect_printed(&t, 1);
    t.press("ctrl-b")
        .expect_toast("Printed the badge of Ana Souza");
    expect_printed(&t, 2);
    // Also after the desk was left.
    t.seconds(60)
        .press("ctrl-q")
        .open_desk(LAUNCH)
        .select("Zoë Müller");
    t.press("ctrl-b")
        .expect_title("Print another badge?")
        .expect_panel(
            "Print another badge?",
            "The badge of Zoë Müller was printed at 09:45.",
        )
        .press("n");
    expect_printed(&t, 2);
    t.press("ctrl-b y")
        .expect_toast("Printed the badge of Zoë Müller");
    expect_printed(&t, 3);
}

#[test]
fn who_comes_in_again_has_a_badge() {
    let mut t = prints_with("head -c 5 \"$2\" >>\"$1\"")
        .gate("North")
        .at(LAUNCH);
    t.enter("müller")
        .expect_banner(&["CHECKED IN", "Zoë Müller"]);
    t.press("f3").expect_banner(&["OUT", "Zoë Müller"]);
    t.enter("müller")
        .expect_banner(&["CHECKED IN", "Zoë Müller"]);
    expect_printed(&t, 1);
}

#[test]
fn without_the_network_a_check_in_prints_its_badge_at_once_and_once() {
    let mut t = at_a_printer();
    t.network().go_down();
    t.enter("müller").expect_banner(&["WAITING", "Zoë Müller"]);
    expect_printed(&t, 1);
    t.network().come_back();
    t.seconds(10)
        .expect_toast("1 waiting check-in delivered")
        .expect_banner(&["CHECKED IN", "Zoë Müller"]);
    expect_printed(&t, 1);
}

#[test]
fn a_printer_that_fails_is_quoted_and_holds_up_nobody() {
    let script = "echo busy >&2; echo out of paper >&2; exit 1";
    let mut t = prints_with(script).at(LAUNCH);
    t.enter("müller")
        .expect_banner(&["CHECKED IN", "Zoë Müller"])
        .expect_toast("No badge of Zoë Müller: /bin/sh: out of paper");
    let missing = Config {
        badge_command: vec!["no-such-printer".to_owned()],
        ..Config::default()
    };
    let mut t = School::launch()
        .desk(Role::Staff)
        .config(missing)
        .at(LAUNCH);
    t.press("down ctrl-b")
        .expect_toast("No badge of Ana Souza: no-such-printer: No such file or directory");
}
