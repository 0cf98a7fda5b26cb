//! `frontdesk badges`: badges for the guests of an event.

use frontdesk_protocol::Role;
use frontdesk_tests::run;

use crate::commands::stage::Stage;

#[test]
fn every_guest_has_a_badge() {
    let stage = Stage::of(Role::Staff);
    let guests = [
        "Zoë",
        "王小明",
        "Ana",
        "Bia",
        "Caio",
        "Davi",
        "Eva",
        "Fabio",
        "Gil",
    ];
    run(stage.organization.guests(stage.event, &guests));
    let file = stage.directory().join("badges.pdf");
    let path = file.to_str().expect("text");
    let ended = stage.frontdesk(&["badges", "Launch", "--output", path]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(
        ended.stdout.starts_with("9 badges of Launch in "),
        "{}",
        ended.stdout
    );
    let pages = |pdf: &[u8]| pdf.windows(9).filter(|part| *part == b"/MediaBox").count();
    let pdf = std::fs::read(&file).expect("a file");
    assert!(pdf.starts_with(b"%PDF-"));
    assert_eq!(pages(&pdf), 2);
    let id = stage.event.to_string();
    let again = ["badges", &id, "--single", "-o", path];
    let kept = "badges.pdf: it exists; give another name, or --overwrite";
    stage.frontdesk(&again).fails(2, kept);
    let ended = stage.frontdesk(&[&again[..], &["--overwrite"]].concat());
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert_eq!(pages(&std::fs::read(&file).expect("a file")), 9);
}

#[test]
fn an_unknown_event_is_named() {
    let stage = Stage::of(Role::Staff);
    stage
        .frontdesk(&["badges", "Closing"])
        .fails(2, "no event is named “Closing”");
    stage
        .frontdesk(&["badges", "Laun"])
        .fails(2, "no event is named “Laun”");
    stage
        .frontdesk(&["badges", "Launch"])
        .fails(2, "Launch has no matching guests");
}
