//! The history of changes and undo: who reads what, and what is refused.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::blocking::{Caller, Organization, world};
use serde_json::{Value, json};

/// The latest change that the caller sees.
fn latest(caller: &mut Caller) -> Value {
    let listed = caller
        .at(Host::Ops)
        .output("list_changes", json!({ "limit": 1 }));
    listed["changes"][0].clone()
}

fn get(caller: &mut Caller, change: &Value) -> Value {
    let arguments = json!({ "change_id": change["id"] });
    caller.at(Host::Ops).record("get_change", arguments)
}

fn undo(caller: &mut Caller, change: &Value) -> frontdesk_tests::Answer {
    let arguments = json!({ "change_id": change["id"] });
    caller.at(Host::Ops).call("undo_change", arguments)
}

/// A caller of the Events host and a guest.
fn desk(role: Role) -> (Organization, Caller, Value) {
    let organization = Organization::create();
    let event = organization.event("Open day");
    let guest = organization.guest(event, "Ana");
    (
        organization,
        organization.caller(role, Host::Events),
        json!(guest),
    )
}

#[test]
fn a_call_that_is_delivered_for_another_account_says_who_made_it() {
    let (organization, mut staff, guest) = desk(Role::Staff);
    let stranger = Organization::create().user(Role::Staff);
    let mut http = organization.sign_in(Role::Staff);
    let mut made = |staff: &mut Caller, by: Value| {
        staff.output(
            "update_event_guest",
            json!({ "id": guest, "check_in_at": null }),
        );
        let meta = json!({ "frontdesk/madeBy": by });
        let params =
            json!({ "name": "check_in_guest", "arguments": { "id": guest }, "_meta": meta });
        http.rpc(Host::Events, "tools/call", params).output();
        let change = latest(staff);
        assert_eq!(change["account_id"], json!(organization.user(Role::Staff)));
        get(staff, &change)["made_by"].clone()
    };
    let teacher = json!(organization.user(Role::Teacher));
    assert_eq!(made(&mut staff, teacher), "teacher");
    // Nobody claims that a stranger made it.
    assert_eq!(made(&mut staff, json!(stranger)), Value::Null);
    assert_eq!(made(&mut staff, Value::Null), Value::Null);
}

#[test]
fn only_what_a_desk_delivers_is_made_by_another_account() {
    let organization = Organization::create();
    let mut owner = organization.sign_in(Role::Owner);
    let inner = json!({
        "host": "work", "tool": "create_project", "arguments": { "name": "P" }, "expect": "0",
    });
    let mut taken = Vec::new();
    for tool in Host::ALL.into_iter().flat_map(Host::tools) {
        let by = organization.user(Role::Teacher);
        let mut arguments = match tool.name {
            "preview_call" | "apply_call" => inner.clone(),
            _ => json!({}),
        };
        if tool.name == "preview_call" {
            arguments
                .as_object_mut()
                .expect("arguments")
                .remove("expect");
        }
        let meta = json!({ "frontdesk/madeBy": by });
        let params = json!({ "name": tool.name, "arguments": arguments, "_meta": meta });
        let answer = owner.rpc(tool.host, "tools/call", params);
        if !answer.body.to_string().contains("frontdesk/madeBy") {
            taken.push(tool.name);
        }
    }
    let delivered = [
        "create_event_guest",
        "update_event_guest",
        "check_in_guest",
        "record_movement",
    ];
    assert_eq!(taken, delivered);
}

#[test]
fn a_change_counts_the_fields_beyond_two() {
    let (_, mut staff, guest) = desk(Role::Staff);
    let three = json!({ "id": guest, "email": "a@example.org", "role": "vip", "phone_number": "+55 11 91234" });
    staff.output("update_event_guest", three);
    assert_eq!(
        latest(&mut staff)["summary"],
        "changed guest “Ana”: email empty → a@example.org, phone number empty → +55 11 91234 and 1 more"
    );
}

#[test]
fn a_change_says_who_did_what_to_which_row() {
    let (organization, mut staff, guest) = desk(Role::Staff);
    staff.output(
        "update_event_guest",
        json!({ "id": guest, "email": "ana@example.org" }),
    );
    let change = latest(&mut staff);
    for (field, value) in [
        ("account_id", json!(organization.user(Role::Staff))),
        ("host", json!("events")),
        ("tool", json!("update_event_guest")),
        (
            "summary",
            json!("changed guest “Ana”: email empty → ana@example.org"),
        ),
        ("rows", json!(1)),
        ("can_undo", json!(true)),
        ("undone_by", json!(null)),
    ] {
        assert_eq!(change[field], value, "{field}: {change}");
    }
    let whole = get(&mut staff, &change);
    assert_eq!(whole["arguments"]["email"], "ana@example.org");
    let row = &whole["changes"]["rows"][0];
    assert_eq!(
        (&row["table"], &row["key"]["id"], &row["operation"]),
        (&json!("events.guests"), &guest, &json!("update"))
    );
    assert_eq!(row["before"], json!({ "email": null }));
    assert_eq!(row["after"], json!({ "email": "ana@example.org" }));
    let mut ops = staff.at(Host::Ops);
    for (filter, count) in [
        (json!({ "record_id": guest }), 1),
        (json!({ "record_id": organization.fellow }), 0),
        (json!({ "kind": "guest" }), 1),
        (json!({ "kind": "event" }), 0),
        (json!({ "tool": "update_event_guest" }), 1),
        (json!({ "account_id": organization.user(Role::Owner) }), 0),
        (json!({ "from": "2020-01-01T00:00:00Z" }), 1),
        (json!({ "to": "2020-01-01T00:00:00Z" }), 0),
    ] {
        let listed = ops.output("list_changes", filter.clone());
        let listed = listed["changes"].as_array().map(Vec::len);
        assert_eq!(listed, Some(count), "{filter}");
    }
    let member = ops.output("list_changes", json!({ "account_id": organization.member }));
    assert_eq!(
        member["note"],
        "account_id is the id of another kind of record: member instead of account"
    );
    for (argument, value) in [("kind", "guests"), ("tool", "update_guest")] {
        let filter = json!({ argument: value });
        ops.call("list_changes", filter)
            .refuses("invalid_argument", argument);
    }
}

#[test]
fn owners_and_admins_read_all_changes_and_others_their_own() {
    let (organization, mut staff, guest) = desk(Role::Staff);
    staff.output("check_in_guest", json!({ "id": guest }));
    let change = latest(&mut staff);
    let mut owner = organization.caller(Role::Owner, Host::Events);
    assert_eq!(latest(&mut owner)["id"], change["id"]);
    for role in [Role::Teacher, Role::Finance, Role::Fellow] {
        let mut other = organization.caller(role, Host::Events);
        assert_eq!(latest(&mut other), Value::Null, "{role:?}");
        assert_eq!(get(&mut other, &change), Value::Null, "{role:?}");
        undo(&mut other, &change).refuses("not_found", "change_id");
    }
    let mut stranger = Organization::create().caller(Role::Owner, Host::Events);
    assert_eq!(get(&mut stranger, &change), Value::Null);
    undo(&mut stranger, &change).refuses("not_found", "change_id");
}

#[test]
fn a_row_is_shown_to_callers_who_can_read_it() {
    let organization = Organization::create();
    let mut owner = organization.caller(Role::Owner, Host::Ops);
    let to = organization.user(Role::Staff);
    let message = json!({ "recipient_id": to, "subject": "Pay", "body": "Secret." });
    organization
        .caller(Role::Finance, Host::Ops)
        .output("send_agent_message", message);
    let change = latest(&mut owner);
    assert_eq!(change["summary"], "added 1 message");
    let whole = get(&mut owner, &change);
    assert!(!whole.to_string().contains("Secret"), "{whole}");
    let changes = &whole["changes"];
    assert_eq!(changes["rows"], json!([]));
    let more = &changes["more"][0];
    assert_eq!(
        (&more["table"], &more["count"], &more["hidden"]),
        (&json!("ops.messages"), &json!(1), &json!(true))
    );
    let refused = undo(&mut owner, &change);
    assert_eq!(refused.status, 403, "{}", refused.body);
}

#[test]
fn a_row_that_becomes_readable_hides_its_earlier_state() {
    let organization = Organization::create();
    organization.level(Role::Fellow, 80);
    let mut author = organization.caller(Role::Fellow, Host::Learn);
    let course = author.make("create_course", json!({ "title": "Rust" }));
    let draft = json!({ "course_id": course, "title": "Secret", "status": "draft" });
    let lesson = author.make("create_lesson", draft);
    let public = json!({ "id": lesson, "title": "Loops", "status": "published" });
    author.output("update_lesson", public);
    let published = latest(&mut author);
    author.output("update_lesson", json!({ "id": lesson, "title": "Lists" }));
    let renamed = latest(&mut author);
    let rows = |change: &Value| change["changes"]["rows"].clone();
    let whole = get(&mut author, &published);
    assert_eq!(
        rows(&whole)[0]["before"],
        json!({ "title": "Secret", "status": "draft" })
    );

    // A fellow reads published lessons, and the own changes.
    organization.level(Role::Fellow, 0);
    let found = author.record("get_lesson", json!({ "id": lesson }));
    assert_eq!(found["title"], "Lists");
    let whole = get(&mut author, &renamed);
    assert_eq!(rows(&whole)[0]["before"], json!({ "title": "Loops" }));
    let whole = get(&mut author, &published);
    assert_eq!(rows(&whole), json!([]), "{whole}");
    let more = &whole["changes"]["more"][0];
    assert_eq!(
        (&more["table"], &more["count"], &more["hidden"]),
        (&json!("learn.lessons"), &json!(1), &json!(true))
    );
    let mut ops = author.at(Host::Ops);
    let listed = ops.output("list_changes", json!({ "record_id": lesson }));
    assert_eq!(listed["changes"].as_array().map(Vec::len), Some(3));
    for text in [whole.to_string(), listed.to_string()] {
        assert!(!text.contains("Secret"), "{text}");
    }
}

#[test]
fn a_change_is_undone_once_and_can_be_restored() {
    let (organization, mut staff, guest) = desk(Role::Staff);
    let parsed = guest.as_str().and_then(|id| id.parse().ok());
    let arrived = || organization.checked_in_at(parsed.expect("an id"));
    staff.output("check_in_guest", json!({ "id": guest }));
    let change = latest(&mut staff);
    let at = arrived();
    let undone = undo(&mut staff, &change).output()["change"].clone();
    assert_eq!(arrived(), None);
    assert_eq!(
        (&undone["undoes"], &undone["tool"], &undone["delivered"]),
        (&change["id"], &json!("undo_change"), &json!([]))
    );
    let listed = get(&mut staff, &change);
    assert_eq!(listed["undone_by"], undone["id"]);
    assert_eq!(listed["can_undo"], false);
    undo(&mut staff, &change).refuses_with(
        "conflict",
        "change_id",
        "this change was already undone",
    );
    undo(&mut staff, &undone).output();
    assert_eq!(arrived(), at);
    assert_eq!(get(&mut staff, &change)["can_undo"], true);
}

#[test]
fn a_row_that_has_changed_since_is_named_with_what_differs() {
    let (_, mut staff, guest) = desk(Role::Staff);
    staff.output("update_event_guest", json!({ "id": guest, "name": "Anna" }));
    let change = latest(&mut staff);
    staff.output(
        "update_event_guest",
        json!({ "id": guest, "role": "speaker" }),
    );
    let answer = undo(&mut staff, &change);
    let reason = "nothing was undone: the role of guest “Anna” is now “speaker”, not empty";
    answer.refuses_with("conflict", "change_id", reason);
    let row = answer.tool_error()["details"]["changes"]["rows"][0].clone();
    assert_eq!(
        (&row["table"], &row["before"], &row["after"]),
        (
            &json!("events.guests"),
            &json!({ "role": null }),
            &json!({ "role": "speaker" })
        )
    );
    // Once the later change is undone, the row is as it was left.
    let later = latest(&mut staff);
    undo(&mut staff, &later).output();
    undo(&mut staff, &change).output();
    let guest = staff.record("get_event_guest", json!({ "id": guest }));
    assert_eq!(
        (&guest["name"], &guest["role"]),
        (&json!("Ana"), &json!(null))
    );
}

#[test]
fn an_undo_does_not_overwrite_what_the_history_does_not_have() {
    let (_, mut staff, guest) = desk(Role::Staff);
    staff.output("update_event_guest", json!({ "id": guest, "name": "Anna" }));
    let change = latest(&mut staff);
    // An operator writes to the database. The history has no entry for it.
    let sql = "update events.guests set name = 'Anne' where id = $1::text::uuid";
    let written = world().owner().execute(sql, &[&guest.as_str()]);
    assert_eq!(written.expect("a row"), 1);
    let answer = undo(&mut staff, &change);
    let reason = "nothing was undone: the name of guest “Anne” is now “Anne”, not “Anna”";
    answer.refuses_with("conflict", "change_id", reason);
    let guest = staff.record("get_event_guest", json!({ "id": guest }));
    assert_eq!(guest["name"], "Anne");
}

#[test]
fn an_undo_takes_nothing_with_it_that_was_added_since() {
    let organization = Organization::create();
    let mut owner = organization.caller(Role::Owner, Host::Learn);
    let program = owner.make("create_program", json!({ "name": "Robotics" }));
    let change = latest(&mut owner);
    owner.make(
        "create_stage",
        json!({ "program_id": program, "title": "First" }),
    );
    let answer = undo(&mut owner, &change);
    answer.refuses("conflict", "change_id");
    let message = answer.tool_error()["message"].to_string();
    assert!(message.contains("1 stage"), "{message}");
}

#[test]
fn nobody_undoes_above_their_own_rank() {
    let organization = Organization::create();
    organization.level(Role::Owner, 100);
    organization.level(Role::Admin, 90);
    let mut owner = organization.caller(Role::Owner, Host::Ops);
    let mut admin = organization.caller(Role::Admin, Host::Ops);
    let account = organization.user(Role::Admin);
    owner.output("set_account_level", json!({ "id": account, "level": 85 }));
    let change = latest(&mut owner);
    // A global admin sees the change of the own level, and cannot take it back.
    let refused = undo(&mut admin, &change);
    assert_eq!(refused.status, 403, "{}", refused.body);
    undo(&mut owner, &change).output();
}

#[test]
fn a_deleted_member_is_removed_from_the_history() {
    let organization = Organization::create();
    let mut owner = organization.caller(Role::Owner, Host::Learn);
    let name = json!({ "name": "Quirina Zumbach", "personal_email": "quirina@example.org" });
    let member = owner.make("create_member", name);
    let created = latest(&mut owner);
    owner.output(
        "delete_member",
        json!({ "id": member, "hard_delete": true }),
    );
    let deleted = latest(&mut owner);
    for change in [created, deleted] {
        let change = get(&mut owner, &change);
        assert_eq!(change["can_undo"], false);
        assert!(
            !change.to_string().to_lowercase().contains("quirina"),
            "{change}"
        );
        let refused = undo(&mut owner, &change);
        refused.refuses("refused", "change_id");
        let message = refused.tool_error()["message"].to_string();
        assert!(message.contains("deleted"), "{message}");
    }
}

#[test]
fn a_batch_is_undone_as_a_whole_and_contains_no_undo() {
    let (_, mut staff, guest) = desk(Role::Staff);
    let calls = json!([
        { "tool": "update_event_guest", "arguments": { "id": guest, "name": "Anna" } },
        { "tool": "update_event_guest", "arguments": { "id": guest, "name": "Annika" } },
        { "tool": "check_in_guest", "arguments": { "id": guest } },
    ]);
    let mut ops = staff.at(Host::Ops);
    ops.output("run_batch", json!({ "host": "events", "calls": calls }));
    let change = latest(&mut staff);
    assert_eq!(change["tool"], "run_batch");
    let calls = json!([{ "tool": "undo_change", "arguments": { "change_id": change["id"] } }]);
    let refused = ops.call("run_batch", json!({ "host": "ops", "calls": calls }));
    assert_eq!(refused.refusal(), "refused", "{}", refused.body);
    undo(&mut staff, &change).output();
    let guest = staff.record("get_event_guest", json!({ "id": guest }));
    assert_eq!(
        (&guest["name"], &guest["check_in_at"]),
        (&json!("Ana"), &json!(null))
    );
}

#[test]
fn values_that_records_have_exchanged_are_given_back() {
    let organization = Organization::create();
    let mut owner = organization.caller(Role::Owner, Host::Learn);
    let slugs = ["first", "second"];
    let programs = slugs.map(|slug| {
        owner.make(
            "create_program",
            json!({ "name": "Robotics", "slug": slug }),
        )
    });
    let [first, second] = &programs;
    // A slug belongs to one program at any moment.
    let calls = [(first, "third"), (second, "first"), (first, "second")].map(
        |(id, slug)| json!({ "tool": "update_program", "arguments": { "id": id, "slug": slug } }),
    );
    let mut ops = owner.at(Host::Ops);
    ops.output("run_batch", json!({ "host": "learn", "calls": calls }));
    let found = |owner: &mut Caller| {
        (programs.each_ref())
            .map(|id| owner.record("get_program", json!({ "id": id }))["slug"].clone())
    };
    assert_eq!(found(&mut owner), ["second", "first"]);
    let change = latest(&mut owner);
    undo(&mut owner, &change).output();
    assert_eq!(found(&mut owner), slugs);
}
