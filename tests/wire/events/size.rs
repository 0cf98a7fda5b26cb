//! Sizes of stored values and of answers.

use frontdesk_tests::blocking::world;
use serde_json::{Value, json};

use super::{Desk, pluck};

/// Numbers of six bytes in a request, and of three hundred as PostgreSQL writes them.
fn growing(count: usize) -> Value {
    json!({ "n": vec![1e-300; count] })
}

#[test]
fn tags_are_limited_as_they_are_written() {
    let mut desk = Desk::open();
    let event = desk.event;
    let named = |tags: Value| json!({ "event_id": event, "name": "Ana", "tags": tags });
    let created = desk.get("create_event_guest", named(growing(50)));
    let update = json!({ "id": created["guest"]["id"], "tags": growing(60) });
    for (tool, arguments) in [
        ("create_event_guest", named(growing(60))),
        ("update_event_guest", update),
        ("add_event_guest", named(growing(60))),
    ] {
        assert!(arguments.to_string().len() < 1024);
        let answer = desk.call(tool, arguments);
        answer.refuses("invalid_argument", "tags");
        let message = answer.tool_error()["message"].to_string();
        assert!(message.contains("16384 bytes"), "{message}");
    }
    let guests = desk.get("list_event_guests", json!({ "event_id": event }));
    assert_eq!(guests["guests"], json!([created["guest"]]));
}

#[test]
fn tags_are_limited_with_those_that_the_guest_has() {
    let mut desk = Desk::open();
    let (event, member) = (desk.event, desk.organization.member);
    let tagged = |key: &str| json!({ "event_id": event, "name": "Ana", "member_id": member, "tags": { key: "x".repeat(10_000) } });
    let added = desk.get("add_event_guest", tagged("one"));
    let answer = desk.call("add_event_guest", tagged("two"));
    answer.refuses("invalid_argument", "tags");
    let guest = desk.get("get_event_guest", json!({ "id": added["guest"]["id"] }));
    assert_eq!(guest["guest"], added["guest"]);
}

#[test]
fn a_page_ends_before_its_answer_is_four_megabytes_and_the_next_one_goes_on() {
    let mut desk = Desk::open();
    // Quotation marks grow most in an answer.
    let owner = world().owner();
    owner
        .execute(
            "insert into events.guests (organization_id, event_id, name, tags) \
             select $1, $2, 'Guest ' || n, jsonb_build_object('a', repeat('\"', 8000)) \
             from generate_series(100, 199) n",
            &[&desk.organization.id.0, &desk.event.0],
        )
        .expect("guests");
    drop(owner);
    let mut names = Vec::new();
    let mut pages = 0;
    loop {
        let arguments = json!({ "event_id": desk.event, "limit": 100, "offset": names.len() });
        let answer = desk.call("list_event_guests", arguments);
        let bytes: usize = answer.header("content-length").parse().expect("a length");
        assert!(bytes < 4_000_000, "{bytes}");
        let page = answer.output();
        names.extend(pluck(&page["guests"], "name"));
        pages += 1;
        if page["has_more"] == false {
            break;
        }
    }
    let all: Vec<_> = (100..200).map(|n| format!("Guest {n}")).collect();
    assert_eq!(names, all);
    assert_eq!(pages, 2);
}

#[test]
fn whole_numbers_in_tags_come_back_as_they_were_sent_or_are_refused() {
    let mut desk = Desk::open();
    let send = |number: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"create_event_guest",
               "arguments":{{"event_id":"{}","name":"Ana","tags":{{"a":[{{"n":{number}}}]}}}}}}}}"#,
            desk.event
        )
    };
    let taken = [
        "9007199254740993",
        "-9223372036854775808",
        "18446744073709551615",
    ];
    let refused = [
        "18446744073709551616",
        "-9223372036854775809",
        "123456789012345678901234567890",
        "1e300",
    ];
    let bodies = taken.map(|number| (number, send(number)));
    let too_large = refused.map(send);
    for (number, body) in bodies {
        let answer = desk.staff.send(frontdesk_protocol::Host::Events, body);
        let guest = &answer.output()["guest"];
        assert_eq!(guest["tags"]["a"][0]["n"].to_string(), number);
    }
    for body in too_large {
        let answer = desk.staff.send(frontdesk_protocol::Host::Events, body);
        answer.refuses("invalid_argument", "tags");
    }
}
