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
fn a_name_stands_for_the_id_of_its_record() {
    let stage = Stage::of(Role::Owner);
    let added = stage.frontdesk(&["call", "learn", "create_member", "name=Ana Souza"]);
    let member = &added.json()["member"]["id"];
    let file = file(
        &stage,
        "Name,Member\nAna,Ana  Souza\nBia,nobody\nCaio,ana souza\n",
    );
    let file = file.to_str().expect("text");
    let ended = stage.frontdesk(&[
        "import",
        "events",
        "create_event_guest",
        file,
        "--set",
        "event_id=Launch",
        "--yes",
    ]);
    assert_eq!(ended.code, Some(5), "{ended:?}");
    for line in [
        "line 3: member_id: no member is named “nobody”\n",
        "line 4: member_id: no member is named “ana souza”, but one “Ana Souza”\n",
    ] {
        assert!(ended.stdout.contains(line), "{line}: {}", ended.stdout);
    }
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
    for end in ["\n", "\r\n", "\r"] {
        let stage = Stage::of(Role::Owner);
        let import = |text: &str| {
            let file = file(&stage, text.replace('\n', end));
            let file = file.to_str().expect("text");
            let arguments = ["import", "learn", "create_cohort", file, "--yes"];
            stage.frontdesk(&[&arguments[..], &["--key", "none"]].concat())
        };
        let text = "Name,Slug\nOne,one\nTwo,two\nAgain,one\nThree,three\n";
        let ended = import(text);
        assert_eq!(ended.code, Some(5), "{ended:?}");
        for line in ["line 4: slug: ", "Imported: 3 added", "Not imported: 1 row"] {
            assert!(ended.stdout.contains(line), "{line}: {}", ended.stdout);
        }
        let failed = stage.directory().join("guests.failed.csv");
        let failed = std::fs::read_to_string(failed).expect("text");
        let rows: Vec<_> = failed.lines().collect();
        assert_eq!(rows.len(), 2, "{failed}");
        assert!(rows[1].starts_with("Again,one,"), "{failed}");
        // The others are not imported again.
        let ended = import(text);
        let line = "Imported earlier       3";
        assert!(ended.stdout.contains(line), "{}", ended.stdout);
        succeeds(&import(&failed.replace(",one,", ",again,")));
        let listed = stage.frontdesk(&["call", "learn", "list_cohorts"]);
        assert_eq!(listed.json()["cohorts"].as_array().map(Vec::len), Some(4));
    }
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
        "Same                   1",
        "line 5: has the same email as line 3",
    ] {
        assert!(ended.stdout.contains(line), "{line}: {}", ended.stdout);
    }
    assert_eq!(names(&stage), ["Ana", "Bia", "Caio"]);
    assert_eq!(guests(&stage)[0]["role"], "speaker");
    assert_eq!(guests(&stage)[0]["email"], "ana@example.org");
    // A row that was wrong is wrong in the next run, too.
    let ended = import(&stage, text, &["--yes", "--key", "email"]);
    assert_eq!(ended.code, Some(5), "{ended:?}");
    assert_eq!(names(&stage), ["Ana", "Bia", "Caio"]);
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

/// Imports records of the stage's event with this tool.
fn import_by(stage: &Stage, tool: &str, text: &str, more: &[&str]) -> Ended {
    let file = file(stage, text);
    let file = file.to_str().expect("text");
    let set = format!("event_id={}", stage.event);
    let arguments = ["import", "events", tool, file, "--yes", "--set", &set];
    stage.frontdesk(&[&arguments, more].concat())
}

/// Two fields of the stage's records in this list, as `Ana 7`.
fn listed(stage: &Stage, list: &str, fields: [&str; 2]) -> Vec<String> {
    let id = format!("event_id={}", stage.event);
    let listed = stage.frontdesk(&["call", "events", list, &id, "--all"]);
    let listed = listed.json();
    let lists = listed.as_object().expect("a result").values();
    let records = lists.filter_map(Value::as_array).flatten();
    let mut told: Vec<_> = records
        .map(|record| {
            let cells = fields.map(|field| match &record[field] {
                Value::String(text) => text.clone(),
                value => value.to_string(),
            });
            cells.join(" ")
        })
        .collect();
    told.sort();
    told
}

#[test]
fn a_key_matches_what_is_equal_and_nothing_else() {
    let stage = Stage::of(Role::Staff);
    let import = |text: &str, more: &[&str]| {
        let more = [&["--key", "title"], more].concat();
        import_by(&stage, "create_event_task", text, &more)
    };
    let tasks = || listed(&stage, "list_event_tasks", ["title", "description"]);
    let text =
        "title,description\nWorkshop C++,room 1\nBlock 1.1,first\nGate -1,cellar\nAna Sá,one\n";
    succeeds(&import(text, &[]));
    // Other marks are another title; spaces and the form of an accent are not.
    let text = "title,description\nWorkshop C#,room 2\nBlock 11,eleventh\nGate 1,ground\n\
                Workshop C,room 3\n Ana  Sa\u{301},two\n";
    let ended = import(text, &[]);
    succeeds(&ended);
    let line = "Imported: 4 added, 1 changed";
    assert!(ended.stdout.contains(line), "{}", ended.stdout);
    let expected = [
        "Ana Sá two",
        "Block 1.1 first",
        "Block 11 eleventh",
        "Gate -1 cellar",
        "Gate 1 ground",
        "Workshop C room 3",
        "Workshop C# room 2",
        "Workshop C++ room 1",
    ];
    assert_eq!(tasks(), expected);
    // What is nearly the same waits for a yes.
    let text = "title,description\nAna Sa,three\nNew,four\nNéw,five\n";
    let ended = import(text, &[]);
    assert_eq!(ended.code, Some(5), "{ended:?}");
    for line in [
        "Questionable           2",
        "line 2: has nearly the same title as “Ana Sá”",
        "line 4: has nearly the same title as line 3",
        "Imported: 1 added, 0 changed",
        "Not imported: 2 rows",
    ] {
        assert!(ended.stdout.contains(line), "{line}: {}", ended.stdout);
    }
    let ended = import(text, &["--accept"]);
    succeeds(&ended);
    let line = "Imported: 2 added, 0 changed";
    assert!(ended.stdout.contains(line), "{}", ended.stdout);
    assert_eq!(tasks().len(), 11);
}

#[test]
fn the_key_of_an_object_can_match() {
    let stage = Stage::of(Role::Staff);
    let text = "name,tags.ticket_code,tags.table\nAna,AB-1,1\nBia,AB-2,2\n";
    succeeds(&import(&stage, text, &["--yes"]));
    let text = "name,tags.ticket_code,tags.table\nAna Sá,ab-1,3\nBia,AB-2,2\n";
    let ended = import(&stage, text, &["--yes", "--key", "tags.ticket_code"]);
    succeeds(&ended);
    let line = "Imported: 0 added, 1 changed";
    assert!(ended.stdout.contains(line), "{}", ended.stdout);
    let there = guests(&stage);
    assert_eq!(there.len(), 2);
    assert_eq!(there[0]["name"], "Ana Sá");
    assert_eq!(there[0]["tags"]["ticket_code"], "AB-1");
    assert_eq!(there[0]["tags"]["table"].to_string().trim_matches('"'), "3");
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

#[test]
fn a_text_stays_a_text() {
    let stage = Stage::of(Role::Staff);
    let codes = [
        "31E12",
        "4711E22",
        "18446744073709551616",
        "00042",
        "1e400",
        "1.10",
        "-77",
        "9007199254740993",
        "true",
        "[A1]",
        "{\"x\":1}",
    ];
    let rows = codes.iter().enumerate().map(|(at, code)| {
        let code = code.replace('"', "\"\"");
        format!("Guest {at:02},\"{code}\"\n")
    });
    let text = format!("name,tags.ticket_code\n{}", rows.collect::<String>());
    succeeds(&import(&stage, text, &["--yes"]));
    let stored: Vec<_> = guests(&stage)
        .iter()
        .map(|guest| guest["tags"]["ticket_code"].clone())
        .collect();
    assert_eq!(stored, codes);
}

/// What becomes of the cells of a column: the stored values of the rows, and the lines that are wrong.
#[test]
fn a_column_has_one_notation() {
    let days = [
        "03/04/2027 04/13/2027 → 2027-03-04 2027-04-13",
        "03/04/2027 13/04/2027 → 2027-04-03 2027-04-13",
        "13/04/2027 04/25/2027 03/04/2027 → wrong wrong wrong",
        "03/04/2027 04/04/2027 → wrong 2027-04-04",
        "13_Apr_23 12_Mar_18 13.4.27 13.4.87 → 2023-04-13 2018-03-12 2027-04-13 wrong",
        "1.5.2027 April_13,_2027 2027/04/13 → 2027-05-01 2027-04-13 2027-04-13",
        "13.04.2027_00:00:00 2027-04-13T00:00:00 → 2027-04-13 2027-04-13",
        "31/04/2027 46490 10/12 13_abr_2027 → wrong wrong wrong wrong",
    ];
    let amounts = [
        "1.250 1234,56 10.000 → 1250.0 1234.56 10000.0",
        "1.250 12.5 1,250.50 → 1.25 12.5 1250.5",
        "1.250 10.000 7 → wrong wrong 7.0",
        "1.250,50 1_250,50 1'250.50 → 1250.5 1250.5 1250.5",
        "(4.50) 4,50- 1e2 .5 → wrong wrong wrong wrong",
        "120,50 -1 → 120.5 wrong",
    ];
    for (tool, list, name, field, cases) in [
        (
            "create_event_task",
            "list_event_tasks",
            "title",
            "due_date",
            &days[..],
        ),
        (
            "create_event_expense",
            "list_event_expenses",
            "vendor_name",
            "amount_paid",
            &amounts[..],
        ),
    ] {
        for case in cases {
            let stage = Stage::of(Role::Staff);
            let (cells, expected) = case.split_once(" → ").expect("an arrow");
            let rows = (2..).zip(cells.split(' ')).map(|(line, cell)| {
                let cell = cell.replace('_', " ");
                format!("{line};{cell}\n")
            });
            let text = format!("{name};{field}\n{}", rows.collect::<String>());
            let ended = import_by(&stage, tool, &text, &[]);
            let stored = listed(&stage, list, [name, field]);
            let found = (2..).zip(expected.split(' ')).map(|(line, _)| {
                let wrong = format!("  line {line}: {field}");
                let stored = stored
                    .iter()
                    .find_map(|row| row.strip_prefix(&format!("{line} ")));
                match (stored, ended.stdout.contains(&wrong)) {
                    (Some(stored), false) => stored,
                    (None, true) => "wrong",
                    _ => "lost",
                }
            });
            let found: Vec<_> = found.collect();
            assert_eq!(found.join(" "), expected, "{cells}: {}", ended.stdout);
        }
    }
}

#[test]
fn in_an_address_every_mark_counts() {
    let stage = Stage::of(Role::Staff);
    let text = "name,email\nAna Maria,ana.maria@example.org\n";
    succeeds(&import(&stage, text, &["--yes"]));
    let text = "name,email\nAnamaria,anamaria@example.org\n";
    succeeds(&import(&stage, text, &["--yes", "--key", "email"]));
    assert_eq!(names(&stage), ["Ana Maria", "Anamaria"]);
}

#[test]
fn a_key_of_two_records_changes_neither() {
    let stage = Stage::of(Role::Staff);
    let text = "name,email\nAna,ana@example.org\nAna 2,ana@example.org\nBia,bia@example.org\n";
    succeeds(&import(&stage, text, &["--yes", "--accept", "similar"]));
    let before = guests(&stage);
    let text = "name,email,role\nAnita,Ana@example.org,speaker\nBia,bia@example.org,host\n";
    let ended = import(&stage, text, &["--yes", "--key", "email"]);
    assert_eq!(ended.code, Some(5), "{ended:?}");
    for line in [
        "Changed                1",
        "line 2: 2 records have this email",
        "Imported: 0 added, 1 changed",
    ] {
        assert!(ended.stdout.contains(line), "{line}: {}", ended.stdout);
    }
    let after = guests(&stage);
    assert_eq!(after[..2], before[..2]);
    assert_eq!(after[2]["role"], "host");
    assert_eq!(after.len(), 3);
}

/// What both machines import, and how the first one ends if the second one does all of it while the first one's calls
/// are on their way.
fn beside_another(tool: [&str; 2], text: &str, more: &[&str]) -> (Stage, Ended) {
    let proxy = Proxy::before(&world().url());
    let first = Stage::at(Role::Owner, &proxy.url());
    run(first.organization.level(Role::Admin, 80));
    let second = first.beside(Role::Admin, &world().url());
    let set = format!("event_id={}", first.event);
    let started = |stage: &Stage| {
        let path = file(stage, text);
        let path = path.to_str().expect("text").to_owned();
        let mut arguments = vec!["import", tool[0], tool[1], &path, "--yes"];
        arguments.extend(more);
        if tool[0] == "events" {
            arguments.extend(["--set", &set]);
        }
        stage.start(&arguments)
    };
    proxy.set_next("run_batch", Mode::Hold);
    let held = started(&first);
    run(proxy.reached("run_batch"));
    let other = started(&second).wait_with_output().expect("it ends");
    succeeds(&Ended::of(other));
    proxy.release();
    let ended = held.wait_with_output().expect("it ends");
    (second, Ended::of(ended))
}

#[test]
fn what_another_machine_has_added_meanwhile_is_not_added_again() {
    let text = "Name,Slug\nOne,one\nTwo,two\nThree,three\n";
    let tool = ["learn", "create_cohort"];
    let (stage, ended) = beside_another(tool, text, &["--key", "slug"]);
    succeeds(&ended);
    for line in [
        "Imported: 0 added, 0 changed",
        "Added by another import meanwhile: 3 rows",
    ] {
        assert!(ended.stdout.contains(line), "{line}: {}", ended.stdout);
    }
    let listed = stage.frontdesk(&["call", "learn", "list_cohorts"]);
    assert_eq!(listed.json()["cohorts"].as_array().map(Vec::len), Some(3));
}

#[test]
fn what_two_machines_add_at_the_same_time_is_added_once() {
    let text = "Name,Email\nAna,ana@example.org\nBia,bia@example.org\n";
    let tool = ["events", "create_event_guest"];
    let (stage, ended) = beside_another(tool, text, &["--key", "email"]);
    succeeds(&ended);
    let line = "Added by another import meanwhile: 2 rows";
    assert!(ended.stdout.contains(line), "{}", ended.stdout);
    assert_eq!(names(&stage), ["Ana", "Bia"]);
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
        ended.stdout.contains("Same                   2"),
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
fn a_file_of_too_many_columns_is_refused() {
    let stage = Stage::of(Role::Staff);
    let text = |count: usize| {
        let names: Vec<_> = (1..=count).map(|at| format!("tags.c{at}")).collect();
        let cells: Vec<_> = (1..=count).map(|at| at.to_string()).collect();
        format!("name,{}\nAna,{}\n", names.join(","), cells.join(","))
    };
    let most = "it has 1001 columns; a file has at most 1000: remove those that are not imported";
    import(&stage, text(1000), &["--yes"]).fails(2, most);
    let record = |at: usize| format!(r#"{{"name": "Guest {at}", "c{at}": 1}}"#);
    let records: Vec<_> = (0..1000).map(record).collect();
    let json = format!("[{}]", records.join(","));
    import(&stage, json, &["--yes"]).fails(2, most);
    succeeds(&import(&stage, text(999), &["--yes"]));
    let tags = guests(&stage)[0]["tags"]
        .as_object()
        .map(serde_json::Map::len);
    assert_eq!(tags, Some(999));
}

/// The pipe has a writer, so that a program that opens it reads what it should not.
#[cfg(unix)]
#[test]
fn a_pipe_is_refused() {
    let stage = Stage::of(Role::Staff);
    let pipe = stage.directory().join("guests.csv");
    let kind = rustix::fs::FileType::Fifo;
    let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, kind, mode, 0).expect("a pipe");
    let path = pipe.to_str().expect("text").to_owned();
    std::thread::spawn(move || std::fs::write(pipe, "name\nAna\n"));
    let set = format!("event_id={}", stage.event);
    let arguments = [
        "import",
        "events",
        "create_event_guest",
        &path,
        "--yes",
        "--set",
        &set,
    ];
    stage.frontdesk(&arguments).fails(
        2,
        "guests.csv: it is not a regular file; save the rows in one and import that",
    );
    assert_eq!(names(&stage), [""; 0]);
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
