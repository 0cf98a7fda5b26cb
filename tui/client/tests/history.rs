//! The calls that are kept on disk, and what of them is not.

#[path = "support/files.rs"]
mod files;

use std::path::Path;
use std::time::Duration;

use frontdesk_client::CallError;
use frontdesk_client::history::{
    Ended, Ending, Entry, History, Keep, MOST_BYTES, MOST_ENTRIES, Outcome,
};
use frontdesk_protocol::id::UserId;
use frontdesk_protocol::{ErrorCode, ToolError};
use jiff::Timestamp;
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use tempfile::TempDir;
use uuid::Uuid;

fn me() -> Option<UserId> {
    Some(UserId(Uuid::from_u128(1)))
}

fn object(value: Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap_or_default()
}

fn call(tool: &str, arguments: Value) -> Ended {
    Ended {
        account: me(),
        peer: "events".to_owned(),
        tool: tool.to_owned(),
        arguments: object(arguments),
        changes_nothing: true,
        at: Timestamp::UNIX_EPOCH,
        took: Duration::from_millis(12),
        ending: Ending::Done(json!({})),
        input_schema: Value::Null,
        output_schema: Value::Null,
    }
}

fn history(keep: Keep) -> (TempDir, History) {
    let directory = tempfile::tempdir().expect("a directory");
    let history = History::new(directory.path().join("history"), keep);
    (directory, history)
}

/// What is on disk of one call.
fn kept(ended: &Ended) -> (Entry, String) {
    let (directory, history) = history(Keep::Redacted);
    history.remember(ended).expect("is written");
    let entry = history.entries(me()).expect("is read").remove(0);
    (entry, on_disk(directory.path()))
}

fn on_disk(directory: &Path) -> String {
    let mut text = String::new();
    for file in std::fs::read_dir(directory.join("history")).expect("a directory") {
        let path = file.expect("a file").path();
        text.push_str(&std::fs::read_to_string(path).expect("text"));
    }
    text
}

#[test]
fn the_newest_call_comes_first_and_others_see_nothing() {
    let (_directory, history) = history(Keep::Redacted);
    assert_eq!(history.entries(me()).expect("is read"), []);
    for tool in ["one", "two"] {
        history
            .remember(&call(tool, json!({})))
            .expect("is written");
    }
    let tools: Vec<_> = history.entries(me()).expect("is read");
    let tools: Vec<_> = tools.iter().map(|entry| entry.tool.as_str()).collect();
    assert_eq!(tools, ["two", "one"]);
    let other = Some(UserId(Uuid::from_u128(2)));
    assert_eq!(history.entries(other).expect("is read"), []);
    assert_eq!(history.entries(None).expect("is read"), []);
}

#[cfg(unix)]
#[test]
fn only_its_owner_can_read_it() {
    let (directory, history) = history(Keep::Redacted);
    history
        .remember(&call("one", json!({})))
        .expect("is written");
    let histories = directory.path().join("history");
    assert_eq!(files::mode(&histories), 0o700);
    for file in std::fs::read_dir(&histories).expect("a directory") {
        assert_eq!(files::mode(&file.expect("a file").path()), 0o600);
    }
}

#[test]
fn a_torn_line_is_skipped_and_nothing_else_is_lost() {
    let (directory, history) = history(Keep::Redacted);
    history
        .remember(&call("one", json!({})))
        .expect("is written");
    let path = directory
        .path()
        .join(format!("history/{}.jsonl", Uuid::from_u128(1)));
    let whole = std::fs::read(&path).expect("is there");
    for end in 1..whole.len() {
        std::fs::write(&path, [&whole, &whole[..end]].concat()).expect("is written");
        history
            .remember(&call("two", json!({})))
            .expect("is written");
        let entries = history.entries(me()).expect("is read");
        let tools: Vec<_> = entries.iter().map(|entry| entry.tool.as_str()).collect();
        // But for its line feed, the last is whole.
        let expected: &[&str] = match end == whole.len() - 1 {
            true => &["two", "one", "one"],
            false => &["two", "one"],
        };
        assert_eq!(tools, expected, "torn after {end} bytes");
    }
}

#[test]
fn one_is_taken_out_or_all_of_one_account_or_all() {
    let (directory, history) = history(Keep::Redacted);
    for tool in ["one", "two"] {
        history
            .remember(&call(tool, json!({})))
            .expect("is written");
    }
    let nobody = Ended {
        account: None,
        ..call("three", json!({}))
    };
    history.remember(&nobody).expect("is written");
    let first = history.entries(me()).expect("is read")[1].id;
    history.forget(me(), first).expect("is taken out");
    let left = history.entries(me()).expect("is read");
    assert_eq!(left.len(), 1);
    assert_eq!(left[0].tool, "two");
    history.clear(me()).expect("is taken out");
    assert_eq!(history.entries(me()).expect("is read"), []);
    assert_eq!(history.entries(None).expect("is read").len(), 1);
    history
        .remember(&call("one", json!({})))
        .expect("is written");
    history.clear_everybodys().expect("is taken out");
    assert_eq!(on_disk(directory.path()), "");
    history.clear(me()).expect("there is nothing to take out");
}

#[test]
fn the_oldest_go_where_there_are_too_many() {
    let (directory, history) = history(Keep::Redacted);
    let path = directory
        .path()
        .join(format!("history/{}.jsonl", Uuid::from_u128(1)));
    history
        .remember(&call("one", json!({})))
        .expect("is written");
    let line = std::fs::read_to_string(&path).expect("is there");
    std::fs::write(&path, line.repeat(MOST_ENTRIES)).expect("is written");
    history
        .remember(&call("last", json!({})))
        .expect("is written");
    let entries = history.entries(me()).expect("is read");
    assert!(entries.len() <= MOST_ENTRIES, "{}", entries.len());
    assert!(entries.len() >= MOST_ENTRIES * 8 / 10, "{}", entries.len());
    assert_eq!(entries[0].tool, "last");
}

#[test]
fn the_oldest_go_where_they_are_too_large() {
    let (directory, history) = history(Keep::Redacted);
    let rows: Vec<Value> = (0..400)
        .map(|id| json!({ "id": id, "text": "x y ".repeat(15) }))
        .collect();
    let large = Ended {
        ending: Ending::Done(json!({ "rows": rows })),
        ..call("large", json!({}))
    };
    history.remember(&large).expect("is written");
    let path = directory
        .path()
        .join(format!("history/{}.jsonl", Uuid::from_u128(1)));
    let line = std::fs::read_to_string(&path).expect("is there");
    let many = MOST_BYTES as usize / line.len() + 1;
    assert!(many < MOST_ENTRIES);
    std::fs::write(&path, line.repeat(many)).expect("is written");
    history.remember(&large).expect("is written");
    let size = on_disk(directory.path()).len() as u64;
    assert!(size <= MOST_BYTES, "{size}");
    assert!(size >= MOST_BYTES / 2, "{size}");
}

#[test]
fn several_processes_write_whole_lines() {
    let (_directory, history) = history(Keep::Redacted);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..25 {
                    history
                        .remember(&call("one", json!({ "limit": 5 })))
                        .expect("is written");
                }
            });
        }
    });
    assert_eq!(history.entries(me()).expect("is read").len(), 100);
}

#[test]
fn what_is_off_keeps_nothing_and_all_keeps_everything() {
    let secret = call("sign_up", json!({ "email": "zoe@example.org" }));
    let (directory, off) = history(Keep::Off);
    off.remember(&secret).expect("nothing is written");
    assert!(!directory.path().join("history").exists());
    let (_directory, all) = history(Keep::All);
    all.remember(&secret).expect("is written");
    let entry = all.entries(me()).expect("is read").remove(0);
    assert_eq!(entry.arguments["email"], "zoe@example.org");
    assert_eq!(entry.not_kept(), [""; 0]);
}

#[test]
fn a_call_that_says_nothing_of_anybody_can_be_made_again() {
    let arguments = json!({
        "event_id": "0190a1b2-0000-7000-8000-000000000001",
        "from": "2026-03-12", "start_at": "2026-03-12T18:30:00Z",
        "limit": 50, "checked_in": true, "status": "open", "title_contains": "weekly sync",
        "ids": ["a-1", "b-2"], "price": 12.5, "nothing": null, "name": "Summer Open Day",
    });
    let (entry, _) = kept(&call("list_events", arguments.clone()));
    assert_eq!(entry.redacted, [""; 0]);
    assert_eq!(Value::Object(entry.rest()), arguments);
}

#[test]
fn what_is_of_people_is_not_kept_and_is_named() {
    let arguments = json!({
        "event_id": "0190a1b2-0000-7000-8000-000000000001",
        "name": "Zoë Müller", "role": "speaker", "notes": "needs a lift",
        "born": { "birth_date": "1990-05-06" },
        "phones": [{ "kind": "mobile", "number": "x 0151" }, { "number": 1_512_345_678 }],
        "plus_one": true,
    });
    let (entry, text) = kept(&call("create_event_guest", arguments));
    assert_eq!(
        entry.not_kept(),
        [
            "name",
            "notes",
            "born.birth_date",
            "phones[0].number",
            "phones[1].number"
        ]
    );
    assert_eq!(
        Value::Object(entry.rest()),
        json!({
            "event_id": "0190a1b2-0000-7000-8000-000000000001",
            "role": "speaker", "born": {},
            "phones": [{ "kind": "mobile" }, {}],
            "plus_one": true,
        })
    );
    for word in ["Zoë", "lift", "1990", "1512345678"] {
        assert!(!text.contains(word), "{word}: {text}");
    }
}

#[test]
fn a_list_of_which_something_is_missing_is_entered_anew() {
    let arguments = json!({ "cc": ["zoe@example.org", "ana@example.org"], "subject": "Hello" });
    let (entry, _) = kept(&call("send", arguments));
    assert_eq!(entry.not_kept(), ["cc"]);
    assert_eq!(Value::Object(entry.rest()), json!({ "subject": "Hello" }));
}

#[test]
fn the_schema_says_what_is_secret_and_what_is_harmless() {
    let schema = json!({
        "properties": {
            "word": { "$ref": "#/$defs/hidden" },
            "to": { "anyOf": [{ "type": "null" }, { "type": "string", "format": "email" }] },
            "token": { "enum": ["access", "refresh"] },
        },
        "$defs": { "hidden": { "type": "string", "format": "password" } },
    });
    let ended = Ended {
        input_schema: schema,
        ..call(
            "run",
            json!({ "word": "opensesame", "to": "Zoë", "token": "access" }),
        )
    };
    let (entry, text) = kept(&ended);
    assert_eq!(entry.not_kept(), ["word", "to"]);
    assert_eq!(entry.arguments["token"], "access");
    assert!(!text.contains("opensesame"), "{text}");
}

#[test]
fn results_and_messages_are_kept_without_people_and_secrets() {
    let answer = json!({
        "guests": [
            { "id": 7, "name": "Zoë Müller", "email": "zoe@example.org", "role": "speaker",
              "check_in_at": "2026-03-12T18:30:00Z", "invited_by": "Ana" },
        ],
        "has_more": false,
    });
    let ended = Ended {
        ending: Ending::Done(answer),
        ..call("list", json!({}))
    };
    let (entry, text) = kept(&ended);
    let result = entry.result.expect("is kept");
    assert_eq!(result.summary, "1 guest");
    assert!(result.is_redacted);
    let guest = &result.value.expect("is kept")["guests"][0];
    assert_eq!(guest["id"], 7);
    assert_eq!(guest["role"], "speaker");
    assert_eq!(guest["check_in_at"], "2026-03-12T18:30:00Z");
    for word in ["Zoë", "zoe@", "Ana"] {
        assert!(!text.contains(word), "{word}: {text}");
    }
    // A tool repeats what it was given.
    let refusal = ToolError::new(ErrorCode::Conflict, "Zoë Müller is there: zoe@example.org");
    let ended = Ended {
        ending: Ending::Failed(CallError::Tool(refusal)),
        ..call("create_event_guest", json!({ "name": "Zoë Müller" }))
    };
    let (entry, text) = kept(&ended);
    let Outcome::Refused { code, message } = entry.outcome else {
        panic!("{:?}", entry.outcome);
    };
    assert_eq!(
        (code.as_str(), message.as_str()),
        ("conflict", "[redacted] is there: [e-mail]")
    );
    assert!(!text.contains("Zoë"), "{text}");
}

#[test]
fn what_may_have_been_done_has_not_failed() {
    let lost = || Ending::Failed(CallError::OutcomeUnknown("no answer".to_owned()));
    let write = Ended {
        changes_nothing: false,
        ending: lost(),
        ..call("write", json!({}))
    };
    assert!(matches!(kept(&write).0.outcome, Outcome::NotKnown { .. }));
    let read = Ended {
        ending: lost(),
        ..call("read", json!({}))
    };
    assert!(matches!(kept(&read).0.outcome, Outcome::Failed { .. }));
}

/// A value that is not to be on disk, and a key that it may stand under.
fn secret() -> impl Strategy<Value = (String, String)> {
    let mail = "[a-z]{3,8}[.+_-]?[a-z0-9]{2,6}@[a-z]{3,9}\\.(org|example|co\\.uk)";
    let phone = "(\\+[1-9][0-9]{1,2} ?[0-9]{3}[ -]?[0-9]{3}[ -]?[0-9]{2,4}|0[1-9][0-9]{2}[ /-][0-9]{5,8}|\\([1-9][0-9]{2}\\) [0-9]{3}-[0-9]{4})";
    let secrets = prop_oneof![
        Just("password"),
        Just("api_key"),
        Just("accessToken"),
        Just("client-secret"),
        Just("Authorization"),
    ];
    let people = prop_oneof![
        Just("email"),
        Just("phone"),
        Just("first_name"),
        Just("guest_name"),
        Just("attendees"),
    ];
    let any_key = prop_oneof![
        Just("note"),
        Just("id"),
        Just("x"),
        Just("title"),
        Just("event_id")
    ];
    prop_oneof![
        (any_key.clone(), mail).prop_map(|(key, value)| (key.to_owned(), value)),
        (Just("text"), phone).prop_map(|(key, value)| (key.to_owned(), value)),
        (secrets, "[A-Z][a-zA-Z0-9#!/ ~]{6,20}[0-9]")
            .prop_map(|(key, value)| (key.to_owned(), value)),
        (people, "[A-Z][a-zäöüß]{5,12} [A-Z][a-zäöüß]{6,12}")
            .prop_map(|(key, value)| (key.to_owned(), value)),
    ]
}

/// JSON around it: alone, in a list, in an object, in a sentence, as a key.
fn around(key: String, value: String) -> impl Strategy<Value = Value> {
    let is_pattern = ["note", "id", "x", "title", "event_id", "text"].contains(&key.as_str());
    (0..6_usize, any::<bool>(), 0..1000_i64).prop_map(move |(shape, deep, number)| {
        let inner = match (shape, is_pattern) {
            (1, _) => json!({ &key: [value.clone(), value.clone()] }),
            (2, _) => json!({ &key: { "inner": { "value": value.clone() } } }),
            (3, true) => json!({ &key: format!("Call {value}, or write.") }),
            (4, true) if key != "text" => json!({ "free": { value.clone(): number } }),
            _ => json!({ &key: value.clone() }),
        };
        match deep {
            true => json!({ "list": [{ "number": number }, inner], "limit": number }),
            false => inner,
        }
    })
}

fn secrets_in_json() -> impl Strategy<Value = (String, Value)> {
    secret().prop_flat_map(|(key, value)| (Just(value.clone()), around(key, value)))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_called_with_secrets_and_people_are_not_on_disk(
        (secret, arguments) in secrets_in_json(),
        tool in prop_oneof![Just("run"), Just("list_guests")],
        is_answer in any::<bool>(),
    ) {
        let ended = match is_answer {
            true => Ended { ending: Ending::Done(arguments.clone()), ..call(tool, json!({})) },
            false => call(tool, arguments.clone()),
        };
        let (entry, text) = kept(&ended);
        let written = serde_json::to_string(&secret).expect("JSON");
        prop_assert!(!text.contains(written.trim_matches('"')), "{secret} in {text}");
        if !is_answer {
            prop_assert!(!entry.redacted.is_empty());
            // What is left over can be sent as it is.
            let rest = Value::Object(entry.rest()).to_string();
            prop_assert!(!rest.contains("[redacted]") && !rest.contains("[e-mail]"), "{rest}");
        }
    }

    #[test]
    fn what_is_harmless_is_kept(
        id in any::<u128>(), number in any::<i64>(), truth in any::<bool>(),
        word in "[a-z]{1,10}( [a-z]{1,10}){0,3}",
    ) {
        let arguments = json!({
            "event_id": Uuid::from_u128(id), "limit": number, "done": truth, "title": word, "none": null,
        });
        let (entry, _) = kept(&call("list_events", arguments.clone()));
        prop_assert_eq!(Value::Object(entry.rest()), arguments);
    }
}
