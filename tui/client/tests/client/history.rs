//! Recording and redacting calls.

use std::path::Path;
use std::time::Duration;

use frontdesk_client::CallError;
use frontdesk_client::history::{
    CallOutcome, Ended, Ending, History, Keep, MOST_BYTES, MOST_ENTRIES, RecordedCall,
};
use frontdesk_protocol::id::UserId;
use frontdesk_protocol::{ErrorCode, ToolError};
use jiff::Timestamp;
use serde_json::{Map, Value, json};
use tempfile::TempDir;
use uuid::Uuid;

use crate::support::files;

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
        key: None,
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

/// The entry of a call and its content on disk.
fn kept(ended: &Ended) -> (RecordedCall, String) {
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
        // The last line is complete except its line feed.
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

/// The schema of the arguments.
fn schema() -> Value {
    json!({
        "properties": {
            "event_id": { "type": "string", "format": "uuid" },
            "from": { "type": "string", "format": "date" },
            "status": { "enum": ["open", "closed"] },
            "limit": { "type": "integer" },
            "is_open": { "type": "boolean" },
            "name": { "type": "string" },
            "cc": { "type": "array", "items": { "type": "string", "format": "email" } },
            "pin": { "$ref": "#/$defs/hidden" },
            "phones": { "items": { "properties": { "kind": { "enum": ["mobile"] }, "number": { "type": "string" } } } },
            "tags": { "type": "object" },
            "login": { "writeOnly": true, "properties": { "user": { "type": "string" } } },
        },
        "$defs": { "hidden": { "type": "integer", "writeOnly": true } },
    })
}

fn described(arguments: Value) -> Ended {
    Ended {
        input_schema: schema(),
        ..call("create", arguments)
    }
}

#[test]
fn a_call_without_free_text_can_be_made_again() {
    let arguments = json!({
        "event_id": "0190a1b2-0000-7000-8000-000000000001", "from": "2026-03-12", "status": "open",
        "limit": 50, "is_open": true,
    });
    let (entry, _) = kept(&described(arguments.clone()));
    assert_eq!(entry.redacted, [""; 0]);
    assert_eq!(Value::Object(entry.rest()), arguments);
}

#[test]
fn arguments_are_kept_except_secrets_which_are_named() {
    let arguments = json!({
        "limit": 5, "name": "Summer Fair", "pin": 1_234, "cc": ["zoe@example.org"],
        "phones": [{ "kind": "mobile", "number": "0151 2345" }], "status": "half open",
        "tags": { "Zoë Müller": 7 }, "login": { "user": "zoe", "word": "open sesame" },
    });
    let (entry, text) = kept(&described(arguments.clone()));
    assert_eq!(entry.not_kept(), ["pin", "login"]);
    let mut rest = object(arguments);
    rest.retain(|name, _| name != "pin" && name != "login");
    assert_eq!(entry.rest(), rest);
    for word in ["1234", "sesame"] {
        assert!(!text.contains(word), "{word}: {text}");
    }
}

#[test]
fn without_a_schema_free_text_in_arguments_is_not_kept() {
    let (entry, text) = kept(&call(
        "create",
        json!({ "limit": 5, "name": "Summer Fair" }),
    ));
    assert_eq!(entry.not_kept(), ["name"]);
    assert_eq!(Value::Object(entry.rest()), json!({ "limit": 5 }));
    assert!(!text.contains("Summer"), "{text}");
}

#[test]
fn without_a_schema_ids_and_times_are_known_by_their_form() {
    let answer = json!({
        "guests": [
            { "id": "0190a1b2-0000-7000-8000-000000000001", "name": "Zoë Müller", "seat": 7,
              "check_in_at": "2026-03-12T18:30:00Z" },
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
    assert_eq!(guest["id"], "0190a1b2-0000-7000-8000-000000000001");
    assert_eq!(
        (&guest["seat"], &guest["name"]),
        (&json!(7), &json!("[redacted]"))
    );
    assert_eq!(guest["check_in_at"], "2026-03-12T18:30:00Z");
    assert!(!text.contains("Zoë"), "{text}");
}

#[test]
fn a_message_that_repeats_a_secret_is_kept_without_it() {
    let refusal = ToolError::new(ErrorCode::Conflict, "Zoë Müller is there");
    let ended = Ended {
        ending: Ending::Failed(CallError::Tool(refusal)),
        ..described(json!({ "login": { "user": "Zoë Müller" } }))
    };
    let (entry, text) = kept(&ended);
    let CallOutcome::Refused { code, message } = entry.outcome else {
        panic!("{:?}", entry.outcome);
    };
    assert_eq!(
        (code.as_str(), message.as_str()),
        ("conflict", "[redacted] is there")
    );
    assert!(!text.contains("Zoë"), "{text}");
}

#[test]
fn what_may_have_been_done_has_not_failed() {
    let lost = || Ending::Failed(CallError::no_answer("no answer"));
    let write = Ended {
        changes_nothing: false,
        ending: lost(),
        ..call("write", json!({}))
    };
    assert!(matches!(
        kept(&write).0.outcome,
        CallOutcome::NotKnown { .. }
    ));
    let read = Ended {
        ending: lost(),
        ..call("read", json!({}))
    };
    assert!(matches!(kept(&read).0.outcome, CallOutcome::Failed { .. }));
}
