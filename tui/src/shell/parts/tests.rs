//! Tests of all commands together.

mod codes;
mod views;

use std::collections::BTreeMap;

use frontdesk_client::config::Keys;

use super::*;
use crate::app::input::command::MEANINGS;
use crate::app::input::keys::Keymap;
use crate::app::input::mode::Mode;
use crate::shell::Driver;
use crate::testing::{FakeHost, account, app, is_read};

#[test]
fn no_key_runs_two_commands_in_one_place() {
    Keymap::new(COMMANDS.bindings(), []).expect("every key runs one command");
}

#[test]
fn enter_opens_and_writes_only_in_the_box_of_the_desk_and_in_forms() {
    let enter = COMMANDS.all().filter(|command| {
        command.keys.contains(&"enter") && command.writes && !command.context.is_layer
    });
    let ids: Vec<_> = enter.map(|command| command.id).collect();
    assert_eq!(ids, ["guest.check_in", "account.password"]);
}

#[test]
fn what_tmux_and_screen_take_has_another_key() {
    for command in COMMANDS.all() {
        let taken = |key: &&&str| matches!(**key, "ctrl-a" | "ctrl-b");
        let taken = command.keys.iter().filter(taken).count();
        assert!(taken == 0 || taken < command.keys.len(), "{}", command.id);
    }
}

#[test]
fn a_key_of_one_meaning_has_no_other() {
    for (key, word) in MEANINGS {
        let on_key = COMMANDS.all().filter(|command| command.keys.contains(&key));
        // The letters of a choice stand beside its answers.
        let others = on_key.filter(|command| {
            let is_choice = command.context.is_layer && key.len() == 1;
            !command.title.starts_with(word) && !is_choice && command.id != "guest.check_in"
        });
        let others: Vec<_> = others.map(|command| command.id).collect();
        assert_eq!(others, [""; 0], "{key} means {word}");
    }
}

#[test]
fn no_two_commands_have_one_name() {
    let mut ids: Vec<_> = COMMANDS.all().map(|command| command.id).collect();
    ids.sort_unstable();
    let all = ids.len();
    ids.dedup();
    assert_eq!(ids.len(), all);
}

#[test]
fn the_key_reference_is_current() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/keys.md");
    let reference = key_reference().expect("is written");
    if std::env::var_os("UPDATE_REFERENCE").is_some() {
        std::fs::write(path, &reference).expect("is written");
    }
    let current = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        current == reference,
        "docs/keys.md is out of date; UPDATE_REFERENCE=1 cargo test -p frontdesk writes it"
    );
}

fn with(id: &str, keys: &[&str]) -> Result<Keymap, KeymapError> {
    let keys = Keys(keys.iter().map(ToString::to_string).collect());
    Keymap::new(
        COMMANDS.bindings(),
        &BTreeMap::from([(id.to_owned(), keys)]),
    )
}

#[test]
fn a_configuration_gives_commands_other_keys() {
    let keymap = with("guest.check_in", &["ctrl-y"]).expect("is fine");
    assert_eq!(keymap.key("guest.check_in"), "ctrl-y");
    assert_eq!(
        with("guest.check_in", &[])
            .expect("is fine")
            .key("guest.check_in"),
        ""
    );
}

#[test]
fn a_wrong_configuration_says_what_is_wrong() {
    let message = |result: Result<Keymap, KeymapError>| result.expect_err("is wrong").to_string();
    assert!(message(with("guest.chek_in", &[])).contains("no command `guest.chek_in`"));
    assert!(message(with("guest.check_in", &["entr"])).contains("`entr` is not a key"));
    assert!(message(with("guest.check_in", &["ctrl-u"])).contains("would run both"));
}

/// The keys to screens with writing commands.
const SCREENS: [&[&str]; 6] = [
    &[],
    &["home.check_in"],
    &["home.open_event"],
    &["home.open_event", "record.open"],
    &["home.series"],
    &["home.series", "record.open"],
];

/// Tools that screens only call for previews; applying is a separate request.
const PREVIEWED: [&str; 3] = [
    "remove_meeting_series",
    "promote_occurrence_to_standalone",
    "merge_meetings",
];

async fn at(host: &FakeHost, way: &[&str]) -> Driver {
    let mut app = app(host, Some(account()), (120, 40));
    app.state_mut().shared.mode = Mode::ReadOnly;
    app.settle().await;
    for command in way {
        app.run(command).expect("leads there");
        app.settle().await;
    }
    app.key("down").expect("is a key");
    app
}

#[tokio::test]
async fn no_command_writes_anything() {
    for way in SCREENS {
        let host = FakeHost::new();
        let (mut host, mut app) = (host.clone(), at(&host, way).await);
        for command in COMMANDS
            .all()
            .filter(|command| command.id != "app.read_only")
        {
            // Many commands are unavailable here: they leave the app as it is.
            if app.run(command.id).is_err() {
                continue;
            }
            app.settle().await;
            {
                let inner = host.lock();
                let written = inner
                    .calls
                    .iter()
                    .filter(|call| !is_read(call) && !PREVIEWED.contains(&call.as_str()));
                let written: Vec<_> = written.collect();
                assert!(written.is_empty(), "{way:?} {}: {written:?}", command.id);
                assert!(inner.applied.is_empty(), "{way:?} {}", command.id);
                assert!(inner.journal.is_empty(), "{way:?} {}", command.id);
            }
            host = FakeHost::new();
            app = at(&host, way).await;
        }
    }
}
