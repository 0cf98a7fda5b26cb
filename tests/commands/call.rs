//! `frontdesk call`: its arguments.

use frontdesk_protocol::Role;
use frontdesk_tests::{Proxy, program, run, world};
use jiff::SignedDuration;
use serde_json::json;

use crate::commands::stage::{Ended, Stage};

#[test]
fn arguments_come_as_words_json_a_file_and_stdin() {
    let stage = Stage::of(Role::Staff);
    let event = stage.event.to_string();
    let (id, tags) = (format!("event_id={event}"), "tags:={\"table\":7}");
    let added = stage.frontdesk(&["call", "events", "create_event_guest", &id, "name=12", tags]);
    assert_eq!(added.json()["guest"]["name"], "12");
    assert_eq!(added.json()["guest"]["tags"], json!({ "table": 7 }));

    let object = json!({ "event_id": event, "name": "From stdin", "role": "guest" }).to_string();
    let arguments = [
        "call",
        "events",
        "create_event_guest",
        "--args",
        "-",
        "role=speaker",
    ];
    let added = stage.given(&object, &arguments);
    assert_eq!(added.json()["guest"]["name"], "From stdin");
    assert_eq!(
        added.json()["guest"]["role"],
        "speaker",
        "a word stands above the object"
    );

    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("arguments.json");
    std::fs::write(&file, &object).expect("it is written");
    let file = file.to_str().expect("text");
    let arguments = ["call", "events", "create_event_guest", "--args", file];
    assert_eq!(
        stage.frontdesk(&arguments).json()["guest"]["name"],
        "From stdin"
    );
}

#[test]
fn null_clears_and_what_is_left_out_stays() {
    let stage = Stage::of(Role::Staff);
    let guest = run(stage.organization.guest(stage.event, "Ana"));
    let id = format!("id={guest}");
    let update = |word: &str| {
        let ended = stage.frontdesk(&["call", "events", "update_event_guest", &id, word]);
        ended.json()["guest"].clone()
    };
    assert_eq!(update("email=ana@example.org")["email"], "ana@example.org");
    assert_eq!(update("role=speaker")["email"], "ana@example.org");
    assert_eq!(update("email:=null")["email"], json!(null));
}

#[test]
fn what_is_to_read_only_calls_nothing_that_writes() {
    let stage = Stage::of(Role::Staff);
    let guest = run(stage.organization.guest(stage.event, "Ana"));
    let id = format!("id={guest}");
    stage
        .frontdesk(&["call", "--read-only", "events", "check_in_guest", &id])
        .fails(2, "check_in_guest writes, and --read-only is given");
    let got = stage.frontdesk(&["call", "--read-only", "events", "get_event_guest", &id]);
    assert_eq!(got.json()["guest"]["check_in_at"], json!(null));
}

#[test]
fn a_dry_run_writes_nothing() {
    let stage = Stage::of(Role::Owner);
    let series = run(stage.organization.series("Weekly"));
    let arguments = [
        "call",
        "work",
        "remove_meeting_series",
        &format!("series_meeting_id={series}"),
        "--dry-run",
    ];
    for _ in 0..2 {
        assert_eq!(stage.frontdesk(&arguments).json()["dry_run"], true);
    }
    let real = stage.frontdesk(&arguments[..4]);
    assert_eq!(real.json()["dry_run"], false);
    stage
        .frontdesk(&arguments)
        .fails(11, "there is no such meeting");
}

#[test]
fn everything_that_is_wrong_is_reported_at_once() {
    let stage = Stage::of(Role::Staff);
    let words = ["nam=Ana", "member_id=nobody", "tags=7"];
    let call = ["call", "events", "create_event_guest"];
    let ended = stage.frontdesk(&[&call[..], &words].concat());
    ended.fails(2, "4 arguments are wrong:");
    for line in [
        "  event_id is required",
        "  name is required",
        "  tags must be a JSON object such as {\"a\":1}, not `7`",
        "  there is no argument `nam`; did you mean `name`?",
    ] {
        assert!(
            ended.stderr.lines().any(|it| it == line),
            "{line}: {ended:?}"
        );
    }
}

#[test]
fn a_token_lets_another_client_act_as_the_account() {
    let stage = Stage::of(Role::Staff);
    let ended = stage.frontdesk(&["token"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(
        ended.stderr.starts_with("frontdesk: valid for "),
        "{ended:?}"
    );
    let email = run(async { stage.organization.email(Role::Staff) });
    assert!(
        ended.stderr.contains(&format!("acts as {email} at ")),
        "{ended:?}"
    );

    let address = format!("{}/events/mcp", world().url());
    let elsewhere = tempfile::tempdir().expect("a directory");
    let mut command = program::command("frontdesk", &["call", &address, "list_events"]);
    command.args(["--token-env", "TOKEN"]);
    command.env("TOKEN", ended.stdout.trim());
    command.env("FRONTDESK_HOME", elsewhere.path());
    let called = Ended::of(command.output().expect("it runs"));
    assert_eq!(called.json()["events"][0]["name"], "Launch");

    stage.frontdesk(&["logout"]);
    stage.frontdesk(&["token"]).fails(3, "not signed in");
}

#[test]
fn a_wrong_clock_is_named_after_each_command() {
    let proxy = Proxy::before(&world().url());
    let stage = Stage::at(Role::Staff, &proxy.url());
    proxy.put_clock_ahead(SignedDuration::from_mins(7));
    let ended = stage.frontdesk(&["whoami"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert_eq!(
        ended.stderr,
        "frontdesk: compared with the server, this machine's clock is 7 min slow; set one of them\n"
    );
}

#[test]
fn the_name_of_a_record_stands_for_its_id() {
    let stage = Stage::of(Role::Staff);
    let guests = run(stage.organization.guests(stage.event, &["Zoë", "Ana"]));
    let listed = ["call", "events", "list_event_guests", "event_id=Launch"];
    let names = &stage.frontdesk(&listed).json()["guests"];
    assert_eq!(
        (&names[0]["name"], &names[1]["name"]),
        (&json!("Ana"), &json!("Zoë"))
    );
    let session = json!({
        "event_id": "Launch", "title": "Opening", "guest_ids": ["Zoë", guests[1]],
    });
    let create = ["call", "events", "create_event_session", "--args", "-"];
    let made = stage.given(&session.to_string(), &create).json();
    assert_eq!(
        made["session"]["guest_ids"].as_array().map(Vec::len),
        Some(2),
        "{made}"
    );
    let laun = ["call", "events", "get_event", "id=Laun"];
    stage
        .frontdesk(&laun)
        .fails(2, "id: no event is named “Laun”");
    let whoami = stage.frontdesk(&["whoami", "--json"]).json();
    assert_eq!(whoami["role"], "staff");
}
