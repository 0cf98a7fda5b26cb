//! Answers of tools: sorting, searching, paging, exporting.

use std::process::Command;

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::{Answer, Desk, Http, LAUNCH, School, row, run, selected, world};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use crate::flows::tools::at_the_form;

/// Opens the first five guests of the event.
fn at_the_guests() -> (Desk, Http) {
    let school = School::launch();
    let mut t = at_the_form(school.desk(Role::Staff), "list_event_guests");
    fill(&mut t, "Event", &school.event_id(LAUNCH).to_string());
    fill(&mut t, "Limit", "5");
    t.press("ctrl-s")
        .expect_row(row("5 records, more available"));
    let staff = run(school.sign_in(Role::Staff));
    (t, staff)
}

/// Types into a field of the form.
fn fill(t: &mut Desk, label: &str, text: &str) {
    for _ in 0..12 {
        if t.screen().contains(&format!("▸ {label}")) {
            t.type_text(text);
            return;
        }
        t.press("tab");
    }
    panic!("there is no field {label}");
}

#[test]
fn a_list_is_sorted_and_searched_page_by_page() {
    let (mut t, _) = at_the_guests();
    t.expect_row(selected("Ana Souza")).press("down");
    t.expect_row(selected("Anna-Maria"));
    t.press("b b").expect_row(row("this page only"));
    t.expect_row(selected("Anna-Maria"))
        .text_snapshot("answer_sorted");
    t.press("/").type_text("oberg");
    t.expect_row(selected("Åsa Öberg"))
        .expect_row(row("1 of 5"));
    // The search and the order apply to the next page, too.
    t.press("enter").expect_row(row("one record")).press("esc");
    t.press("esc n")
        .expect_row(row("records 6 to 10, more available"));
    t.expect_row(row("Name ↓"))
        .text_snapshot("answer_next_page");
    t.press("n").expect_row(row("records 11 to 12"));
    assert!(t.cannot_run("answer.next_page").contains("last page"));
    t.press("p").expect_row(row("records 6 to 10"));
}

#[test]
fn cells_records_and_the_call_are_copied() {
    let (mut t, staff) = at_the_guests();
    t.press("c C T u");
    for what in [
        "the value",
        "the record as JSON",
        "tab-separated",
        "as a curl command",
    ] {
        t.expect_toast(what);
    }
    let [name, record, row, curl] = t.copied() else {
        panic!("four things are copied: {:?}", t.copied());
    };
    assert_eq!(name, "Ana Souza");
    let record: Value = serde_json::from_str(record).expect("JSON");
    assert_eq!(record["name"], "Ana Souza");
    assert!(row.starts_with("Ana Souza\t"), "{row}");
    // It makes the same call for anybody with the token.
    assert!(!curl.contains(staff.token()), "{curl}");
    let answer = done_by_curl(curl, &staff);
    let guests = &answer["result"]["structuredContent"]["guests"];
    assert_eq!(guests.as_array().map(Vec::len), Some(5), "{answer}");
    assert_eq!(guests[0], record);
}

#[test]
fn an_answer_becomes_a_file_in_three_forms() {
    let (mut t, _) = at_the_guests();
    t.press("x").expect_row(row("Exports the 5 records"));
    t.text_snapshot("answer_export");
    t.press("j x c x m");
    for ending in ["json", "csv", "md"] {
        let name = format!("frontdesk-list-event-guests-2025-03-12.{ending}");
        t.expect_toast(&name);
        let path = t.directory().join(&name);
        let text = std::fs::read_to_string(path).expect("a file");
        match ending {
            "json" => {
                let value: Value = serde_json::from_str(&text).expect("JSON");
                assert_eq!(value["guests"].as_array().map(Vec::len), Some(5));
            }
            _ => {
                assert!(text.contains("Ana Souza"), "{text}");
                // The heading, its rule in Markdown, and the guests.
                let lines = text.lines().filter(|line| line.contains("João Silva"));
                assert_eq!(lines.count(), 2, "{text}");
            }
        }
    }
    // No file is overwritten, or written twice.
    t.press("x j").expect_toast("2025-03-12.json");
}

#[test]
fn a_result_shows_amounts_names_and_tables_as_a_record_does() {
    let school = School::launch();
    let mut owner = school.colleague(Role::Owner);
    let invoice = json!({
        "billed_to": "Ana", "description": "Spring term", "amount": 300, "due_on": "2025-04-01",
    });
    let made = owner.make(Host::Staff, "create_invoice", invoice);
    let id = made["id"].as_str().expect("an id");
    owner.make(Host::Staff, "mark_invoice_sent", json!({ "id": id }));
    for (amount, day) in [(100.0, "2025-03-03"), (50.5, "2025-03-10")] {
        let payment = json!({ "invoice_id": id, "amount": amount, "paid_on": day });
        owner.make(Host::Staff, "record_payment", payment);
    }
    let member = json!({ "name": "Zuri Abara" });
    let member = owner.make(Host::Learn, "create_member", member);
    let task = json!({
        "event_id": school.event_id(LAUNCH), "title": "Chairs", "assignee_id": member["id"],
    });
    owner.make(Host::Events, "create_event_task", task);

    let mut t = at_the_form(school.desk(Role::Owner), "get_invoice");
    t.type_text(id).press("ctrl-s");
    t.expect_row(row("Amount ").with("300.00"))
        .expect_row(row("Due on").with("1 Apr"))
        .expect_row(row("Payments"))
        .expect_row(row("100.00").with("3 Mar"))
        .expect_row(row(" 50.50").with("10 Mar"));

    let mut t = at_the_form(school.desk(Role::Owner), "list_event_tasks");
    t.type_text(&school.event_id(LAUNCH).to_string())
        .press("ctrl-s");
    t.expect_row(selected("Chairs").with("Zuri Abara"));
}

/// The answer of the command in a shell. Without curl, the test sends the request that the shell passes to it.
fn done_by_curl(command: &str, caller: &Http) -> Value {
    let shell = |script: &str| {
        let output = Command::new("sh")
            .args(["-c", script])
            .env("FRONTDESK_TOKEN", caller.token())
            .env("NO_PROXY", "*")
            .output()
            .expect("a shell");
        String::from_utf8(output.stdout).expect("text")
    };
    if Command::new("curl").arg("--version").output().is_ok() {
        let printed = shell(command);
        let answer = serde_json::from_str(&printed);
        return answer.unwrap_or_else(|_| panic!("{command}\nprinted {printed}"));
    }
    let words = shell(&format!("curl() {{ printf '%s\\0' \"$@\"; }}; {command}"));
    let mut words = words.split('\0');
    let mut request = None;
    while let Some(word) = words.next() {
        let given = request.take();
        request = match word {
            "-H" => {
                let header = words.next().and_then(|header| header.split_once(": "));
                let (name, value) = header.expect("a header");
                given.map(|request: RequestBuilder| request.header(name, value))
            }
            "--data-raw" => {
                let body = words.next().expect("a body").to_owned();
                given.map(|request| request.body(body))
            }
            word if word.starts_with("http") => {
                let path = word.strip_prefix(&world().url()).expect("of the host");
                Some(caller.request(Method::POST, path))
            }
            _ => given,
        };
    }
    run(Answer::to(request.expect("an address"))).body
}

#[test]
fn a_thumbnail_is_drawn_and_becomes_a_file() {
    let school = School::new();
    let mut t = at_the_form(school.desk(Role::Teacher), "generate_thumbnail");
    fill(&mut t, "Title", "Ownership");
    fill(&mut t, "Background", "#2040a0");
    t.press("ctrl-s").expect_row(selected("1280×720"));
    t.select("1280×720").press("enter");
    // Two pixels a cell, in the requested colour.
    t.expect_row(row("▀")).expect_row(row("1280×720"));
    assert!(t.styled().contains("Rgb(32, 64, 160)"), "{}", t.styled());
    t.resize(100, 40).expect_row(row("▀"));
    t.press("w").expect_toast(".png");
    let files = std::fs::read_dir(t.directory()).expect("a directory");
    let files = files.map(|file| file.expect("a file").path());
    let png = files.filter(|path| path.extension().is_some_and(|end| end == "png"));
    let png = std::fs::read(png.last().expect("a picture")).expect("is read");
    let size = imagesize::blob_size(&png).expect("a PNG");
    assert_eq!((size.width, size.height), (1280, 720));
}

#[test]
fn without_colours_a_picture_is_described() {
    let school = School::new();
    let desk = school.desk(Role::Teacher).no_color();
    let mut t = at_the_form(desk, "generate_thumbnail");
    fill(&mut t, "Title", "Ownership");
    t.press("ctrl-s").select("1280×720").press("enter");
    t.expect_row(row("image/png")).expect_no("▀");
}
