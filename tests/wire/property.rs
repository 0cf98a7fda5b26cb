//! Arbitrary text in any argument: the host does not fail, and returns accepted text, apart from invisible characters,
//! unchanged.

use std::ops::Range;

use frontdesk_protocol::text::visible;
use frontdesk_protocol::{Host, Role};
use frontdesk_tests::blocking::{Answer, Example, Http, Organization, answer_to, world};
use frontdesk_tests::property::holds;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::TestCaseError;
use reqwest::Method;
use reqwest::header::HeaderValue;
use serde_json::{Value, json};

fn has_not_failed(answer: &Answer, what: &dyn std::fmt::Debug) -> Result<(), TestCaseError> {
    prop_assert!(
        answer.status.as_u16() < 500,
        "{what:?}: {} {}",
        answer.status,
        answer.body
    );
    Ok(())
}

/// Characters with a meaning on the way, or that are hard to store.
const SPECIAL: &[&str] = &[
    "\0",
    "\u{1}",
    "\t",
    "\n",
    "\r\n",
    "\u{1b}[2J",
    "\u{7f}",
    "\u{85}",
    "\u{a0}",
    "\u{ad}",
    "\u{200b}",
    "\u{202e}",
    "\u{2028}",
    "\u{feff}",
    "\u{fffd}",
    "\u{fffe}",
    "\u{ffff}",
    "\u{10ffff}",
    "\u{e000}",
    "e\u{301}\u{301}",
    "é",
    "ß",
    "İ",
    "ı",
    "ſ",
    "ﷺ",
    "ǆ",
    "Å",
    "한",
    "😀",
    "👩‍👩‍👧",
    "%",
    "_",
    "\\",
    "\\\\",
    "\\u0000",
    "'",
    "\"",
    "''",
    "$1",
    "$limit",
    "$offset",
    ";",
    "--",
    "/*",
    "{",
    "}",
    "[",
    "]",
    "{}",
    "null",
    "true",
    "0",
    "-1",
    "1e999",
    "NaN",
    "infinity",
    "today",
    "2026-03-12",
    "2026-03-12T10:00:00Z",
    "-271821-04-20T00:00:00Z",
    "https://",
    "https://a/",
    "0190a1b2-0000-7000-8000-000000000001",
    "urn:uuid:",
    " ",
    "a",
];

/// Text of every kind.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![3 => select(SPECIAL).prop_map(str::to_owned), 1 => any::<String>(), 1 => "[ -~]{0,8}"];
    prop_oneof![
        8 => prop::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat()),
        1 => (select(SPECIAL), lengths()).prop_map(|(piece, times)| piece.repeat(times)),
    ]
}

fn lengths() -> Range<usize> {
    1..600
}

/// A tool, one of its text arguments, and the function that makes the argument from text.
#[derive(Debug, Clone)]
struct Slot {
    tool: &'static str,
    argument: String,
    kind: Kind,
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    Text,
    List,
    Value,
    Key,
}

fn slots() -> Vec<Slot> {
    let mut slots = Vec::new();
    for tool in Host::Events.tools() {
        let schema = tool.input_schema();
        for (argument, property) in schema["properties"].as_object().expect("properties") {
            let kind = property["type"].as_str().unwrap_or("string");
            let kinds: &[Kind] = match kind {
                "string" => &[Kind::Text],
                "array" => &[Kind::List],
                "object" => &[Kind::Value, Kind::Key],
                _ => continue,
            };
            for kind in kinds {
                slots.push(Slot {
                    tool: tool.name,
                    argument: argument.clone(),
                    kind: *kind,
                });
            }
        }
    }
    slots
}

impl Slot {
    fn value(&self, text: &str) -> Value {
        match self.kind {
            Kind::Text => json!(text),
            Kind::List => json!([text]),
            Kind::Value => json!({ "a": text }),
            Kind::Key => json!({ text: 1 }),
        }
    }

    /// The argument's value in the written record.
    fn written<'a>(&self, output: &'a Value) -> Option<&'a Value> {
        let record = match self.tool.strip_prefix("list_") {
            Some(_) => return None,
            None => output
                .as_object()?
                .values()
                .find(|value| value.is_object())?,
        };
        record.get(&self.argument)
    }
}

/// A staff member and records to try the tools on.
fn desk() -> (Http, Example) {
    let organization = Organization::create();
    let mut staff = organization.sign_in(Role::Staff);
    let example = Example::create(&organization, &mut staff);
    (staff, example)
}

#[test]
fn no_text_in_an_argument_makes_a_tool_fail_and_accepted_text_comes_back() {
    let (staff, example) = desk();
    let slots = slots();
    assert!(slots.len() > 60, "{}", slots.len());
    holds(
        800,
        (any::<Index>(), text()),
        |(slot, text): (Index, String)| {
            let slot = slot.get(&slots);
            let mut arguments = example.required(slot.tool);
            arguments[&slot.argument] = slot.value(&text);
            let answer = staff.clone().events(slot.tool, arguments);
            has_not_failed(&answer, &(slot, &text))?;
            prop_assert!(
                answer.body.get("result").is_some(),
                "{slot:?} {text:?}: {}",
                answer.body
            );
            if answer.body["result"]["isError"] == false
            && let Some(written) = slot.written(answer.output())
            // Ids and times have their own form in answers.
            && !slot.argument.ends_with("_at") && !slot.argument.ends_with("_time")
            && !slot.argument.ends_with("_date") && !slot.argument.ends_with("id")
            && !slot.argument.ends_with("ids")
            {
                // Spaces around an address are removed.
                let kept = match slot.argument.ends_with("email") {
                    true => slot.value(text.trim()),
                    false => slot.value(&visible(&text)),
                };
                let is_cleared = written.is_null() && text.trim().is_empty();
                let kept = if is_cleared { Value::Null } else { kept };
                prop_assert_eq!(written, &kept, "{:?}", slot);
            }
            Ok(())
        },
    );
}

#[test]
fn a_guest_with_any_name_is_found() {
    let (staff, example) = desk();
    holds(200, text(), |text: String| {
        let mut staff = staff.clone();
        let arguments = json!({ "event_id": example.id("other"), "name": text });
        let created = staff.events("create_event_guest", arguments);
        has_not_failed(&created, &text)?;
        if created.body["result"]["isError"] == true {
            return Ok(());
        }
        let id = &created.output()["guest"]["id"];
        let arguments = json!({ "event_id": example.id("other"), "search": text, "limit": 100 });
        let found = staff.events("list_event_guests", arguments);
        let guests = found.output()["guests"].as_array().expect("guests");
        prop_assert!(
            guests.iter().any(|guest| guest["id"] == *id) || found.output()["has_more"] == true,
            "{text:?} is not found"
        );
        Ok(())
    });
}

#[test]
fn no_text_in_the_names_of_a_message_makes_a_host_fail() {
    let (staff, _) = desk();
    const PLACES: &[&str] = &[
        "method",
        "tool",
        "id",
        "jsonrpc",
        "cursor",
        "argument",
        "occurred_at",
        "version",
        "client",
    ];
    holds(
        300,
        (select(PLACES), text()),
        |(place, text): (&str, String)| {
            let mut staff = staff.clone();
            let answer = match place {
                "method" => staff.rpc(Host::Events, &text, json!({})),
                "tool" => staff.events(&text, json!({})),
                "argument" => staff.events("list_events", json!({ text.as_str(): 1 })),
                "cursor" => staff.rpc(Host::Events, "tools/list", json!({ "cursor": text })),
                "occurred_at" => staff.events_at("check_in_guest", json!({}), &text),
                "version" => staff.initialize(Host::Events, &text),
                "id" => {
                    let body = json!({ "jsonrpc": "2.0", "id": text, "method": "ping" });
                    let answer = staff.send(Host::Events, body.to_string());
                    let is_kept = json!(text).to_string().len() <= 1000;
                    let id = if is_kept { json!(text) } else { Value::Null };
                    prop_assert_eq!(&answer.body["id"], &id);
                    answer
                }
                "jsonrpc" => {
                    let body = json!({ "jsonrpc": text, "id": 1, "method": "ping" });
                    staff.send(Host::Events, body.to_string())
                }
                _ => {
                    let body = json!({
                        "jsonrpc": "2.0", "id": 1, "method": "initialize",
                        "params": {
                            "protocolVersion": "2025-06-18", "capabilities": { text.as_str(): {} },
                            "clientInfo": { "name": text, "version": text },
                        },
                    });
                    staff.send(Host::Events, body.to_string())
                }
            };
            has_not_failed(&answer, &(place, &text))
        },
    );
}

#[test]
fn no_body_makes_a_host_fail() {
    let (staff, _) = desk();
    let bodies = prop_oneof![
        prop::collection::vec(any::<u8>(), 0..200),
        text().prop_map(String::into_bytes),
        text().prop_map(|text| {
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{text}}}"#).into_bytes()
        }),
        text().prop_map(|text| {
            let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_event","arguments":"#;
            format!("{call}{text}}}}}").into_bytes()
        }),
    ];
    holds(300, bodies, |body: Vec<u8>| {
        let answer = staff.clone().send(Host::Events, body.clone());
        has_not_failed(&answer, &String::from_utf8_lossy(&body))
    });
}

#[test]
fn no_text_in_a_header_makes_a_host_fail() {
    let (staff, _) = desk();
    const HEADERS: &[&str] = &[
        "authorization",
        "mcp-session-id",
        "mcp-protocol-version",
        "content-type",
        "accept",
        "origin",
        "host",
    ];
    let values = prop_oneof![
        text().prop_map(String::into_bytes),
        "[A-Za-z0-9_-]{0,120}".prop_map(String::into_bytes),
        "Bearer [A-Za-z0-9_-]{0,40}\\.[A-Za-z0-9_-]{0,40}\\.[A-Za-z0-9_-]{0,40}"
            .prop_map(String::into_bytes),
    ];
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    holds(
        300,
        (select(HEADERS), values),
        |(header, value): (&str, Vec<u8>)| {
            // An invalid header value cannot be sent.
            let Ok(sent) = HeaderValue::from_bytes(&value) else {
                return Ok(());
            };
            let mut staff = staff.clone();
            let session = staff.session(Host::Events);
            let mut request = staff.request(Method::POST, "/events/mcp").body(ping);
            for (name, usual) in [
                ("authorization", format!("Bearer {}", staff.token)),
                ("mcp-session-id", session),
                ("content-type", "application/json".to_owned()),
            ] {
                if name != header {
                    request = request.header(name, usual);
                }
            }
            let answer = answer_to(request.header(header, sent));
            has_not_failed(&answer, &(header, String::from_utf8_lossy(&value)))
        },
    );
}

#[test]
fn no_path_makes_a_host_fail() {
    let (staff, _) = desk();
    holds(
        200,
        "(/[!-~]{0,12}){0,4}(\\?[!-~]{0,12})?",
        |path: String| {
            for method in [Method::GET, Method::POST] {
                let request = staff
                    .request(method, &format!("/{path}"))
                    .bearer_auth(&staff.token);
                has_not_failed(&answer_to(request), &path)?;
            }
            Ok(())
        },
    );
}

#[test]
fn no_text_in_a_refresh_makes_a_host_fail() {
    let http = Http::with_token(&world().url(), "");
    holds(
        200,
        (text(), any::<bool>()),
        |(text, raw): (String, bool)| {
            let answer = if raw {
                let request = http.request(Method::POST, "/events/auth/refresh");
                answer_to(request.body(text.clone()))
            } else {
                http.refresh(Some(Host::Events), &text)
            };
            has_not_failed(&answer, &text)?;
            prop_assert_eq!(answer.status.as_u16(), 400, "{:?}", text);
            Ok(())
        },
    );
}

#[test]
fn no_text_in_a_grant_makes_the_host_fail() {
    let http = Http::with_token(&world().url(), "");
    // Each case costs a password check: few cases.
    holds(
        32,
        (text(), text()),
        |(email, password): (String, String)| {
            let answer = http.password_grant(&email, &password);
            has_not_failed(&answer, &(email, password))
        },
    );
    holds(
        100,
        (text(), any::<bool>()),
        |(text, is_body): (String, bool)| {
            let request = if is_body {
                http.request(Method::POST, "/auth/v1/token?grant_type=password")
                    .body(text.clone())
            } else {
                let text: String = text.bytes().map(|byte| format!("%{byte:02x}")).collect();
                http.request(Method::POST, &format!("/auth/v1/token?grant_type={text}"))
            };
            has_not_failed(&answer_to(request.header("apikey", "demo")), &text)
        },
    );
}
