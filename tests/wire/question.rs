//! Calls about which a person is asked first.

use frontdesk_protocol::{Host, Role};
use frontdesk_server::clock::Clock;
use frontdesk_tests::blocking::{Answer, Http, Organization, Waiting, answer_to, world};
use reqwest::Method;
use serde_json::{Value, json};

use super::sessionless::{ask, ask_with};

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
        "Undo change: removes 30 epics (“Epic 0”, “Epic 1”, “Epic 2”, …). Do it?"
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
fn a_yes_to_less_is_no_yes_to_more() {
    let organization = Organization::create();
    let owner = organization.sign_in(Role::Owner);
    let event = organization.event("Fair");
    for n in 0..30 {
        organization.guest(event, &format!("Guest {n}"));
    }
    let delete = json!({ "id": event });
    let (_, state) = question(&owner, Host::Events, "delete_event", &delete);
    organization.guest(event, "Came since");
    let grown = answered(
        &owner,
        Host::Events,
        "delete_event",
        &delete,
        ("accept", &state),
    );
    assert_eq!(grown.tool_error()["code"], "conflict", "{}", grown.body);
    let (_, state) = question(&owner, Host::Events, "delete_event", &delete);
    let yes = answered(
        &owner,
        Host::Events,
        "delete_event",
        &delete,
        ("accept", &state),
    );
    assert_eq!(yes.output()["event"]["name"], "Fair");
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
            "sends 1 webhook meeting.created",
        ),
        (
            Host::Ops,
            "run_batch",
            &batch,
            "sends 1 webhook meeting.created",
        ),
    ] {
        let (message, _) = question(&owner, host, tool, arguments);
        assert!(message.contains(said), "{message}");
        let mut in_session = answering(&owner, host, "2025-11-25");
        let (question, _) = asked(&mut in_session, host, tool, arguments);
        assert_eq!(question["params"]["message"], message);
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
    // A revision without questions.
    let mut old = answering(&owner, Host::Staff, "2025-03-26");
    old.call(Host::Staff, "invite_staff", invited).result();
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

/// The owner in a session in which somebody answers.
fn answering(owner: &Http, host: Host, version: &str) -> Http {
    owner.speaking_with(host, version, json!({ "elicitation": {} }))
}

/// Calls a tool in a session, and returns the question with the call that waits.
fn asked(http: &mut Http, host: Host, tool: &str, arguments: &Value) -> (Value, Waiting) {
    let params = json!({ "name": tool, "arguments": arguments });
    let mut waiting = http.wait(host, params);
    let question = waiting.message();
    assert_eq!(question["method"], "elicitation/create", "{question}");
    (question, waiting)
}

/// Posts an answer to this question.
fn post(http: &mut Http, host: Host, question: &Value, result: Value) {
    let answer = json!({ "jsonrpc": "2.0", "id": question["id"], "result": result });
    assert_eq!(http.send(host, answer.to_string()).status.as_u16(), 202);
}

fn yes() -> Value {
    json!({ "action": "accept", "content": { "confirm": true } })
}

#[test]
fn a_person_is_asked_in_a_session_before_the_call_is_answered() {
    let (_, mut owner, undo) = school();
    let mut http = answering(&owner, Host::Ops, "2025-06-18");
    for no in [
        json!({ "action": "decline" }),
        json!({ "action": "cancel" }),
        json!({ "action": "accept", "content": {} }),
    ] {
        let (question, waiting) = asked(&mut http, Host::Ops, "undo_change", &undo);
        assert_eq!(
            question["params"]["message"],
            "Undo change: removes 30 epics (“Epic 0”, “Epic 1”, “Epic 2”, …). Do it?"
        );
        post(&mut http, Host::Ops, &question, no);
        let error = waiting.end().tool_error();
        assert_eq!(error["code"], "refused", "{error}");
        assert_eq!(epics(&mut owner), 30);
    }
    let (question, waiting) = asked(&mut http, Host::Ops, "undo_change", &undo);
    post(&mut http, Host::Ops, &question, yes());
    waiting.end().output();
    assert_eq!(epics(&mut owner), 0);
}

#[test]
fn nobody_is_asked_about_a_call_that_was_made_and_cannot_be_made_twice() {
    let organization = Organization::create();
    let mut finance = organization.caller(Role::Finance, Host::Financing);
    let mut account = |code: &str, kind: &str| {
        let account = json!({ "code": code, "name": code, "kind": kind });
        finance.make("create_account", account)
    };
    let (bank, sales) = (account("1000", "asset"), account("4000", "income"));
    let entry = json!({ "entry_on": "2026-03-05", "description": "Sale", "lines": [
        { "account_id": bank, "side": "debit", "amount": 7 },
        { "account_id": sales, "side": "credit", "amount": 7 },
    ] });
    let http = organization.sign_in(Role::Finance);
    let (host, tool) = (Host::Financing, "post_journal_entry");
    let (_, state) = question(&http, host, tool, &entry);
    answered(&http, host, tool, &entry, ("accept", &state)).output();
    let again = call(&http, host, tool, &entry, json!({}), true);
    let refused = again.tool_error()["message"].to_string();
    assert!(refused.contains("an idempotency key"), "{}", again.body);
    let answers = json!({ "io.modelcontextprotocol/clientCapabilities": { "elicitation": {} } });
    let keyed = json!({ "name": tool, "arguments": entry, "_meta": answers });
    let key = [("idempotency-key", "meant")];
    let meant = ask_with(&http, host, "tools/call", keyed, &key);
    assert_eq!(
        meant.result()["resultType"],
        "input_required",
        "{}",
        meant.body
    );
}

#[test]
fn an_answer_counts_for_its_question_and_caller_and_may_reach_another_process() {
    let (organization, mut owner, undo) = school();
    let mut http = answering(&owner, Host::Ops, "2025-11-25");
    let (question, waiting) = asked(&mut http, Host::Ops, "undo_change", &undo);
    // An admin of the same organisation, with a session of their own.
    let mut admin = answering(&organization.sign_in(Role::Admin), Host::Ops, "2025-11-25");
    post(&mut admin, Host::Ops, &question, yes());
    // The same account in another session, which has learnt the question's id.
    let mut second = answering(&owner, Host::Ops, "2025-11-25");
    post(&mut second, Host::Ops, &question, yes());
    assert_eq!(epics(&mut owner), 30);
    let other = world().server(Clock::system(), 0);
    let (here, there) = (world().url(), other.url());
    http.move_to(&there);
    post(
        &mut http,
        Host::Ops,
        &question,
        json!({ "action": "decline" }),
    );
    assert_eq!(waiting.end().refusal(), "refused");
    // The answer to an earlier question of the same session says nothing about a later one.
    http.move_to(&here);
    let (question, waiting) = asked(&mut http, Host::Ops, "undo_change", &undo);
    http.move_to(&there);
    post(&mut http, Host::Ops, &question, yes());
    waiting.end().output();
    assert_eq!(epics(&mut owner), 0);
}

#[test]
fn a_call_that_is_cancelled_while_it_waits_is_not_made() {
    let (_, mut owner, undo) = school();
    let mut http = answering(&owner, Host::Ops, "2025-11-25");
    let (_, waiting) = asked(&mut http, Host::Ops, "undo_change", &undo);
    let cancelled = json!({
        "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 },
    });
    http.send(Host::Ops, cancelled.to_string());
    assert_eq!(waiting.end().refusal(), "refused");
    assert_eq!(epics(&mut owner), 30);
}

#[test]
fn an_organisation_can_require_that_a_person_agrees() {
    let (organization, mut owner, undo) = school();
    let sets = json!({ "agents": "ask" });
    owner
        .call(Host::Staff, "update_organization", sets)
        .output();
    let mut other = organization.sign_in(Role::Owner);
    let preview = json!({ "host": "ops", "tool": "undo_change", "arguments": undo });
    let digest = other.call(Host::Ops, "preview_call", preview.clone());
    let mut apply = preview;
    apply["expect"] = digest.output()["digest"].clone();
    let refused = [
        other.call(Host::Ops, "undo_change", undo.clone()),
        other.call(Host::Ops, "apply_call", apply),
        call(&other, Host::Ops, "undo_change", &undo, json!({}), false),
    ];
    for answer in refused {
        let error = answer.tool_error();
        let said = error["message"].as_str().unwrap_or_default();
        assert!(
            said.contains("agree to this call: Undo change: removes 30 epics"),
            "{error}"
        );
    }
    // What nobody needs to be asked about is made at once, and so is what a person does in Frontdesk.
    let made = other.call(Host::Work, "create_project", json!({ "name": "Hut" }));
    assert_eq!(made.output()["project"]["name"], "Hut");
    question(&other, Host::Ops, "undo_change", &undo);
    assert_eq!(epics(&mut owner), 30);
    // Anybody can take Frontdesk's name. The person at its sign-in has agreed to what it does, not to what a program does
    // that gets a token.
    other.agent = Some("frontdesk/1.0");
    other
        .call(Host::Ops, "undo_change", undo.clone())
        .tool_error();
    let mut person = other.with_person(&organization.email(Role::Owner));
    let program = person.request(Method::POST, "/auth/v1/user/token");
    let program = program
        .bearer_auth(&person.token)
        .json(&json!({ "read_only": false }));
    let program = answer_to(program).body["access_token"].clone();
    let mut program = Http::with_token(&world().url(), program.as_str().expect("a token"));
    program
        .call(Host::Ops, "undo_change", undo.clone())
        .tool_error();
    assert_eq!(epics(&mut owner), 30);
    person.call(Host::Ops, "undo_change", undo).output();
    assert_eq!(epics(&mut owner), 0);
}
