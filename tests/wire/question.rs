//! Calls about which a person is asked first.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::blocking::{Answer, Http, Organization};
use serde_json::{Value, json};

use super::sessionless::ask;

/// A call of a client for which somebody answers, or not.
fn call(
    http: &Http,
    host: Host,
    tool: &str,
    arguments: &Value,
    more: Value,
    answers: bool,
) -> Answer {
    let capabilities = match answers {
        true => json!({ "elicitation": {} }),
        false => json!({}),
    };
    let mut params = json!({
        "name": tool, "arguments": arguments,
        "_meta": { "io.modelcontextprotocol/clientCapabilities": capabilities },
    });
    for (name, value) in more.as_object().expect("an object") {
        params[name] = value.clone();
    }
    ask(http, host, "tools/call", params)
}

/// The question about a call, and the state that its answer returns.
fn question(http: &Http, host: Host, tool: &str, arguments: &Value) -> (String, Value) {
    let asked = call(http, host, tool, arguments, json!({}), true);
    let result = asked.result();
    assert_eq!(result["resultType"], "input_required", "{result}");
    let request = &result["inputRequests"]["confirm"];
    assert_eq!(request["method"], "elicitation/create");
    let message = request["params"]["message"].as_str().expect("a message");
    (message.to_owned(), result["requestState"].clone())
}

/// The call again, with this answer.
fn answered(
    http: &Http,
    host: Host,
    tool: &str,
    arguments: &Value,
    (action, state): (&str, &Value),
) -> Answer {
    let content = match action {
        "accept" => json!({ "confirm": true }),
        _ => json!({}),
    };
    let action = action.trim_end_matches(" nothing");
    let answer = json!({
        "inputResponses": { "confirm": { "action": action, "content": content } },
        "requestState": state,
    });
    call(http, host, tool, arguments, answer, true)
}

/// An organisation with a project of 30 epics.
fn school() -> (Organization, Http, Value) {
    let organization = Organization::create();
    let mut owner = organization.sign_in(Role::Owner);
    let project = owner.call(Host::Work, "create_project", json!({ "name": "Hall" }));
    let project = project.output()["project"]["id"].clone();
    let calls: Vec<_> = (0..30)
        .map(|n| {
            let epic = json!({ "name": format!("Epic {n}"), "project_id": project });
            json!({ "tool": "create_epic", "arguments": epic })
        })
        .collect();
    let batch = owner.call(
        Host::Ops,
        "run_batch",
        json!({ "host": "work", "calls": calls }),
    );
    batch.output();
    let change = batch.result()["_meta"]["frontdesk/change"].clone();
    (organization, owner, json!({ "change_id": change }))
}

fn epics(http: &mut Http) -> usize {
    let listed = http.call(Host::Work, "list_epics", json!({}));
    listed.output()["epics"].as_array().expect("epics").len()
}

#[test]
fn a_call_that_reaches_many_rows_is_made_once_and_only_after_a_yes() {
    let (_, mut owner, undo) = school();
    let (message, state) = question(&owner, Host::Ops, "undo_change", &undo);
    assert_eq!(
        message,
        "ops.undo_change removes 30 × epic (“Epic 0”, “Epic 1”, “Epic 2”, …). Do it?"
    );
    assert_eq!(epics(&mut owner), 30);
    for action in ["decline", "cancel", "accept nothing"] {
        let no = answered(&owner, Host::Ops, "undo_change", &undo, (action, &state));
        assert!(no.body.to_string().contains("did not agree"), "{}", no.body);
        assert_eq!(epics(&mut owner), 30, "{action}");
    }
    let yes = answered(&owner, Host::Ops, "undo_change", &undo, ("accept", &state));
    assert_eq!(yes.result()["resultType"], "complete", "{}", yes.body);
    assert_eq!(epics(&mut owner), 0);
    let again = answered(&owner, Host::Ops, "undo_change", &undo, ("accept", &state));
    assert_eq!(again.result()["isError"], true, "{}", again.body);
}

#[test]
fn a_yes_is_for_what_was_asked_and_for_nothing_else() {
    let (organization, mut owner, undo) = school();
    let (_, state) = question(&owner, Host::Ops, "undo_change", &undo);
    let other = organization.sign_in(Role::Admin);
    let rows = json!({ "host": "work", "calls": [] });
    let forged = json!("AAAA");
    for (http, tool, arguments, state) in [
        (&other, "undo_change", &undo, &state),
        (&owner, "run_batch", &rows, &state),
        (&owner, "undo_change", &undo, &forged),
    ] {
        let refused = answered(http, Host::Ops, tool, arguments, ("accept", state));
        assert_eq!(refused.body["error"]["code"], -32602, "{}", refused.body);
    }
    // What would be done has changed since.
    let epic = owner.call(Host::Work, "list_epics", json!({ "limit": 1 }));
    let epic = epic.output()["epics"][0]["id"].clone();
    owner
        .call(Host::Work, "delete_epic", json!({ "id": epic }))
        .output();
    let changed = answered(&owner, Host::Ops, "undo_change", &undo, ("accept", &state));
    assert_eq!(changed.result()["isError"], true, "{}", changed.body);
    assert_eq!(epics(&mut owner), 29);
}

#[test]
fn a_person_is_asked_about_harm_however_it_is_done_and_about_nothing_else() {
    let organization = Organization::create();
    let owner = organization.sign_in(Role::Owner);
    let event = organization.event("Launch");
    let guest = json!({ "event_id": event, "name": "Ana" });
    let invited = json!({ "email": "bia@school.test", "name": "Bia", "role": "staff" });
    let meeting = json!({ "title": "Weekly", "meeting_date": "2026-12-01T12:00:00Z" });
    let inner = json!({ "host": "staff", "tool": "invite_staff", "arguments": invited });
    let preview = call(&owner, Host::Ops, "preview_call", &inner, json!({}), true);
    let mut applied = inner.clone();
    applied["expect"] = preview.output()["digest"].clone();
    let batch =
        json!({ "host": "work", "calls": [{ "tool": "create_meeting", "arguments": meeting }] });
    for (host, tool, arguments, said) in [
        (
            Host::Staff,
            "invite_staff",
            &invited,
            "It changes what an account may do.",
        ),
        (
            Host::Ops,
            "apply_call",
            &applied,
            "It changes what an account may do.",
        ),
        (
            Host::Work,
            "create_meeting",
            &meeting,
            "sends 1 × meeting.created",
        ),
        (Host::Ops, "run_batch", &batch, "sends 1 × meeting.created"),
    ] {
        let (message, _) = question(&owner, host, tool, arguments);
        assert!(message.contains(said), "{message}");
    }
    let made = call(
        &owner,
        Host::Events,
        "create_event_guest",
        &guest,
        json!({}),
        true,
    );
    assert_eq!(made.output()["guest"]["name"], "Ana");
    // Nobody answers, so nobody is asked.
    let made = call(
        &owner,
        Host::Work,
        "create_meeting",
        &meeting,
        json!({}),
        false,
    );
    assert_eq!(made.output()["meeting"]["title"], "Weekly");
}
