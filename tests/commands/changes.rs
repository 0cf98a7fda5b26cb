//! `frontdesk call --preview` and `--expect`, and `frontdesk changes`.

use frontdesk_protocol::Role;
use frontdesk_tests::run;
use serde_json::json;

use crate::commands::stage::Stage;

#[test]
fn a_preview_changes_nothing_and_binds_the_call() {
    let stage = Stage::of(Role::Staff);
    let guest = run(stage.organization.guest(stage.event, "Ana"));
    let id = format!("id={guest}");
    let call = ["call", "events", "update_event_guest", &id, "role=speaker"];
    let preview = [&call[..], &["--preview"]].concat();
    let changes = stage.frontdesk(&preview).json();
    assert_eq!(changes["rows"][0]["after"]["role"], json!("speaker"));
    let table = stage.frontdesk(&[&preview[..], &["-o", "csv"]].concat());
    assert!(
        table.stdout.contains("Ana,update,guest,role,,speaker"),
        "{table:?}"
    );
    let got = stage.frontdesk(&["call", "events", "get_event_guest", &id]);
    assert_ne!(got.json()["guest"]["role"], "speaker");

    let digest = changes["digest"].as_str().expect("a digest").to_owned();
    let bound = [&call[..], &["--expect", &digest]].concat();
    assert_eq!(stage.frontdesk(&bound).json()["guest"]["role"], "speaker");
    stage
        .frontdesk(&bound)
        .fails(5, "the call would not do what its preview showed");
    let again = stage.frontdesk(&preview);
    assert_eq!(again.code, Some(9), "{again:?}");
    assert!(again.stdout.contains("\"rows\":[]"), "{again:?}");
    assert!(again.stderr.contains("would change nothing"), "{again:?}");
    stage
        .frontdesk(&["call", "events", "list_events", "--preview"])
        .fails(2, "list_events only reads");
}

#[test]
fn changes_are_listed_and_shown() {
    let stage = Stage::of(Role::Staff);
    let guest = run(stage.organization.guest(stage.event, "Ana"));
    let id = format!("id={guest}");
    stage
        .frontdesk(&["call", "events", "update_event_guest", &id, "role=speaker"])
        .json();
    let record = guest.to_string();
    let arguments = [
        "changes",
        "--record",
        &record,
        "--tool",
        "update_event_guest",
        "--by",
        "me",
        "--since",
        "1h",
        "-o",
        "json",
    ];
    let listed = stage.frontdesk(&arguments).json();
    let change = &listed["changes"][0];
    assert_eq!(
        change["summary"],
        "changed guest “Ana”: role empty → speaker"
    );
    let shown = stage.frontdesk(&["changes", change["id"].as_str().expect("an id")]);
    assert!(shown.stdout.contains("speaker"), "{shown:?}");
    let wrong = stage.frontdesk(&["changes", "--since", "tomorrowish"]);
    assert_eq!(wrong.code, Some(2), "{wrong:?}");
    assert!(wrong.stderr.contains("must be a date"), "{wrong:?}");
}
