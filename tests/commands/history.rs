//! `frontdesk history`.

use std::time::Duration;

use frontdesk_client::history::{Ended, Ending, History, Keep};
use frontdesk_client::{CredentialStore, paths};
use frontdesk_protocol::Role;
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::commands::stage::Stage;

/// The app has called tools before.
fn called(stage: &Stage) {
    let credentials = CredentialStore::file(paths::credentials_file(stage.directory()));
    let credentials = credentials.load().expect("is read").expect("is signed in");
    let history = History::new(paths::history_directory(stage.directory()), Keep::Redacted);
    for (account, tool) in [
        (credentials.account.map(|account| account.id), "list_events"),
        (None, "somebody_elses"),
    ] {
        let arguments = json!({ "limit": 5, "email": "zoe@example.org" });
        let ended = Ended {
            account,
            peer: "events".to_owned(),
            tool: tool.to_owned(),
            arguments: arguments.as_object().cloned().unwrap_or_default(),
            changes_nothing: true,
            at: Timestamp::UNIX_EPOCH,
            took: Duration::from_millis(12),
            ending: Ending::Done(json!({ "events": [] })),
            key: None,
            input_schema: Value::Null,
            output_schema: Value::Null,
        };
        history.remember(&ended).expect("is written");
    }
}

#[test]
fn the_calls_of_the_app_are_listed_and_cleared() {
    let stage = Stage::of(Role::Staff);
    assert_eq!(stage.frontdesk(&["history"]).stdout, "");
    called(&stage);
    let ended = stage.frontdesk(&["history"]);
    assert_eq!(ended.stdout.lines().count(), 1, "{}", ended.stdout);
    assert!(ended.stdout.contains("12 ms  done"), "{}", ended.stdout);
    assert!(!ended.stdout.contains("zoe"), "{}", ended.stdout);
    let calls = stage.frontdesk(&["history", "--json"]).json();
    assert_eq!(calls[0]["tool"], "list_events");
    assert_eq!(calls[0]["arguments"]["limit"], 5);
    assert_eq!(calls[0]["redacted"], json!(["/email"]));
    assert_eq!(stage.frontdesk(&["history", "clear"]).code, Some(0));
    assert_eq!(stage.frontdesk(&["history"]).stdout, "");
    // Another account's calls stay until everybody's are cleared.
    let files =
        || std::fs::read_dir(paths::history_directory(stage.directory())).expect("is there");
    let is_kept = || files().any(|file| file.expect("a file").path().ends_with("nobody.jsonl"));
    assert!(is_kept());
    let ended = stage.frontdesk(&["history", "clear", "--everybody"]);
    assert_eq!((ended.code, is_kept()), (Some(0), false));
}
