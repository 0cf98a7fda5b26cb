//! Writes with an idempotency key.

use frontdesk_protocol::id::EventId;
use frontdesk_protocol::{Host, Role};
use frontdesk_tests::blocking::{Answer, Http, Organization, answer_to, at_once, world};
use serde_json::{Value, json};

fn call(http: &mut Http, host: Host, key: &str, tool: &str, arguments: Value) -> Answer {
    let meta = json!({ "idempotencyKey": key });
    let params = json!({ "name": tool, "arguments": arguments, "_meta": meta });
    http.rpc(host, "tools/call", params)
}

/// Adds a guest under this key.
fn add(http: &mut Http, key: &str, event: EventId, name: &str) -> Answer {
    let arguments = json!({ "event_id": event, "name": name });
    call(http, Host::Events, key, "create_event_guest", arguments)
}

fn guests(http: &mut Http, event: EventId) -> usize {
    let answer = http.events("list_event_guests", json!({ "event_id": event }));
    answer.output()["guests"].as_array().expect("guests").len()
}

fn staff() -> (Organization, EventId, Http) {
    let organization = Organization::create();
    let event = organization.event("Launch");
    let staff = organization.sign_in(Role::Staff);
    (organization, event, staff)
}

#[test]
fn a_repeated_call_returns_the_first_result_and_does_nothing_more() {
    let (_, event, mut staff) = staff();
    let first = add(&mut staff, "k", event, "Ana");
    let again = add(&mut staff, "k", event, "Ana");
    assert_eq!(first.output(), again.output());
    // However the arguments are written.
    let written = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"create_event_guest",
           "_meta":{{"idempotencyKey":"k"}},"arguments":{{"name":"\u0041na","event_id":"{event}"}}}}}}"#
    );
    let again = staff.send(Host::Events, written);
    assert_eq!(first.output(), again.output());
    assert_eq!(guests(&mut staff, event), 1);
    add(&mut staff, "another", event, "Ana").output();
    assert_eq!(guests(&mut staff, event), 2);
}

#[test]
fn a_repeated_call_names_its_entry_in_the_history() {
    let (_, event, mut staff) = staff();
    let first = add(&mut staff, "k", event, "Ana");
    let entry = first.result()["_meta"].clone();
    assert!(entry["frontdesk/change"].is_string(), "{entry}");
    let again = add(&mut staff, "k", event, "Ana");
    assert_eq!(again.result()["_meta"], entry);
    // A call that changes nothing has none.
    let guest = json!({ "id": first.output()["guest"]["id"], "name": "Ana" });
    for _ in 0..2 {
        let tool = "update_event_guest";
        let same = call(&mut staff, Host::Events, "same", tool, guest.clone());
        assert!(same.result()["_meta"].is_null(), "{}", same.body);
    }
}

#[test]
fn a_call_whose_change_was_undone_is_made_again_once() {
    let (_, event, mut staff) = staff();
    let batch = json!({ "host": "events", "calls": [
        { "tool": "create_event_guest", "arguments": { "event_id": event, "name": "Bia" } },
    ] });
    let batch = |staff: &mut Http| call(staff, Host::Ops, "batch", "run_batch", batch.clone());
    let alone = |staff: &mut Http| add(staff, "alone", event, "Ana");
    let calls: [&dyn Fn(&mut Http) -> Answer; 2] = [&alone, &batch];
    for (before, make) in calls.into_iter().enumerate() {
        let first = make(&mut staff);
        let change = first.result()["_meta"]["frontdesk/change"].clone();
        let undo = json!({ "change_id": change });
        staff.call(Host::Ops, "undo_change", undo).output();
        assert_eq!(guests(&mut staff, event), before);
        let again = make(&mut staff);
        assert_ne!(again.result()["_meta"]["frontdesk/change"], change);
        assert_eq!(make(&mut staff).output(), again.output());
        assert_eq!(guests(&mut staff, event), before + 1);
    }
}

#[test]
fn the_order_of_keys_makes_no_other_call() {
    let (_, event, mut staff) = staff();
    let mut answers = Vec::new();
    for tags in [
        r#"{"a":1,"b":{"c":[{"d":1,"e":2}],"f":3}}"#,
        r#"{"b":{"f":3,"c":[{"e":2,"d":1}]},"a":1}"#,
    ] {
        let body = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"create_event_guest",
               "_meta":{{"idempotencyKey":"k"}},
               "arguments":{{"event_id":"{event}","name":"Ana","tags":{tags}}}}}}}"#
        );
        answers.push(staff.send(Host::Events, body).output().clone());
    }
    assert_eq!(answers[0], answers[1]);
    assert_eq!(guests(&mut staff, event), 1);
}

#[test]
fn a_repeated_call_checks_the_rights_again() {
    let (organization, event, mut staff) = staff();
    let first = add(&mut staff, "k", event, "Ana").output().clone();
    let user = organization.user(Role::Staff).0;
    let set = |change: &str| {
        let owner = world().owner();
        let sql = format!("update staff.users set {change} where id = $1");
        owner.execute(&sql, &[&user]).expect("a change");
    };
    // Teachers cannot add guests, and a former staff member sees no event.
    for revoked in ["role = 'teacher'", "is_active = false"] {
        set(revoked);
        let again = add(&mut staff, "k", event, "Ana");
        let anew = add(&mut staff, "another", event, "Ana");
        assert_eq!(again.status.as_u16(), 403, "{revoked}");
        assert_eq!(again.body["error"], anew.body["error"], "{revoked}");
    }
    // With other rights that permit the call, the first result returns, and nothing is
    // repeated.
    set("is_active = true, role = 'admin'");
    let again = add(&mut staff, "k", event, "Ana");
    assert_eq!(*again.output(), first);
    assert_eq!(guests(&mut staff, event), 1);
}

#[test]
fn a_key_stands_for_one_call_of_one_caller() {
    let (organization, event, mut staff) = staff();
    let guest = add(&mut staff, "k", event, "Ana").output()["guest"]["id"].clone();
    let other = add(&mut staff, "k", event, "Bia");
    other.refuses("conflict", "_meta.idempotencyKey");
    let arguments = json!({ "id": guest });
    let other = call(&mut staff, Host::Events, "k", "check_in_guest", arguments);
    other.refuses("conflict", "_meta.idempotencyKey");
    assert_eq!(guests(&mut staff, event), 1);
    let mut admin = organization.sign_in(Role::Admin);
    add(&mut admin, "k", event, "Bia").output();
    assert_eq!(guests(&mut staff, event), 2);
}

#[test]
fn a_key_belongs_to_its_tool_although_another_takes_the_same_arguments() {
    let (organization, event, mut staff) = staff();
    let guest = json!({ "id": organization.guest(event, "Ana") });
    let (first, second) = ("check_in_guest", "update_event_guest");
    let arrived = call(&mut staff, Host::Events, "k", first, guest.clone());
    let arrived = arrived.output().clone();
    let other = call(&mut staff, Host::Events, "k", second, guest.clone());
    other.refuses("conflict", "_meta.idempotencyKey");
    let again = call(&mut staff, Host::Events, "k", first, guest);
    assert_eq!(*again.output(), arrived);
}

#[test]
fn a_call_that_was_refused_leaves_its_key_free() {
    let (organization, event, mut staff) = staff();
    let nowhere = EventId(uuid::Uuid::now_v7());
    add(&mut staff, "k", nowhere, "Ana").refuses("not_found", "event_id");
    add(&mut staff, "k", event, "Ana").output();
    let mut teacher = organization.sign_in(Role::Teacher);
    assert_eq!(add(&mut teacher, "k", event, "Ana").status.as_u16(), 403);
}

#[test]
fn a_dry_run_uses_no_key() {
    let organization = Organization::create();
    let series = organization.series("Weekly");
    let mut owner = organization.sign_in(Role::Owner);
    let arguments = |dry_run| json!({ "series_meeting_id": series, "dry_run": dry_run });
    let tool = "remove_meeting_series";
    let dry = call(&mut owner, Host::Work, "k", tool, arguments(true));
    assert_eq!(dry.output()["dry_run"], true);
    let first = call(&mut owner, Host::Work, "k", tool, arguments(false));
    assert_eq!(first.output()["dry_run"], false);
    // Repeated after a lost answer: it returns the result instead of `not_found`.
    let again = call(&mut owner, Host::Work, "k", tool, arguments(false));
    assert_eq!(first.output(), again.output());
}

#[test]
fn a_key_is_forgotten_after_a_day() {
    let (organization, event, mut staff) = staff();
    add(&mut staff, "k", event, "Ana").output();
    let age = "update app.idempotency_keys set created_at = created_at - $2::text::interval where user_id = $1";
    let user = organization.user(Role::Staff).0;
    for (age_by, expected) in [("23 hours", 1), ("2 hours", 2)] {
        let owner = world().owner();
        owner.execute(age, &[&user, &age_by]).expect("aged");
        drop(owner);
        add(&mut staff, "k", event, "Ana").output();
        assert_eq!(guests(&mut staff, event), expected, "{age_by} later");
    }
}

#[test]
fn an_invalid_key_is_named() {
    let (_, event, mut staff) = staff();
    for key in ["", "a\0b", &"k".repeat(201)] {
        let answer = add(&mut staff, key, event, "Ana");
        answer.refuses("invalid_argument", "_meta.idempotencyKey");
    }
    add(&mut staff, &"ü".repeat(200), event, "Ana").output();
    assert_eq!(guests(&mut staff, event), 1);
}

#[test]
fn of_four_calls_at_once_one_creates_the_record() {
    let (_, event, staff) = staff();
    let answers = at_once((0..4).map(|_| {
        let mut staff = staff.clone();
        move || add(&mut staff, "k", event, "Ana").output().clone()
    }));
    assert!(
        answers.iter().all(|answer| *answer == answers[0]),
        "{answers:?}"
    );
    assert_eq!(guests(&mut staff.clone(), event), 1);
}

/// The same call without a key, with this in the header.
fn with_header(http: &mut Http, host: Host, key: &str, tool: &str, arguments: Value) -> Answer {
    let params = json!({ "name": tool, "arguments": arguments });
    let request = http.request_of(host, "tools/call", params);
    answer_to(request.header("Idempotency-Key", key))
}

#[test]
fn a_call_that_is_made_again_without_a_key_is_questioned() {
    let (organization, event, mut staff) = staff();
    let guest = json!({ "event_id": event, "name": "Ana", "email": "ana@example.org" });
    let add = |http: &mut Http| http.events("create_event_guest", guest.clone());
    let warned = |answer: &Answer| {
        answer.output()["warnings"]
            .to_string()
            .contains("the same call")
    };
    let first = add(&mut staff);
    assert!(!warned(&first), "{}", first.body);
    let again = add(&mut staff);
    let warnings = again.output()["warnings"].to_string();
    let change = first.result()["_meta"]["frontdesk/change"]
        .as_str()
        .expect("a change");
    let id = first.output()["guest"]["id"].as_str().expect("an id");
    assert!(
        warned(&again) && warnings.contains(id) && warnings.contains(change),
        "{warnings}"
    );
    // Another caller, other arguments, a key: that is meant.
    assert!(!warned(&add(&mut organization.sign_in(Role::Admin))));
    let other = json!({ "event_id": event, "name": "Ana", "email": "other@example.org" });
    assert!(!warned(&staff.events("create_event_guest", other)));
    let with_key = |key: &str, staff: &mut Http| {
        with_header(
            staff,
            Host::Events,
            key,
            "create_event_guest",
            guest.clone(),
        )
    };
    let keyed = with_key("header", &mut staff);
    assert!(!warned(&keyed));
    assert_eq!(with_key("header", &mut staff).output(), keyed.output());
    // What was undone can be made again.
    let last = again.result()["_meta"]["frontdesk/change"].clone();
    let undo = json!({ "change_id": last });
    staff.call(Host::Ops, "undo_change", undo).output();
    assert!(!warned(&add(&mut staff)));
}

#[test]
fn a_call_that_cannot_be_undone_is_refused_without_a_key_and_made_once_with_one() {
    let organization = Organization::create();
    let mut finance = organization.caller(Role::Finance, Host::Financing);
    let bank = json!({ "code": "1000", "name": "Bank", "kind": "asset" });
    let bank = finance.make("create_account", bank);
    let sales = json!({ "code": "4000", "name": "Sales", "kind": "income" });
    let sales = finance.make("create_account", sales);
    let entry = json!({ "entry_on": "2026-03-05", "description": "Sale", "lines": [
        { "account_id": bank, "side": "debit", "amount": 7 },
        { "account_id": sales, "side": "credit", "amount": 7 },
    ] });
    finance.output("post_journal_entry", entry.clone());
    let again = finance.call("post_journal_entry", entry.clone());
    let refused = again.tool_error()["message"].to_string();
    assert!(
        refused.contains("give the call an idempotency key"),
        "{refused}"
    );
    let mut finance = organization.sign_in(Role::Finance);
    let key = |key: &str, finance: &mut Http| {
        with_header(
            finance,
            Host::Financing,
            key,
            "post_journal_entry",
            entry.clone(),
        )
    };
    let second = key("second", &mut finance);
    assert_eq!(key("second", &mut finance).output(), second.output());
    let listed = finance.call(Host::Financing, "list_journal_entries", json!({}));
    assert_eq!(
        listed.output()["journal_entries"].as_array().map(Vec::len),
        Some(2),
        "{}",
        listed.body
    );
}
