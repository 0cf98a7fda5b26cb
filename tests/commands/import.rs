//! `frontdesk import`: spreadsheets.

use std::path::PathBuf;

use frontdesk_protocol::Role;
use frontdesk_tests::program::Ended;
use frontdesk_tests::{Mode, Proxy, run, world};
use serde_json::{Value, json};

use crate::commands::stage::Stage;

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
    let ended = import(&stage, text, &["--yes", "--accept", "email"]);
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
    let wrong = import(&stage, &text, &["--dry-run", "--show", "wrong"]);
    assert!(!wrong.stdout.contains("line 2: "), "{}", wrong.stdout);
    import(&stage, &text, &["--yes", "--read-only"]).fails(2, "--read-only");
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
    let import = |text: &str| {
        let file = file(&stage, text.replace('\n', "\r"));
        let file = file.to_str().expect("text");
        let arguments = ["import", "learn", "create_cohort", file, "--yes"];
        stage.frontdesk(&[&arguments[..], &["--key", "none"]].concat())
    };
    let ended = import("Name,Slug\nOne,one\nTwo,two\nAgain,one\nThree,three\n");
    assert_eq!(ended.code, Some(5), "{ended:?}");
    for line in ["line 4: slug: ", "Imported: 3 added", "Not imported: 1 row"] {
        assert!(ended.stdout.contains(line), "{line}: {}", ended.stdout);
    }
    let failed = stage.directory().join("guests.failed.csv");
    let failed = std::fs::read_to_string(failed).expect("text");
    let rows: Vec<_> = failed.lines().collect();
    assert_eq!(rows.len(), 2, "{failed}");
    succeeds(&import(&failed.replace(",one,", ",again,")));
    let listed = stage.frontdesk(&["call", "learn", "list_cohorts"]);
    assert_eq!(listed.json()["cohorts"].as_array().map(Vec::len), Some(4));
}

#[test]
fn a_long_list_is_read_in_few_requests() {
    let proxy = Proxy::before(&world().url());
    let stage = Stage::at(Role::Staff, &proxy.url());
    let known: Vec<_> = (0..801).map(|at| format!("Guest {at:04}")).collect();
    let known: Vec<_> = known.iter().map(String::as_str).collect();
    run(stage.organization.guests(stage.event, &known));
    let text = "Name,Role\nGuest 0000,\nGuest 0450,\nGuest 0800,speaker\n";
    let ended = import(&stage, text, &["--yes", "--key", "name"]);
    for line in ["Changed                1", "Same                   2"] {
        assert!(ended.stdout.contains(line), "{line}: {}", ended.stdout);
    }
    // Four pages alone, then the others together; the changed guest is written in another batch.
    assert_eq!(proxy.count_of("list_event_guests"), 4);
    assert_eq!(proxy.count_of("run_batch"), 3);
}

#[test]
fn a_quotation_mark_too_few_is_an_error() {
    let stage = Stage::of(Role::Staff);
    let text = "name,email\n\"Kika Alves,kika@example.org\nBruno Reis,bruno@example.org\n\
                \"Zé\" Dantas,ze@example.org\n";
    import(&stage, text, &["--yes"]).fails(
        2,
        "guests.csv: line 2: no quotation mark closes the cell that begins with \"Kika Alves,kika@example.",
    );
    assert_eq!(names(&stage), [""; 0]);
    let text = text.replace("\"Kika", "Kika");
    succeeds(&import(&stage, text, &["--yes"]));
    assert_eq!(names(&stage), ["\"Zé\" Dantas", "Bruno Reis", "Kika Alves"]);
}

/// The second machine imports everything while the calls of the first one are on their way.
#[test]
fn what_two_machines_add_at_the_same_time_is_added_once() {
    let proxy = Proxy::before(&world().url());
    let first = Stage::at(Role::Owner, &proxy.url());
    run(first.organization.level(Role::Admin, 80));
    let second = first.beside(Role::Admin, &world().url());
    let set = format!("event_id={}", first.event);
    let started = |stage: &Stage| {
        let path = file(
            stage,
            "Name,Email\nAna,ana@example.org\nBia,bia@example.org\n",
        );
        let path = path.to_str().expect("text");
        let arguments = ["import", "events", "create_event_guest", path, "--yes"];
        stage.start(&[&arguments[..], &["--key", "email", "--set", &set]].concat())
    };
    proxy.set_next("run_batch", Mode::Hold);
    let held = started(&first);
    run(proxy.reached("run_batch"));
    let other = started(&second).wait_with_output().expect("it ends");
    succeeds(&Ended::of(other));
    proxy.release();
    let ended = Ended::of(held.wait_with_output().expect("it ends"));
    succeeds(&ended);
    let line = "Added by another import meanwhile: 2 rows";
    assert!(ended.stdout.contains(line), "{}", ended.stdout);
    assert_eq!(names(&second), ["Ana", "Bia"]);
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
    let again = ["--yes", "--again", "--key", "none"];
    succeeds(&import(&stage, &text, &again));
    assert_eq!(names(&stage).len(), 500);
}

#[test]
fn an_exported_list_is_imported_again() {
    let stage = Stage::of(Role::Staff);
    let text = "name,email,tags.ticket_code\n=Zoë,zoe@example.org,T-1\n\"Ana | Bia\",,\n";
    succeeds(&import(&stage, text, &["--yes", "--accept"]));
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
            "--key",
            "none",
            "--yes",
            "--accept",
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

#[test]
fn an_unknown_time_zone_is_reported_where_times_are_read_or_shown() {
    let stage = Stage::of(Role::Owner);
    let list = ["call", "events", "list_events"];
    let said = |zone| stage.given_in(&[("TZ", zone)], "", &list).stderr;
    let warning = "TZ has no time zone “Nowhere/Town”: times without an offset are read as UTC";
    assert!(said("Nowhere/Town").contains(warning));
    assert_eq!(said("America/Sao_Paulo"), "");
}

#[test]
fn times_without_an_offset_are_of_the_organisation_wherever_the_machine_is() {
    let stage = Stage::of(Role::Staff);
    let list = file(&stage, "Title,start_time\nTalk,2027-01-05 14:00\n");
    let event = format!("event_id={}", stage.event);
    let path = list.to_str().expect("text");
    let import = [
        "import",
        "events",
        "create_event_session",
        path,
        "--yes",
        "--set",
        &event,
    ];
    succeeds(&stage.given_in(&[("TZ", "Asia/Tokyo")], "", &import));
    let listed = stage.frontdesk(&["call", "events", "list_event_sessions", &event]);
    let start = listed.json()["sessions"][0]["start_time"].clone();
    assert_eq!(start, "2027-01-05T17:00:00+00:00");
}

#[test]
fn a_calendar_and_a_statement_come_in_as_files() {
    let stage = Stage::of(Role::Owner);
    let file = |name: &str, text: &[u8]| {
        let file = stage.directory().join(name);
        std::fs::write(&file, text).expect("it is written");
        file.to_str().expect("text").to_owned()
    };
    let entry = |title: &[u8]| {
        let start =
            b"BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:a\r\nDTSTART:20270105T140000Z\r\nSUMMARY:"
                .as_slice();
        [start, title, b"\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"].concat()
    };
    for (title, expected) in [
        ("Reunião".as_bytes(), "Reunião"),
        // Folded within a letter, and in Latin-1.
        (b"Reuni\xc3\r\n \xa3o".as_slice(), "Reunião"),
        (b"Reuni\xe3o".as_slice(), "Reunião"),
    ] {
        let path = file("school.ics", &entry(title));
        let shown = stage.frontdesk(&["import", "calendar", &path, "--dry-run", "--json"]);
        assert_eq!(shown.json()["added"][0]["title"], expected, "{shown:?}");
        assert_eq!(shown.json()["dry_run"], true);
    }
    let path = file("school.ics", &entry(b"Team"));
    let imported = stage.frontdesk(&["import", "calendar", &path, "--yes", "--json"]);
    assert_eq!(imported.json()["dry_run"], false, "{imported:?}");
    let kind = ["code=1000", "name=Bank", "kind=asset"];
    let made = [&["call", "financing", "create_account"], &kind[..]].concat();
    succeeds(&stage.frontdesk(&made));
    let text = b"Buchungstag;Verwendungszweck;Betrag;Soll/Haben\r\n13.04.2027;Geb\xfchr;1,00;S\r\n";
    let path = file("statement.csv", text);
    let set = ["--set", "account_id=Bank", "--json"];
    let import = [&["import", "statement", &path], &set[..]].concat();
    let shown = stage.frontdesk(&[&import[..], &["--dry-run"]].concat());
    let line = json!({
        "line": 2, "date": "2027-04-13", "amount": -1.0, "description": "Gebühr", "outcome": "add"
    });
    assert_eq!(shown.json()["lines"], json!([line]), "{shown:?}");
    let imported = stage.frontdesk(&[&import[..], &["--yes"]].concat());
    assert_eq!(imported.json()["added"], 1, "{imported:?}");
    let text = "Date,Description,Amount,Status\n2027-05-01,Cafe,-4.50,Pending\n2027-05-02,Bus,-2.00,Pending\n";
    let path = file("pending.csv", text.as_bytes());
    let import = [
        "import",
        "statement",
        &path,
        "--set",
        "account_id=Bank",
        "--yes",
        "--accept",
    ];
    // The other line is not imported; one that does not exist is named.
    let imported = stage.frontdesk(&[&import[..], &["3,9"]].concat());
    assert_eq!(imported.code, Some(5), "{imported:?}");
    for line in [
        "Added                  1",
        "Questionable           1",
        "  questionable  line 2: 2027-05-01 -4.50 Cafe; its status is Pending (--accept 2 imports it)",
        "Imported: 1 added",
    ] {
        assert!(
            imported.stdout.lines().any(|it| it == line),
            "{line}: {}",
            imported.stdout
        );
    }
    let said = "frontdesk: --accept 9: line 9 is not questionable\n\
                frontdesk: rows that were not imported: 1\n";
    assert_eq!(imported.stderr, said);
    let nowhere = entry(b"Trip").escape_ascii().to_string();
    let nowhere = nowhere.replace(
        "DTSTART:20270105T140000Z",
        "DTSTART;TZID=Mars/Phobos:20270105T140000",
    );
    let nowhere = nowhere.replace("UID:a", "UID:b").replace("\\r\\n", "\r\n");
    let path = self::file(&stage, nowhere);
    let path = path.to_str().expect("text");
    let imported = stage.frontdesk(&["import", "calendar", path, "--yes"]);
    assert_eq!(imported.code, Some(5), "{imported:?}");
    assert!(
        imported.stdout.contains("  wrong         line "),
        "{imported:?}"
    );
    stage.frontdesk(&[&import[..], &["all"]].concat()).fails(
        2,
        "give the lines that are questionable, such as --accept 3,5",
    );
    stage
        .frontdesk(&["import", "guests", path, "--yes"])
        .fails(2, "only calendar and statement come in without a tool");
}

#[test]
fn what_is_wrong_is_said_before_yes_is_missing() {
    let stage = Stage::of(Role::Owner);
    let guests = file(&stage, "name\nAna\n");
    let guests = guests.to_str().expect("text");
    let meetings = stage.directory().join("a.ics");
    std::fs::write(&meetings, "BEGIN:VCALENDAR\nEND:VCALENDAR\n").expect("it is written");
    let meetings = meetings.to_str().expect("text");
    let rows = ["events", "create_event_guest"];
    let launch = ["--set", "event_id=Launch"];
    for (words, said) in [
        (
            vec!["nope", rows[1], guests],
            "there is no host or server `nope`",
        ),
        (vec!["events", "nope", guests], "events has no tool `nope`"),
        (
            [&rows[..], &[guests, "--set", "event_id=Ball"]].concat(),
            "no event is named “Ball”",
        ),
        (
            [&rows[..], &[guests, "--set", "colour=red"]].concat(),
            "colour",
        ),
        (
            [&rows[..], &[guests, "--key", "colour"], &launch].concat(),
            "colour",
        ),
        (
            [&rows[..], &[meetings], &launch].concat(),
            "`frontdesk import calendar FILE`",
        ),
        (
            vec!["guests", guests],
            "only calendar and statement come in without a tool",
        ),
        (vec!["statement", guests], "account_id is required"),
        (
            vec!["statement", guests, "--set", "account_id=Bank"],
            "account_id: no ",
        ),
        (
            vec!["calendar", meetings, "--accept", "3"],
            "nothing in a calendar is questionable",
        ),
        (
            [&rows[..], &[guests], &launch].concat(),
            "give --yes to import without a question",
        ),
        (
            vec!["calendar", meetings],
            "give --yes to import without a question",
        ),
    ] {
        let words = [&["import"], &words[..]].concat();
        stage.frontdesk(&words).fails(2, said);
    }
    assert_eq!(names(&stage), [""; 0]);
}

#[test]
fn failed_rows_that_somebody_corrects_are_not_written_over() {
    let stage = Stage::of(Role::Staff);
    let wrong = "name,email,phone_number\nAna,ana@example.org,ask Maria\n";
    let ended = import(&stage, wrong, &["--yes"]);
    assert!(ended.stdout.contains("guests.failed.csv"), "{ended:?}");
    let failed = stage.directory().join("guests.failed.csv");
    std::fs::write(&failed, "corrected").expect("it is written");
    let ended = import(&stage, wrong, &["--yes"]);
    assert!(ended.stdout.contains("guests.failed-2.csv"), "{ended:?}");
    assert_eq!(
        std::fs::read_to_string(&failed).expect("a file"),
        "corrected"
    );
}

#[test]
fn the_outcome_of_each_row_is_json_for_scripts() {
    let stage = Stage::of(Role::Staff);
    let text = "name,email\nAna,ana@example.org\nBia,\n";
    let tried = import(&stage, text, &["--dry-run", "--json"]);
    let expected = json!({
        "dry_run": true, "added": 1, "changed": 0, "unknown": 0, "unchanged": 0, "rows": [
            { "line": 2, "outcome": "add", "text": "Ana, ana@example.org" },
            { "line": 3, "outcome": "questionable", "text": "has no email" },
        ],
    });
    // One row is not imported.
    assert_eq!(tried.code, Some(5), "{tried:?}");
    let said: Value = serde_json::from_str(&tried.stdout).expect("JSON");
    assert_eq!(said, expected);
}

/// A compound file whose directory chain points to itself: its reader takes all memory.
fn looping() -> Vec<u8> {
    let numbers = |numbers: &[u32]| {
        numbers
            .iter()
            .flat_map(|number| number.to_le_bytes())
            .collect::<Vec<_>>()
    };
    let mut file = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".to_vec();
    file.extend([0; 16]);
    file.extend(
        [0x3e, 3, 0xfffe, 9, 6]
            .iter()
            .flat_map(|number: &u16| number.to_le_bytes()),
    );
    file.extend([0; 6]);
    file.extend(numbers(&[
        0,
        1,
        1,
        0,
        4096,
        0xffff_fffe,
        0,
        0xffff_fffe,
        0,
        0,
    ]));
    file.extend(numbers(&[u32::MAX; 108]));
    file.extend(numbers(&[0xffff_fffd, 1]));
    file.extend(numbers(&[u32::MAX; 126]));
    file.extend([0; 512]);
    file
}

#[test]
fn a_workbook_is_read_within_bounds() {
    let stage = Stage::of(Role::Staff);
    let cases = [
        (
            looping(),
            "reading it takes more than 1 GB of memory; save the sheet as CSV",
        ),
        (
            b"PK\x03\x04nothing".to_vec(),
            "it is not a table: it looks like an archive or an Office document",
        ),
    ];
    for (bytes, said) in cases {
        import(&stage, bytes, &["--dry-run"]).fails(2, said);
    }
    let many = format!("name\n{}", "a\n".repeat(200_001));
    import(&stage, many, &["--dry-run"]).fails(
        2,
        "it has more than 200,000 rows; split the file into several",
    );
}
