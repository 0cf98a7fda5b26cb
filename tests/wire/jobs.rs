//! Ten jobs from the wire alone, by a client for which a person answers, and by one that previews and applies: no harm is
//! done without a question, and nothing twice without a word.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::blocking::{Answer, Http, Organization, Waiting};
use serde_json::{Value, json};

/// A job, and whether a person has to be asked.
type Job = (Host, &'static str, Value, bool);

/// An organisation in which the jobs can be done.
fn jobs() -> (Http, Vec<Job>) {
    let organization = Organization::create();
    let mut owner = organization.sign_in(Role::Owner);
    let mut made = |host, tool: &str, arguments: Value, record: &str| {
        let answer = owner.call(host, tool, arguments);
        answer.output()[record]["id"].clone()
    };
    let event = organization.event("Launch");
    let old = organization.event("Last year");
    let names: Vec<_> = (0..25).map(|n| format!("Guest {n}")).collect();
    let names: Vec<_> = names.iter().map(String::as_str).collect();
    let removed = organization.guests(old, &names);
    let removed: Vec<_> = removed
        .iter()
        .map(|id| json!({ "tool": "remove_guest", "arguments": { "id": id } }))
        .collect();
    let added: Vec<_> = names.iter().map(|name| json!({ "name": name })).collect();
    let start = json!({ "id": event, "start_at": "2027-03-02T19:00:00Z" });
    made(Host::Events, "update_event", start, "event");
    let guest = json!({ "event_id": event, "name": "Dora", "chat_id": "d1" });
    made(Host::Events, "create_event_guest", guest, "guest");
    let series = json!({
        "title": "Weekly", "first_on": "2027-03-02", "recurrence_start_time": "09:00", "recurrence_end_time": "09:15",
    });
    let series = made(Host::Work, "create_meeting_series", series, "meeting");
    let form = json!({ "title": "How was it?", "fields": [{ "label": "Well?", "kind": "text" }] });
    let form = made(Host::Quiz, "create_form", form, "form");
    let person = made(
        Host::Learn,
        "create_member",
        json!({ "name": "Caio" }),
        "member",
    );
    let invoices: Vec<_> = (1..4)
        .map(|n| {
            let invoice = json!({
                "billed_to": format!("Client {n}"), "description": "May", "amount": 10 * n, "due_on": "2027-05-31",
            });
            json!({ "tool": "create_invoice", "arguments": invoice })
        })
        .collect();
    let tasks =
        json!([{ "name": "Count", "stage_id": "execution", "context": {}, "owner_id": person }]);
    let policy = "promote_real_discard_empty";
    let jobs = vec![
        (
            Host::Ops,
            "add_guests",
            json!({ "event_id": event, "guests": added }),
            true,
        ),
        (
            Host::Ops,
            "move_event",
            json!({ "event_id": event, "start_at": "2027-04-02T19:00:00Z" }),
            false,
        ),
        (
            Host::Ops,
            "create_work_tree",
            json!({ "name": "Opening", "tasks": tasks }),
            false,
        ),
        (
            Host::Work,
            "remove_meeting_series",
            json!({ "series_meeting_id": series, "occurrence_policy": policy }),
            false,
        ),
        (
            Host::Ops,
            "run_batch",
            json!({ "host": "staff", "calls": invoices }),
            false,
        ),
        (
            Host::Ops,
            "run_batch",
            json!({ "host": "ops", "calls": removed }),
            true,
        ),
        (Host::Events, "delete_event", json!({ "id": old }), false),
        (
            Host::Staff,
            "invite_staff",
            json!({ "name": "Bia", "email": "bia@school.test", "role": "staff" }),
            true,
        ),
        (
            Host::Quiz,
            "dispatch_interview",
            json!({ "form_id": form, "event_id": event }),
            true,
        ),
        (
            Host::Ops,
            "forget_person",
            json!({ "member_id": person }),
            true,
        ),
    ];
    (owner, jobs)
}

/// A call in a session. The question is answered with yes, if one has to be asked.
fn call(http: &Http, (host, tool, arguments, asks): &Job) -> Answer {
    let mut http = http.speaking_with(*host, "2025-11-25", json!({ "elicitation": {} }));
    if !asks {
        return http.call(*host, tool, arguments.clone());
    }
    let mut waiting: Waiting = http.wait(*host, json!({ "name": tool, "arguments": arguments }));
    let question = waiting.message();
    let yes = json!({ "action": "accept", "content": { "confirm": true } });
    let yes = json!({ "jsonrpc": "2.0", "id": question["id"], "result": yes });
    http.send(*host, yes.to_string());
    waiting.end()
}

#[test]
fn a_person_is_asked_before_harm_and_a_repeated_job_is_questioned() {
    let (mut http, jobs) = jobs();
    for job in &jobs {
        let (host, tool, arguments, _) = job;
        let first = call(&http, job);
        let again = http.call(*host, tool, arguments.clone());
        let result = again.result();
        // Of the record that there is.
        let id = |answer: &Answer| answer.result()["structuredContent"]["invitation"]["id"].clone();
        first.output();
        let is_questioned = result["isError"] == true
            || result["structuredContent"]
                .to_string()
                .contains("you made the same call")
            || result["_meta"]["frontdesk/change"].is_null()
            || !id(&again).is_null() && id(&again) == id(&first);
        assert!(is_questioned, "{tool}: {result}");
    }
}

/// The question about a call.
fn question(http: &Http, host: Host, tool: &str, arguments: Value) -> String {
    let mut http = http.speaking_with(host, "2025-11-25", json!({ "elicitation": {} }));
    let mut waiting: Waiting = http.wait(host, json!({ "name": tool, "arguments": arguments }));
    let question = waiting.message();
    let message = question["params"]["message"].as_str();
    message
        .unwrap_or_else(|| panic!("{tool}: {question}"))
        .to_owned()
}

#[test]
fn a_question_names_what_is_at_stake() {
    let organization = Organization::create();
    let owner = organization.sign_in(Role::Owner);
    let teacher = organization.user(Role::Teacher);
    organization.level(Role::Teacher, 10);
    organization.level(Role::Owner, 100);
    let link = json!({ "id": teacher });
    let invoice = json!({
        "billed_to": "Ana", "description": "May", "amount": 98765.43, "due_on": "2027-05-31",
    });
    let message = json!({ "recipient_id": teacher, "subject": "Hello", "body": "Come" });
    for (host, tool, arguments, said) in [
        (
            Host::Staff,
            "update_staff_user",
            json!({ "id": teacher, "role": "owner" }),
            "“teacher”: role teacher → owner.",
        ),
        (
            Host::Staff,
            "issue_password_link",
            link.clone(),
            "“teacher”: a link that sets a new password. It changes how somebody signs in.",
        ),
        (
            Host::Ops,
            "issue_account_password_link",
            link,
            "It changes how somebody signs in.",
        ),
        (
            Host::Ops,
            "set_account_level",
            json!({ "id": teacher, "level": 90 }),
            "“teacher”: level 100 → 90. It changes what an account may do.",
        ),
        (
            Host::Staff,
            "update_organization",
            json!({ "agents": "ask" }),
            "agents “tell” → “ask”. It changes a rule of the organisation.",
        ),
        (
            Host::Staff,
            "create_invoice",
            invoice,
            "amount BRL 98,765.43. It is about money.",
        ),
        (
            Host::Ops,
            "send_agent_message",
            message,
            "It is sent to somebody, or shown to everybody.",
        ),
    ] {
        let asked = question(&owner, host, tool, arguments.clone());
        assert!(asked.contains(said), "{asked}");
        if tool != "update_organization" {
            call(&owner, &(host, tool, arguments, true)).output();
        }
    }
}

#[test]
fn single_removals_are_added_up() {
    let organization = Organization::create();
    let owner = organization.sign_in(Role::Owner);
    let event = organization.event("Last year");
    let names: Vec<_> = (0..22).map(|n| format!("Guest {n}")).collect();
    let names: Vec<_> = names.iter().map(String::as_str).collect();
    let guests = organization.guests(event, &names);
    let mut http = owner.speaking_with(Host::Ops, "2025-11-25", json!({ "elicitation": {} }));
    for guest in &guests[..20] {
        http.call(Host::Ops, "remove_guest", json!({ "id": guest }))
            .output();
    }
    // A yes to something else does not count for these.
    let level = json!({ "id": organization.user(Role::Teacher), "level": 5 });
    organization.level(Role::Owner, 100);
    call(&owner, &(Host::Ops, "set_account_level", level, true)).output();
    let last = json!({ "id": guests[20] });
    let asked = question(&owner, Host::Ops, "remove_guest", last.clone());
    assert!(
        asked.contains("you have removed more than 20 rows within 10 minutes"),
        "{asked}"
    );
    // A yes is for what was done until then.
    call(&owner, &(Host::Ops, "remove_guest", last, true)).output();
    let next = (
        Host::Ops,
        "remove_guest",
        json!({ "id": guests[21] }),
        false,
    );
    call(&owner, &next).output();
}

#[test]
fn who_cannot_ask_previews_and_applies_exactly_that_once() {
    let (mut http, jobs) = jobs();
    for (host, tool, arguments, _) in jobs {
        let mut inner = json!({ "host": host.area(), "tool": tool, "arguments": arguments });
        let preview = http.call(Host::Ops, "preview_call", inner.clone());
        inner["expect"] = preview.output()["digest"].clone();
        let applied = http.call(Host::Ops, "apply_call", inner.clone());
        let change = applied.output()["change_id"].clone();
        let again = http.call(Host::Ops, "apply_call", inner);
        let refused = again.tool_error()["message"].clone();
        let names = refused.as_str().zip(change.as_str());
        let is_named = names.is_some_and(|(refused, change)| refused.contains(change));
        let is_idempotent = host.tool(tool).is_some_and(|tool| tool.effect.idempotent);
        // What a batch has made is known of its calls.
        assert!(
            is_named || is_idempotent || tool == "run_batch",
            "{tool}: {refused}"
        );
    }
}
