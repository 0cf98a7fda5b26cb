//! What a tool answered: sorted, searched, paged through, taken along.

use std::process::Command;

use frontdesk_protocol::Role;
use frontdesk_tests::builder::PASSWORD;
use frontdesk_tests::{Answer, Desk, Http, desk, run, selected, world};
use reqwest::{Method, RequestBuilder};
use serde_json::Value;

use crate::launch::launch;
use crate::tools::at_the_form;

/// At the first five guests of the event.
async fn at_the_guests() -> (Desk, Http) {
    let (organization, event) = launch().await;
    let setup = desk(&organization).signed_in_as(Role::Staff);
    let mut t = at_the_form(setup, "list_event_guests").await;
    fill(&mut t, "Event id", &event.to_string()).await;
    fill(&mut t, "Limit", "5").await;
    t.press("ctrl-s")
        .await
        .expect("5 records, and there are more");
    let email = t.database().email(Role::Staff).await;
    let staff = Http::sign_in(&world().url(), &email, PASSWORD).await;
    (t, staff)
}

/// Types into a field of the form.
async fn fill(t: &mut Desk, label: &str, text: &str) {
    for _ in 0..12 {
        if t.screen().contains(&format!("▸ {label}")) {
            t.type_text(text).await;
            return;
        }
        t.press("tab").await;
    }
    panic!("there is no field {label}");
}

#[test]
fn a_list_is_sorted_and_searched_page_by_page() {
    run(async {
        let (mut t, _) = at_the_guests().await;
        t.expect_row(selected("Ana Souza")).press("down").await;
        t.expect_row(selected("Anna-Maria"));
        t.press("b b").await.expect("of this page alone");
        t.expect_row(selected("Anna-Maria"))
            .snapshot("answer_sorted")
            .await;
        t.press("/").await.type_text("oberg").await;
        t.expect_row(selected("Åsa Öberg")).expect("1 of 5");
        // The next page is searched and sorted as this one was.
        t.press("enter")
            .await
            .expect("one record")
            .press("esc")
            .await;
        t.press("esc n")
            .await
            .expect("records 6 to 10, and there are more");
        t.expect("name ↓").snapshot("answer_next_page").await;
        t.press("n").await.expect("records 11 to 12");
        assert!(
            t.cannot_run("answer.next_page")
                .contains("there is no more")
        );
        t.press("p").await.expect("records 6 to 10");
    });
}

#[test]
fn cells_records_and_the_call_are_taken_along() {
    run(async {
        let (mut t, staff) = at_the_guests().await;
        t.press("c C T u").await;
        for what in [
            "the value",
            "the record as JSON",
            "parted by tabs",
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
        // It does what was done here, for whoever has the token.
        assert!(!curl.contains(staff.token()), "{curl}");
        let answer = done_by_curl(curl, &staff).await;
        let guests = &answer["result"]["structuredContent"]["guests"];
        assert_eq!(guests.as_array().map(Vec::len), Some(5), "{answer}");
        assert_eq!(guests[0], record);
    });
}

#[test]
fn an_answer_becomes_a_file_in_three_forms() {
    run(async {
        let (mut t, _) = at_the_guests().await;
        t.press("x").await.expect("All that is loaded: 5 records");
        t.snapshot("answer_export").await;
        t.press("j x c x m").await;
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
        // Nothing is written over.
        t.press("x j").await.expect_toast("2025-03-12-2.json");
    });
}

#[test]
fn json_folds_and_what_is_nested_opens() {
    run(async {
        let (mut t, _) = at_the_guests().await;
        t.press("tab z down right").await;
        t.expect_row(selected("- guests: 5 items"))
            .expect("+ 0: Ana Souza · ")
            .snapshot("answer_tree")
            .await;
        t.press("/")
            .await
            .type_text("siobhan")
            .await
            .expect("Nothing with");
        t.press("esc tab").await.expect_row(selected("Ana Souza"));
        t.press("enter").await.expect_row(selected("name"));
        t.press("c").await.expect_toast("Copied the value");
        assert_eq!(t.copied().last().map(String::as_str), Some("Ana Souza"));
    });
}

/// What the command answers in a shell. Where there is no curl, what a shell would give to it is sent.
async fn done_by_curl(command: &str, caller: &Http) -> Value {
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
    Answer::to(request.expect("an address")).await.body
}
