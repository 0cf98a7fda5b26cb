//! The counts of an event cover the guests that the caller sees.

use frontdesk_protocol::Role;
use frontdesk_tests::blocking::Http;
use serde_json::{Value, json};

use crate::access::stage::{Stage, write};

fn counts(http: &mut Http, stage: &Stage) -> [Value; 2] {
    let arguments = json!({ "id": stage.rows.event });
    let answer = http.events("get_event", arguments);
    let mut event = answer.output()["event"].clone();
    // Lists leave them out.
    if let Some(event) = event.as_object_mut() {
        event.remove("recent_arrivals");
        event.remove("ticket_tags");
    }
    let listed = http.events("list_events", json!({}));
    let listed = listed.output()["events"].as_array().cloned();
    let listed = listed.unwrap_or_default().into_iter().next();
    assert_eq!(listed.unwrap_or_default(), event, "the list and the record");
    [
        event["guest_count"].clone(),
        event["checked_in_count"].clone(),
    ]
}

#[test]
fn the_counts_of_an_event_follow_what_the_caller_sees() {
    let stage = Stage::set();
    stage.ours.guest(stage.rows.event, "Third");
    // The fellow has not come yet, another has.
    write(
        "update events.guests set check_in_at = now() where id = $1",
        &[&stage.rows.other_guest.0],
    );
    for role in Role::ALL {
        let mut http = stage.ours.sign_in(role);
        let expected = match role {
            Role::Fellow => [json!(1), json!(0)],
            Role::Automation => [Value::Null, Value::Null],
            _ => [json!(3), json!(1)],
        };
        assert_eq!(counts(&mut http, &stage), expected, "{role:?}");
    }
    write(
        "update events.guests set check_in_at = now() where id = $1",
        &[&stage.rows.own_guest.0],
    );
    let mut fellow = stage.ours.sign_in(Role::Fellow);
    assert_eq!(counts(&mut fellow, &stage), [json!(1), json!(1)]);
    let mut staff = stage.ours.sign_in(Role::Staff);
    assert_eq!(counts(&mut staff, &stage), [json!(3), json!(2)]);
}
