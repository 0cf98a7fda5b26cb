//! The agenda of the Platform host.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::blocking::Organization;
use serde_json::{Value, json};

/// One record of each kind in the week of 9 March 2026. Days are those of São Paulo.
fn filled() -> Organization {
    let organization = Organization::create();
    let mut owner = organization.sign_in(Role::Owner);
    let mut create = |host: Host, tool: &str, arguments: Value| {
        let answer = owner.call(host, tool, arguments).output().clone();
        answer
            .as_object()
            .and_then(|record| record.values().next().cloned())
    };
    let event = json!({
        "name": "Fair", "start_at": "2026-03-08T12:00:00Z", "end_at": "2026-03-12T21:00:00Z",
        "strategy_business_unit_id": organization.business_unit,
    });
    let event = create(Host::Events, "create_event", event).expect("an event");
    let session = json!({
        "event_id": event["id"], "title": "Late talk", "start_time": "2026-03-11T01:30:00Z",
    });
    create(Host::Events, "create_event_session", session);
    let meeting = json!({ "title": "Kick-off", "meeting_date": "2026-03-10T12:00:00Z" });
    create(Host::Work, "create_meeting", meeting);
    for (name, day) in [("Posters", "2026-03-10"), ("Too late", "2026-03-16")] {
        let task = json!({
            "name": name, "owner_id": organization.fellow, "estimated_date": day, "stage_id": "spec",
            "context": { "why": "Fair" },
        });
        create(Host::Work, "create_task", task);
    }
    let tender = json!({
        "title": "Rooms", "issuer": "City", "deadline_at": "2026-03-13T15:00:00Z", "questions": ["Why?"],
    });
    create(Host::Proposals, "create_tender", tender);
    let invoice = json!({
        "billed_to": "Ana", "description": "Course", "amount": 10, "due_on": "2026-03-15",
    });
    create(Host::Staff, "create_invoice", invoice);
    organization
}

fn titles(agenda: &Value) -> Vec<String> {
    let items = agenda["agenda_items"].as_array().expect("a list").iter();
    let item = |item: &Value| {
        format!(
            "{} {}",
            item["day"].as_str().unwrap_or("-"),
            item["title"].as_str().unwrap_or("-")
        )
    };
    items.map(item).collect()
}

#[test]
fn the_agenda_has_what_takes_place_or_is_due_between_two_days() {
    let organization = filled();
    let mut ops = organization.caller(Role::Owner, Host::Ops);
    let week = json!({ "from": "2026-03-09", "to": "2026-03-15" });
    let agenda = ops.output("agenda", week.clone());
    let expected = [
        "2026-03-09 Fair",
        "2026-03-10 Posters",
        "2026-03-10 Kick-off",
        "2026-03-10 Late talk",
        "2026-03-13 Rooms",
        "2026-03-15 1 · Ana",
    ];
    assert_eq!(titles(&agenda), expected, "{agenda}");
    let contexts = agenda["agenda_items"].as_array().expect("a list").iter();
    let contexts: Vec<&Value> = contexts
        .map(|item| &item["context"])
        .filter(|it| !it.is_null())
        .collect();
    assert_eq!(contexts[1..], [&json!("Fair"), &json!("City")]);

    let without_end = ops.output("agenda", json!({ "from": "2026-03-09" }));
    assert_eq!(without_end["agenda_items"], agenda["agenda_items"]);
    let mut second = week.clone();
    second["limit"] = json!(2);
    second["offset"] = json!(2);
    let second = ops.output("agenda", second);
    assert_eq!(titles(&second), &expected[2..4]);
    assert_eq!(second["next_offset"], 4);
    let mut tasks = week;
    tasks["kind"] = json!("task");
    assert_eq!(titles(&ops.output("agenda", tasks)), &expected[1..2]);
    ops.call(
        "agenda",
        json!({ "from": "2026-03-15", "to": "2026-03-09" }),
    )
    .refuses("invalid_argument", "to");
}

#[test]
fn the_agenda_shows_each_role_what_its_lists_show() {
    let organization = filled();
    let lists = [
        ("event", Host::Events, "list_events", "events"),
        ("meeting", Host::Work, "list_meetings", "meetings"),
        ("task", Host::Work, "list_tasks", "tasks"),
        ("tender", Host::Proposals, "list_tenders", "tenders"),
        ("invoice", Host::Staff, "list_invoices", "invoices"),
    ];
    for role in Role::ALL {
        let mut caller = organization.sign_in(role);
        let agenda = caller
            .call(Host::Ops, "agenda", json!({ "from": "2026-03-09" }))
            .output()
            .clone();
        let items = agenda["agenda_items"].as_array().expect("a list");
        for (kind, host, tool, key) in lists {
            // The Staff host does not admit fellows.
            let is_admitted = (role, host) != (Role::Fellow, Host::Staff);
            let listed = is_admitted && {
                let answer = caller.call(host, tool, json!({}));
                let list = answer.body["result"]["structuredContent"][key].as_array();
                list.is_some_and(|list| !list.is_empty())
            };
            let is_shown = items.iter().any(|item| item["kind"] == kind);
            assert_eq!(is_shown, listed, "{kind} for {role:?}: {agenda}");
        }
        let is_event = items.iter().any(|item| item["kind"] == "event");
        let is_session = items.iter().any(|item| item["kind"] == "session");
        assert_eq!(is_session, is_event, "sessions for {role:?}: {agenda}");
    }
}
