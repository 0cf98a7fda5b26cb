//! `list_event_guests` with `_meta."frontdesk/guestsSince"`: the guests that were added or changed since an earlier answer.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::blocking::{Answer, world};
use serde_json::{Value, json};

use super::{Desk, pluck};

impl Desk {
    /// The answer for a place.
    fn asked(&mut self, place: &str, arguments: Value) -> Answer {
        let params = json!({
            "name": "list_event_guests", "arguments": arguments, "_meta": { "frontdesk/guestsSince": place },
        });
        self.staff.rpc(Host::Events, "tools/call", params)
    }

    /// The changes since an earlier answer, with the `next` place.
    fn since(&mut self, place: &str) -> Value {
        let answer = self.asked(place, json!({ "event_id": self.event }));
        let mut changes = answer.output().clone();
        changes["next"] = answer.body["result"]["_meta"]["frontdesk/next"].clone();
        changes
    }

    /// What changed after these changes.
    fn after(&mut self, changes: &Value) -> Value {
        let place = changes["next"].as_str().expect("a place").to_owned();
        self.since(&place)
    }
}

/// Whether no other transaction runs meanwhile: the embedded database has one session. Beside a running one, a guest that
/// changed after its beginning is listed again.
fn is_alone() -> bool {
    world().location().is_none()
}

#[track_caller]
fn lists(changes: &Value, names: &[&str]) {
    let mut found = pluck(&changes["guests"], "name");
    if !is_alone() {
        found.retain(|name| names.contains(&name.as_str()));
    }
    assert_eq!(found, names);
}

#[test]
fn only_the_guests_that_were_added_or_changed_since_the_last_answer_are_listed() {
    let mut desk = Desk::open();
    let [ana, bia] = ["Ana", "Bia"].map(|name| desk.organization.guest(desk.event, name));
    // The first page of the list.
    let start = desk.since("");
    lists(&start, &["Ana", "Bia"]);

    desk.get(
        "update_event_guest",
        json!({ "id": bia, "name": "Bia Reis" }),
    );
    let renamed = desk.after(&start);
    let guest = desk.get("get_event_guest", json!({ "id": bia }));
    lists(&renamed, &["Bia Reis"]);
    let listed = renamed["guests"].as_array().expect("a list");
    assert!(listed.contains(&guest["guest"]), "{renamed}");
    assert_eq!(renamed["has_more"], false);

    lists(&desk.after(&renamed), &[]);
    desk.get("check_in_guest", json!({ "id": ana }));
    desk.get(
        "create_event_guest",
        json!({ "event_id": desk.event, "name": "Caio" }),
    );
    let came = desk.after(&renamed);
    lists(&came, &["Ana", "Caio"]);
    // The earlier place still has everything after it.
    let all = desk.after(&start);
    lists(&all, &["Bia Reis", "Ana", "Caio"]);
}

#[test]
fn many_changes_come_in_parts_that_have_each_guest_once() {
    let mut desk = Desk::open();
    let start = desk.since("");
    let names: Vec<String> = (0..120)
        .map(|number| format!("Guest {number:03}"))
        .collect();
    let guests: Vec<Value> = names.iter().map(|name| json!({ "name": name })).collect();
    let add = json!({ "event_id": desk.event, "guests": guests });
    desk.staff.call(Host::Ops, "add_guests", add).output();

    let (mut place, mut seen) = (start, Vec::new());
    loop {
        place = desk.after(&place);
        assert!(place["guests"].as_array().expect("a list").len() <= 50);
        seen.extend(pluck(&place["guests"], "name"));
        if place["has_more"] == false {
            break;
        }
    }
    seen.sort();
    if !is_alone() {
        seen.dedup();
    }
    assert_eq!(seen, names);
    lists(&desk.after(&place), &[]);
}

#[test]
fn a_fellow_follows_only_their_own_entry() {
    let mut desk = Desk::open();
    let start = desk.since("");
    desk.organization.guest(desk.event, "Ana");
    let own =
        json!({ "event_id": desk.event, "name": "Fellow", "member_id": desk.organization.fellow });
    desk.get("create_event_guest", own);
    let mut fellow = Desk {
        staff: desk.organization.sign_in(Role::Fellow),
        ..desk
    };
    let changes = fellow.after(&start);
    assert_eq!(pluck(&changes["guests"], "name"), ["Fellow"]);
}

#[test]
fn a_place_of_another_database_has_no_changes_and_no_place_is_refused() {
    let mut desk = Desk::open();
    assert_eq!(desk.since("18000000000000000000")["next"], Value::Null);
    for wrong in [
        "x",
        "1.",
        "1.2.3",
        "-1",
        "1.00000000-0000-0000-0000-000000000001",
    ] {
        let answer = desk.asked(wrong, json!({ "event_id": desk.event }));
        answer.refuses("invalid_argument", "_meta.frontdesk/guestsSince");
    }
    let searched = json!({ "event_id": desk.event, "search": "ana" });
    let answer = desk.asked("1", searched);
    answer.refuses("invalid_argument", "_meta.frontdesk/guestsSince");
}

#[test]
fn a_change_that_ends_after_later_ones_is_not_left_out() {
    if is_alone() {
        return;
    }
    let mut desk = Desk::open();
    let [ana, bia] = ["Ana", "Bia"].map(|name| desk.organization.guest(desk.event, name));
    let start = desk.since("");
    let slow = world().owner();
    slow.batch_execute("begin").expect("begins");
    slow.execute(
        "update events.guests set role = 'speaker' where id = $1",
        &[&ana.0],
    )
    .expect("changes");
    desk.get("check_in_guest", json!({ "id": bia }));
    let first = desk.after(&start);
    lists(&first, &["Bia"]);
    slow.batch_execute("commit").expect("commits");
    let second = desk.after(&first);
    assert!(pluck(&second["guests"], "name").contains(&"Ana".to_owned()));
}
