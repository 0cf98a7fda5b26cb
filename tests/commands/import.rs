//! `frontdesk import`: spreadsheets.

use std::path::PathBuf;

use frontdesk_protocol::Role;
use frontdesk_tests::program::Ended;
use frontdesk_tests::{Mode, Proxy, run, world};
use serde_json::{Value, json};

use crate::stage::Stage;

/// Imports guests of the stage's event from this text, with more arguments.
fn import(stage: &Stage, text: impl AsRef<[u8]>, more: &[&str]) -> Ended {
    let file = file(stage, text);
    let set = format!("event_id={}", stage.event);
    let file = file.to_str().expect("text");
    let arguments = [
        "import",
        "events",
        "create_event_guest",
        file,
        "--set",
        &set,
    ];
    stage.frontdesk(&[&arguments, more].concat())
}

fn file(stage: &Stage, text: impl AsRef<[u8]>) -> PathBuf {
    let file = stage.directory().join("guests.csv");
    std::fs::write(&file, text).expect("it is written");
    file
}

fn guests(stage: &Stage) -> Vec<Value> {
    let id = format!("event_id={}", stage.event);
    let listed = stage.frontdesk(&["call", "events", "list_event_guests", &id, "--all"]);
    listed.json()["guests"].as_array().expect("guests").clone()
}

fn names(stage: &Stage) -> Vec<String> {
    let names = guests(stage).into_iter();
    names
        .map(|guest| guest["name"].as_str().expect("a name").to_owned())
        .collect()
}

fn many(count: usize) -> String {
    let rows = (0..count).map(|at| format!("Guest {at:04},g{at}@example.org\n"));
    format!("Name,E-Mail\n{}", rows.collect::<String>())
}

#[track_caller]
fn succeeds(ended: &Ended) {
    assert_eq!(ended.code, Some(0), "{ended:?}");
}

#[test]
fn a_spreadsheet_becomes_guests() {
    let stage = Stage::of(Role::Staff);
    let text = "\u{feff}Name;E-Mail;Phone;Role;tags.table;Notes\r\n\
                Zoë;zoe@example.org;+55 (11) 98765-4321;Speaker;07;x\r\n\
                Ana;;;;;\r\n";
    let ended = import(&stage, text, &["--yes"]);
    succeeds(&ended);
    for line in [
        "  E-Mail → email",
        "  Notes: not imported",
        "Imported: 2 added, 0 changed",
    ] {
        assert!(ended.stdout.contains(line), "{line}: {}", ended.stdout);
    }
    let there = guests(&stage);
    assert_eq!(there[0]["name"], "Ana");
    assert_eq!(there[1]["email"], "zoe@example.org");
    assert_eq!(there[1]["phone_number"], "+55 (11) 98765-4321");
    assert_eq!(there[1]["tags"], json!({ "table": "07" }));
}

#[test]
fn a_name_stands_for_the_id_of_its_record() {
    let stage = Stage::of(Role::Owner);
    let added = stage.frontdesk(&["call", "learn", "create_member", "name=Ana Souza"]);
    let member = &added.json()["member"]["id"];
    let file = file(&stage, "Name,Member\nAna,ana souza\nBia,nobody\n");
    let file = file.to_str().expect("text");
    let ended = stage.frontdesk(&[
        "import",
        "events",
        "create_event_guest",
        file,
        "--set",
        "event_id=launch",
        "--yes",
    ]);
    assert_eq!(ended.code, Some(5), "{ended:?}");
    assert!(
        ended
            .stdout
            .contains("line 3: member_id: no member is named “nobody”"),
        "{}",
        ended.stdout
    );
    let there = guests(&stage);
    assert_eq!(there.len(), 1);
    assert_eq!(there[0]["member_id"], *member);
    let wrong = stage.frontdesk(&[
        "import",
        "events",
        "create_event_guest",
        file,
        "--set",
        "event_id=Closing",
        "--yes",
    ]);
    wrong.fails(2, "event_id: no event is named “Closing”");
}

#[test]
fn what_is_wrong_is_named_before_anything_is_written() {
    let stage = Stage::of(Role::Staff);
    let long = "B".repeat(201);
    let text = format!("name,email\nAna,ana@example.org\n,x@example.org\n{long},bia@example.org\n");
    let ended = import(&stage, &text, &["--dry-run"]);
    for line in [
        "Added                  1",
        "Wrong                  2",
        "line 3: name is required",
        "line 4: name must have at most 200 characters",
        "Tried: 1 would be added",
    ] {
        assert!(ended.stdout.contains(line), "{line}: {}", ended.stdout);
    }
    assert_eq!(names(&stage), [""; 0]);
    import(&stage, &text, &[]).fails(2, "give --yes");
    assert_eq!(names(&stage), [""; 0]);
    // The rows that fail become a file that can be corrected and imported.
    let failed = stage.directory().join("failed.csv");
    let path = failed.to_str().expect("text");
    assert_eq!(
        import(&stage, &text, &["--yes", "--failed", path]).code,
        Some(5)
    );
    assert_eq!(names(&stage), ["Ana"]);
    let rows = std::fs::read_to_string(&failed).expect("text");
    assert!(
        rows.starts_with("name,email,Import error\n,x@example.org,name is required\nBBB"),
        "{rows}"
    );
    let mended = rows.replace("\n,x@", "\nCaio,x@").replace(&long, "Bia");
    succeeds(&import(&stage, mended, &["--yes"]));
    assert_eq!(names(&stage), ["Ana", "Bia", "Caio"]);
}

#[test]
fn a_row_that_the_host_refuses_does_not_stop_the_others() {
    let stage = Stage::of(Role::Owner);
    let text = "Name,Slug\nOne,one\nTwo,two\nAgain,one\nThree,three\n";
    let file = file(&stage, text);
    let arguments = [
        "import",
        "learn",
        "create_cohort",
        file.to_str().expect("text"),
        "--yes",
    ];
    let ended = stage.frontdesk(&arguments);
    assert_eq!(ended.code, Some(5), "{ended:?}");
    assert!(
        ended.stdout.contains("Imported: 3 added"),
        "{}",
        ended.stdout
    );
    assert!(ended.stdout.contains("line 4: slug: "), "{}", ended.stdout);
    let listed = stage.frontdesk(&["call", "learn", "list_cohorts"]);
    assert_eq!(listed.json()["cohorts"].as_array().map(Vec::len), Some(3));
}

#[test]
fn a_key_changes_what_is_there() {
    let stage = Stage::of(Role::Staff);
    succeeds(&import(
        &stage,
        "name,email\nAna,ana@example.org\nBia,bia@example.org\n",
        &["--yes"],
    ));
    let text = "Name,Email,Role\nAna,ANA@example.org,speaker\nBia,bia@example.org,\nCaio,caio@example.org,\n\
                Bia 2,bia@example.org,\n";
    let ended = import(&stage, text, &["--yes", "--key", "email"]);
    for line in [
        "Added                  1",
        "Changed                1",
        "Unchanged              1",
        "line 5: has the same email as line 3",
    ] {
        assert!(ended.stdout.contains(line), "{line}: {}", ended.stdout);
    }
    assert_eq!(names(&stage), ["Ana", "Bia", "Caio"]);
    assert_eq!(guests(&stage)[0]["role"], "speaker");
}

#[test]
fn running_it_again_continues_without_duplicates() {
    let (proxy, stage) = {
        let proxy = Proxy::before(&world().url());
        let stage = Stage::at(Role::Staff, &proxy.url());
        (proxy, stage)
    };
    let text = many(250);
    // The program is killed while its second batch is on its way.
    proxy.set_for("run_batch", Mode::CutAfterRequest);
    let set = format!("event_id={}", stage.event);
    let path = file(&stage, &text);
    let path = path.to_str().expect("text");
    let arguments = [
        "import",
        "events",
        "create_event_guest",
        path,
        "--set",
        &set,
        "--yes",
    ];
    let mut child = stage.start(&arguments);
    run(proxy.reached("run_batch"));
    child.kill().expect("killed");
    child.wait().expect("it ends");
    proxy.set(Mode::Pass);
    // A lost answer is no lost batch, either.
    proxy.set_next("run_batch", Mode::CutAfterRequest);
    let ended = import(&stage, &text, &["--yes"]);
    succeeds(&ended);
    let expected: Vec<_> = (0..250).map(|at| format!("Guest {at:04}")).collect();
    assert_eq!(names(&stage), expected);
    let ended = import(&stage, &text, &["--yes"]);
    assert!(
        ended.stdout.contains("Imported earlier     250"),
        "{}",
        ended.stdout
    );
    assert_eq!(names(&stage).len(), 250);
    succeeds(&import(&stage, &text, &["--yes", "--again"]));
    assert_eq!(names(&stage).len(), 500);
}

#[test]
fn a_choice_of_columns_is_remembered() {
    let stage = Stage::of(Role::Staff);
    import(&stage, "Who,Mail\nAna,ana@example.org\n", &["--yes"])
        .fails(2, "create_event_guest needs name");
    let map = ["--yes", "--map", "who=name", "--map", "Mail=email"];
    succeeds(&import(&stage, "Who,Mail\nAna,ana@example.org\n", &map));
    succeeds(&import(
        &stage,
        "Who,Mail\nBia,bia@example.org\n",
        &["--yes"],
    ));
    assert_eq!(names(&stage), ["Ana", "Bia"]);
    assert_eq!(guests(&stage)[1]["email"], "bia@example.org");
}

#[test]
fn an_export_can_be_imported() {
    let stage = Stage::of(Role::Staff);
    let formula = "name,email,tags\n=1+1,a@example.org,\"{\"\"table\"\":7}\"\n'-x,b@example.org,\n";
    succeeds(&import(&stage, formula, &["--yes"]));
    let id = format!("event_id={}", stage.event);
    let exported = stage.frontdesk(&["call", "events", "list_event_guests", &id, "-o", "csv"]);
    let before = guests(&stage);
    let ended = import(&stage, exported.stdout, &["--yes", "--key", "email"]);
    assert!(
        ended.stdout.contains("Unchanged              2"),
        "{}",
        ended.stdout
    );
    assert_eq!(guests(&stage), before);
}

#[test]
fn a_file_that_cannot_be_read_is_refused_with_a_reason() {
    let stage = Stage::of(Role::Staff);
    import(&stage, "", &["--yes"]).fails(
        2,
        "guests.csv: it is empty; the first line must name the columns",
    );
    import(
        &stage,
        b"name\nZo\xc3\xab\nJos\xc3\xa9\nAn\xe9\n",
        &["--yes"],
    )
    .fails(2, "line 4: the byte 0xE9");
    let long = format!("name\n{}\n", "x".repeat(2_000_000));
    import(&stage, long, &["--yes"])
        .fails(2, "line 2: the row has 2000 kB; a row has at most 1 MB");
    let file = file(&stage, "name\n");
    let huge = std::fs::OpenOptions::new()
        .write(true)
        .open(&file)
        .expect("a file");
    huge.set_len(1_000_000_000).expect("a sparse file");
    let file = file.to_str().expect("text");
    let ended = stage.frontdesk(&["import", "events", "create_event_guest", file, "--yes"]);
    ended.fails(2, "it has 1000 MB; a file has at most 64 MB");
    import(&stage, "name\nAna\n", &["--read-only"]).fails(2, "--read-only");
}

#[test]
fn an_exported_list_is_imported_again() {
    let stage = Stage::of(Role::Staff);
    let text = "name,email,tags.ticket_code\n=Zoë,zoe@example.org,T-1\n\"Ana | Bia\",,\n";
    succeeds(&import(&stage, text, &["--yes"]));
    let from = format!("event_id={}", stage.event);
    let other = run(stage.organization.event("Other"));
    let to = format!("event_id={other}");
    for format in ["csv", "json", "markdown"] {
        let list = [
            "call",
            "events",
            "list_event_guests",
            &from,
            "--all",
            "-o",
            format,
        ];
        let exported = stage.frontdesk(&list);
        let path = file(&stage, &exported.stdout);
        let path = path.to_str().expect("text");
        let ended = stage.frontdesk(&[
            "import",
            "events",
            "create_event_guest",
            path,
            "--set",
            &to,
            "--map",
            "event_id=",
            "--yes",
        ]);
        succeeds(&ended);
        assert!(
            ended.stdout.contains("Imported: 2 added"),
            "{format}: {ended:?}"
        );
    }
    let listed = stage.frontdesk(&["call", "events", "list_event_guests", &to, "--all"]);
    let there = listed.json()["guests"].as_array().expect("guests").clone();
    let found: Vec<_> = there
        .iter()
        .map(|guest| (guest["name"].clone(), guest["tags"].clone()))
        .collect();
    let (ana, zoe) = (
        (json!("Ana | Bia"), json!({})),
        (json!("=Zoë"), json!({ "ticket_code": "T-1" })),
    );
    let expected = [
        [zoe.clone(), zoe.clone(), zoe],
        [ana.clone(), ana.clone(), ana],
    ];
    assert_eq!(found, expected.concat());
}
