//! Actions: several calls that the history lists as one change, and that are undone as a whole.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::Answer;
use frontdesk_tests::blocking::{Http, Organization};
use serde_json::{Value, json};

/// Staff with two guests of an event.
struct Desk {
    organization: Organization,
    staff: Http,
    event: Value,
    guests: [Value; 2],
}

impl Desk {
    fn new() -> Desk {
        let organization = Organization::create();
        let event = organization.event("Open day");
        let guests = ["Ana", "Bia"].map(|name| json!(organization.guest(event, name)));
        Desk {
            organization,
            staff: organization.sign_in(Role::Staff),
            event: json!(event),
            guests,
        }
    }

    /// The guests by name, with their roles.
    fn guests(&mut self) -> Vec<(String, Value)> {
        let arguments = json!({ "event_id": self.event });
        let listed = self
            .staff
            .call(Host::Events, "list_event_guests", arguments);
        let guests = listed.output()["guests"].as_array().cloned();
        let guests = guests.into_iter().flatten();
        guests
            .map(|guest| {
                (
                    guest["name"].as_str().unwrap_or_default().to_owned(),
                    guest["role"].clone(),
                )
            })
            .collect()
    }

    /// Adds Cleo, and gives both guests a role, in a new action. Returns its id, and that of its last call.
    fn act(&mut self) -> (Value, Value) {
        let first = json!({ "event_id": self.event, "name": "Cleo" });
        let answer = call(&mut self.staff, "create_event_guest", first, json!("new"));
        let action = meta(&answer, "frontdesk/action");
        let mut last = Value::Null;
        for guest in self.guests.clone() {
            let arguments = json!({ "id": guest, "role": "vip" });
            let answer = call(
                &mut self.staff,
                "update_event_guest",
                arguments,
                action.clone(),
            );
            assert_eq!(meta(&answer, "frontdesk/action"), action);
            last = meta(&answer, "frontdesk/change");
        }
        (action, last)
    }
}

fn call(http: &mut Http, tool: &str, arguments: Value, action: Value) -> Answer {
    let meta = json!({ "frontdesk/action": action });
    let params = json!({ "name": tool, "arguments": arguments, "_meta": meta });
    http.rpc(Host::Events, "tools/call", params)
}

fn meta(answer: &Answer, name: &str) -> Value {
    answer.result()["_meta"][name].clone()
}

fn undo(http: &mut Http, change: &Value) -> Answer {
    http.call(Host::Ops, "undo_change", json!({ "change_id": change }))
}

fn listed(http: &mut Http, arguments: Value) -> Vec<Value> {
    let answer = http.call(Host::Ops, "list_changes", arguments);
    answer.output()["changes"]
        .as_array()
        .cloned()
        .unwrap_or_default()
}

fn names(guests: &[(String, Value)]) -> Vec<&str> {
    guests.iter().map(|(name, _)| name.as_str()).collect()
}

#[test]
fn an_action_is_one_change_that_is_undone_and_restored_as_a_whole() {
    let mut desk = Desk::new();
    let before = desk.guests();
    let (action, last) = desk.act();
    let after = desk.guests();
    assert_eq!(names(&after), ["Ana", "Bia", "Cleo"]);
    let changes = listed(&mut desk.staff, json!({}));
    let changes: Vec<_> = (changes.iter())
        .map(|change| (&change["id"], &change["calls"], &change["summary"]))
        .collect();
    let summary = json!("added 1 guest, changed 2 guests");
    assert_eq!(changes, [(&action, &json!(3), &summary)]);
    // A record's changes are the calls that changed it.
    let of_record = listed(&mut desk.staff, json!({ "record_id": desk.guests[1] }));
    assert_eq!(of_record.len(), 1);
    assert_eq!(of_record[0]["id"], last);
    // An action counts once.
    let other = json!({ "id": desk.guests[0], "role": "vip", "email": "ana@example.org" });
    let other = call(&mut desk.staff, "update_event_guest", other, json!("new"));
    let params = json!({
        "name": "list_changes", "arguments": { "limit": 1 }, "_meta": { "frontdesk/total": "exact" },
    });
    let counted = desk.staff.rpc(Host::Ops, "tools/call", params);
    assert_eq!(counted.output()["total"], 2);
    undo(&mut desk.staff, &meta(&other, "frontdesk/action")).output();
    let whole = desk
        .staff
        .call(Host::Ops, "get_change", json!({ "change_id": action }));
    assert_eq!(
        whole.output()["change"]["changes"]["rows"]
            .as_array()
            .map(Vec::len),
        Some(3)
    );

    let undone = undo(&mut desk.staff, &action);
    let undone = undone.output()["change"]["id"].clone();
    assert_eq!(desk.guests(), before);
    undo(&mut desk.staff, &last).refuses_with(
        "conflict",
        "change_id",
        "the action of which this change is a part was already undone",
    );
    undo(&mut desk.staff, &undone).output();
    assert_eq!(desk.guests(), after);
}

#[test]
fn what_was_undone_by_itself_is_left_out() {
    let mut desk = Desk::new();
    let before = desk.guests();
    let (action, last) = desk.act();
    undo(&mut desk.staff, &last).output();
    undo(&mut desk.staff, &action).output();
    assert_eq!(desk.guests(), before);
}

#[test]
fn nothing_is_left_to_undo_of_an_action_whose_calls_were_undone_one_by_one() {
    let mut desk = Desk::new();
    let mut change = || {
        let guest = json!({ "id": desk.guests[0], "role": "vip" });
        let answer = call(&mut desk.staff, "update_event_guest", guest, json!("new"));
        let change = meta(&answer, "frontdesk/change");
        undo(&mut desk.staff, &change).output();
        meta(&answer, "frontdesk/action")
    };
    let action = change();
    let why = "each change of this action was already undone";
    undo(&mut desk.staff, &action).refuses_with("refused", "change_id", why);
}

#[test]
fn a_change_of_another_call_between_two_of_an_action_is_not_lost() {
    let mut desk = Desk::new();
    let guest = desk.guests[0].clone();
    let with = |role: &str| json!({ "id": guest, "role": role });
    let answer = call(
        &mut desk.staff,
        "update_event_guest",
        with("vip"),
        json!("new"),
    );
    let action = meta(&answer, "frontdesk/action");
    let other = json!({ "id": guest, "email": "ana@example.org" });
    desk.staff
        .call(Host::Events, "update_event_guest", other)
        .output();
    call(
        &mut desk.staff,
        "update_event_guest",
        with("speaker"),
        action.clone(),
    );
    undo(&mut desk.staff, &action).refuses("conflict", "change_id");
    let found = desk
        .staff
        .call(Host::Events, "get_event_guest", json!({ "id": guest }));
    let found = found.output()["guest"].clone();
    assert_eq!(
        (&found["role"], &found["email"]),
        (&json!("speaker"), &json!("ana@example.org"))
    );
}

#[test]
fn an_action_belongs_to_its_caller_and_is_undone_with_every_right_or_not_at_all() {
    let mut desk = Desk::new();
    let (action, last) = desk.act();
    let mut owner = desk.organization.sign_in(Role::Owner);
    let arguments = json!({ "event_id": desk.event, "name": "Duda" });
    for (http, foreign) in [(&mut owner, &action), (&mut desk.staff, &last)] {
        let refused = call(
            http,
            "create_event_guest",
            arguments.clone(),
            foreign.clone(),
        );
        let message = "is the id of another change: choose a new one";
        refused.refuses_with("invalid_argument", "_meta.frontdesk/action", message);
    }
    assert_eq!(names(&desk.guests()), ["Ana", "Bia", "Cleo"]);

    undo(&mut desk.organization.sign_in(Role::Teacher), &action).refuses("not_found", "change_id");

    // A global admin may take back the first call, and not the second.
    desk.organization.level(Role::Owner, 100);
    desk.organization.level(Role::Admin, 90);
    let answer = call(&mut owner, "create_event_guest", arguments, json!("new"));
    let action = meta(&answer, "frontdesk/action");
    let account = desk.organization.user(Role::Admin);
    let params = json!({
        "name": "set_account_level", "arguments": { "id": account, "level": 85 },
        "_meta": { "frontdesk/action": action },
    });
    owner.rpc(Host::Ops, "tools/call", params).output();
    let refused = undo(&mut desk.organization.sign_in(Role::Admin), &action);
    assert_eq!(refused.status, 403, "{}", refused.body);
    assert_eq!(names(&desk.guests()), ["Ana", "Bia", "Cleo", "Duda"]);
    undo(&mut owner, &action).output();
    assert_eq!(names(&desk.guests()), ["Ana", "Bia", "Cleo"]);
}

/// A step takes back whole calls until it has 200 rows.
#[test]
fn a_large_action_is_undone_in_steps_of_its_latest_calls_and_so_restored() {
    let mut desk = Desk::new();
    let before = desk.guests();
    let mut action = json!("new");
    for part in ["A", "B", "C"] {
        let guests: Vec<_> = (0..150)
            .map(|number| {
                json!({ "tool": "create_event_guest", "arguments": {
                "event_id": desk.event, "name": format!("{part} {number:03}"),
            } })
            })
            .collect();
        let batch = json!({ "host": "events", "calls": guests });
        let params = json!({
            "name": "run_batch", "arguments": batch, "_meta": { "frontdesk/action": action },
        });
        let answer = desk.staff.rpc(Host::Ops, "tools/call", params);
        action = meta(&answer, "frontdesk/action");
    }
    let after = count(&mut desk);
    assert_eq!(after, 452);
    let change = |desk: &mut Desk| {
        let listed = listed(&mut desk.staff, json!({ "tool": "run_batch" }));
        ["can_undo", "undone_by"].map(|field| listed[0][field].clone())
    };

    let step = undo(&mut desk.staff, &action);
    let first = step.output()["change"].clone();
    assert_eq!(
        (&first["rows"], &first["rows_left"]),
        (&json!(300), &json!(150))
    );
    assert_eq!(
        step.output()["warnings"],
        json!(["150 rows of the action are left: undo it again"])
    );
    assert_eq!(count(&mut desk), 152);
    assert_eq!(change(&mut desk), [json!(true), Value::Null]);
    let rest = undo(&mut desk.staff, &action);
    let last = rest.output()["change"].clone();
    assert_eq!(
        (&last["rows"], &last["rows_left"]),
        (&json!(150), &json!(0))
    );
    assert_eq!(desk.guests(), before);
    assert_eq!(change(&mut desk), [json!(false), last["id"].clone()]);
    undo(&mut desk.staff, &action).refuses_with(
        "conflict",
        "change_id",
        "this change was already undone",
    );

    // A step is restored by itself, or all of them, since they are an action.
    let all = meta(&rest, "frontdesk/action");
    undo(&mut desk.staff, &first["id"]).output();
    assert_eq!(count(&mut desk), 302);
    assert_eq!(change(&mut desk), [json!(true), Value::Null]);
    undo(&mut desk.staff, &all).output();
    assert_eq!(count(&mut desk), after);
    undo(&mut desk.staff, &action).output();
    assert_eq!(count(&mut desk), 152);
}

fn count(desk: &mut Desk) -> u64 {
    let params = json!({
        "name": "list_event_guests", "arguments": { "event_id": desk.event, "limit": 1 },
        "_meta": { "frontdesk/total": "exact" },
    });
    let listed = desk.staff.rpc(Host::Events, "tools/call", params);
    listed.output()["total"].as_u64().unwrap_or_default()
}
