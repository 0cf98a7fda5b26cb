//! Tools and prompts that ask their client for what they need, at a server with two such tools.

use frontdesk_protocol::record::One;
use frontdesk_protocol::value::Name;
use frontdesk_protocol::wire::{self, Wire};
use frontdesk_protocol::work::meeting::{CreateMeeting, Meeting};
use frontdesk_protocol::{Effect, Host, Role, Roles, Tool};
use frontdesk_server::call::{Answer as Answered, Call, Handler, Outcome, Request, Route, content};
use frontdesk_server::hosts::Hosts;
use frontdesk_server::server::{Server, Settings};
use frontdesk_tests::blocking::{Answer, Http, Organization, world};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::sessionless::{ask, ask_with};

/// Adds a meeting, whose title a person is asked for.
#[derive(Debug, Wire)]
#[wire(strict)]
struct SuggestMeeting {
    meeting_date: Timestamp,
}

impl Tool for SuggestMeeting {
    type Output = One<Meeting>;
    const NAME: &'static str = "suggest_meeting";
    const HOST: Host = Host::Work;
    const EFFECT: Effect = Effect::CREATE;
    const AUDIENCE: Roles = Roles::of(&[Role::Owner, Role::Admin]);
}

impl Handler for SuggestMeeting {
    async fn handle(self, call: &mut Call) -> Outcome<One<Meeting>> {
        let title = json!({ "type": "string", "minLength": 1, "maxLength": 20 });
        let schema =
            json!({ "type": "object", "properties": { "title": title }, "required": ["title"] });
        let message = "What is the meeting about?".to_owned();
        let answer = call.ask("title", Request::Form { message, schema })?;
        let title: Name = wire::read(&content(&answer)?["title"])?;
        call.has_webhooks();
        let meeting = CreateMeeting {
            title,
            meeting_date: self.meeting_date,
            template: None,
            transcriber_calendar_id: None,
        };
        call.act(&meeting).await
    }
}

/// Says which region it was asked for.
#[derive(Debug, Wire)]
#[wire(strict)]
struct NameRegion {
    #[wire(header = "Region")]
    region: Option<String>,
    #[wire(header = "Floor")]
    floor: Option<i64>,
}

impl Tool for NameRegion {
    type Output = NameRegion;
    const NAME: &'static str = "name_region";
    const HOST: Host = Host::Work;
    const EFFECT: Effect = Effect::READ;
    const AUDIENCE: Roles = Roles::of(&Role::ALL);
}

impl Handler for NameRegion {
    async fn handle(self, _: &mut Call) -> Outcome<NameRegion> {
        Answered::of(&self)
    }
}

const ROUTES: &[&[Route]] = &[&[Route::to::<SuggestMeeting>(), Route::to::<NameRegion>()]];
const FORMS: &str = "elicitation";
const DATE: &str = "2026-12-01T12:00:00Z";

fn server() -> Server {
    world().server_with(Settings {
        hosts: Hosts::default().with(Host::Work, ROUTES),
        identity: frontdesk_tests::world::identity(),
        ..Settings::local(frontdesk_server::database::Location::Memory)
    })
}

/// A request of a client that declares this, with more parameters.
fn request(http: &Http, host: Host, method: &str, declared: &str, params: &[&Value]) -> Answer {
    let capabilities = match declared {
        "" => json!({}),
        declared => json!({ declared: {} }),
    };
    let mut all =
        json!({ "_meta": { "io.modelcontextprotocol/clientCapabilities": capabilities } });
    for params in params {
        for (name, value) in params.as_object().expect("an object") {
            all[name] = value.clone();
        }
    }
    ask(http, host, method, all)
}

fn suggested() -> Value {
    json!({ "name": "suggest_meeting", "arguments": { "meeting_date": DATE } })
}

/// Calls the tool that asks.
fn suggest(http: &Http, declared: &str, more: &Value) -> Answer {
    request(
        http,
        Host::Work,
        "tools/call",
        declared,
        &[&suggested(), more],
    )
}

/// The state of a result that asks under this key.
fn state(answer: &Answer, key: &str) -> Value {
    let result = answer.result();
    assert_eq!(result["resultType"], "input_required", "{result}");
    let keys: Vec<_> = result["inputRequests"]
        .as_object()
        .expect("requests")
        .keys()
        .collect();
    assert_eq!(keys, [key]);
    result["requestState"].clone()
}

fn accepted(content: Value) -> Value {
    json!({ "action": "accept", "content": content })
}

fn titled(title: &str, state: &Value) -> Value {
    json!({ "inputResponses": { "title": accepted(json!({ "title": title })) }, "requestState": state })
}

fn agreed(state: &Value) -> Value {
    json!({ "inputResponses": { "confirm": accepted(json!({ "confirm": true })) }, "requestState": state })
}

/// The titles of all meetings.
fn meetings(organization: &Organization) -> Vec<String> {
    let mut owner = organization.sign_in(Role::Owner);
    let listed = owner.call(Host::Work, "list_meetings", json!({}));
    let listed = listed.output()["meetings"].clone();
    let meetings = listed.as_array().expect("meetings").iter();
    meetings
        .map(|meeting| meeting["title"].as_str().expect("a title").to_owned())
        .collect()
}

#[test]
fn a_tool_asks_and_its_answers_lead_to_the_next_question_and_to_the_call() {
    let organization = Organization::create();
    let server = server();
    let owner = organization.sign_in(Role::Owner).at(&server.url());
    let first = suggest(&owner, FORMS, &json!({}));
    let title = state(&first, "title");
    let request = &first.result()["inputRequests"]["title"];
    assert_eq!(request["method"], "elicitation/create");
    assert_eq!(request["params"]["message"], "What is the meeting about?");

    let second = suggest(&owner, FORMS, &titled("Doors", &title));
    let confirm = state(&second, "confirm");
    let message = &second.result()["inputRequests"]["confirm"]["params"]["message"];
    let message = message.as_str().expect("a message");
    assert!(
        message.contains("(“Doors”)") && message.contains("sends 1 webhook meeting.created"),
        "{message}"
    );
    assert!(meetings(&organization).is_empty());

    let made = suggest(&owner, FORMS, &agreed(&confirm));
    assert_eq!(made.output()["meeting"]["title"], "Doors");
    assert_eq!(meetings(&organization), ["Doors"]);
}

#[test]
fn an_answer_that_is_missing_is_asked_for_again_and_a_wrong_one_is_refused() {
    let organization = Organization::create();
    let server = server();
    let owner = organization.sign_in(Role::Owner).at(&server.url());
    let asked = state(&suggest(&owner, FORMS, &json!({})), "title");
    for missing in [
        json!({ "inputResponses": { "name": accepted(json!({ "title": "x" })) } }),
        json!({ "inputResponses": {}, "requestState": asked }),
        json!({ "inputResponses": null }),
    ] {
        state(&suggest(&owner, FORMS, &missing), "title");
    }
    let long = "x".repeat(21);
    let huge = "x".repeat(20_000);
    for (answer, message) in [
        (json!(1), "needs an `action`: accept, decline or cancel"),
        (json!({ "action": "agree" }), "needs an `action`"),
        (accepted(json!({})), "needs a `content.title` of the schema"),
        (
            accepted(json!({ "title": 1 })),
            "needs a `content.title` of the schema",
        ),
        (
            accepted(json!({ "title": long })),
            "needs a `content.title` of the schema",
        ),
        (
            accepted(json!({ "title": "x", "more": huge })),
            "has at most 16384 bytes",
        ),
    ] {
        let wrong = json!({ "inputResponses": { "title": answer }, "requestState": asked });
        let refused = suggest(&owner, FORMS, &wrong);
        assert_eq!(refused.rpc_code(), -32602, "{}", refused.body);
        let said = refused.body["error"]["message"]
            .as_str()
            .unwrap_or_default();
        assert!(said.contains(message), "{said}");
    }
    let list = suggest(&owner, FORMS, &json!({ "inputResponses": [] }));
    assert_eq!(list.rpc_code(), -32602, "{}", list.body);
    // What was not asked for is ignored.
    let mut more = titled("Doors", &asked);
    more["inputResponses"]["other"] = accepted(json!({ "title": "x" }));
    state(&suggest(&owner, FORMS, &more), "confirm");
    assert!(meetings(&organization).is_empty());
}

#[test]
fn a_state_is_of_its_caller_and_its_call_alone() {
    let organization = Organization::create();
    let server = server();
    let owner = organization.sign_in(Role::Owner).at(&server.url());
    let admin = organization.sign_in(Role::Admin).at(&server.url());
    let asked = state(&suggest(&owner, FORMS, &json!({})), "title");
    let confirm = state(&suggest(&owner, FORMS, &titled("Doors", &asked)), "confirm");
    let mut forged = asked.as_str().expect("a state").to_owned();
    forged.replace_range(40..41, if &forged[40..41] == "A" { "B" } else { "A" });
    let other = json!({ "name": "suggest_meeting", "arguments": { "meeting_date": "2026-12-02T12:00:00Z" } });
    for (http, call, more) in [
        (&admin, suggested(), titled("Doors", &asked)),
        (&admin, suggested(), agreed(&confirm)),
        (&owner, other, agreed(&confirm)),
        (&owner, suggested(), titled("Doors", &json!(forged))),
    ] {
        let refused = request(http, Host::Work, "tools/call", FORMS, &[&call, &more]);
        assert_eq!(refused.rpc_code(), -32602, "{}", refused.body);
    }
    // An answer to the first question says nothing about the second.
    let early = suggest(&owner, FORMS, &titled("Doors", &confirm));
    assert_eq!(early.tool_error()["code"], "refused");
    assert!(meetings(&organization).is_empty());
}

#[test]
fn rights_come_before_questions_and_what_a_client_cannot_answer_is_not_asked() {
    let organization = Organization::create();
    let server = server();
    let staff = organization.sign_in(Role::Staff).at(&server.url());
    for declared in [FORMS, ""] {
        for answers in [
            json!({}),
            titled("", &Value::Null),
            titled("Doors", &Value::Null),
        ] {
            let refused = suggest(&staff, declared, &answers);
            assert_eq!(refused.status.as_u16(), 403, "{}", refused.body);
        }
    }
    let owner = organization.sign_in(Role::Owner).at(&server.url());
    for declared in ["", "sampling", "roots"] {
        let refused = suggest(&owner, declared, &json!({}));
        assert_eq!(refused.status.as_u16(), 400);
        assert_eq!(refused.rpc_code(), -32021, "{}", refused.body);
        let needs = &refused.body["error"]["data"]["requiredCapabilities"];
        assert_eq!(*needs, json!({ "elicitation": {} }));
    }
    // In a session the tool itself says so.
    let mut session = owner.speaking(Host::Work, "2025-11-25");
    let refused = session.call(
        Host::Work,
        "suggest_meeting",
        suggested()["arguments"].clone(),
    );
    let error = refused.tool_error();
    assert_eq!(
        error["hint"], "call it with a client that declares elicitation",
        "{error}"
    );
}

#[test]
fn a_batch_asks_nobody_and_a_preview_shows_what_the_answer_leads_to() {
    let organization = Organization::create();
    let server = server();
    let mut owner = organization.sign_in(Role::Owner).at(&server.url());
    let call = json!({ "tool": "suggest_meeting", "arguments": suggested()["arguments"] });
    for dry_run in [false, true] {
        let batch = json!({ "host": "work", "calls": [call], "dry_run": dry_run });
        let batch = json!({ "name": "run_batch", "arguments": batch });
        let refused = request(&owner, Host::Ops, "tools/call", FORMS, &[&batch]);
        let error = refused.tool_error();
        let said = error["message"].as_str().unwrap_or_default();
        assert!(
            said.contains("asks for input, and nobody can be asked here"),
            "{error}"
        );
    }
    let resource = "frontdesk://work/calls/suggest_meeting?arguments=%7B%7D";
    let read = owner.rpc(Host::Work, "resources/read", json!({ "uri": resource }));
    assert_eq!(read.rpc_code(), -32002, "{}", read.body);

    let inner =
        json!({ "host": "work", "tool": "suggest_meeting", "arguments": suggested()["arguments"] });
    let preview = json!({ "name": "preview_call", "arguments": inner });
    let asked = request(&owner, Host::Ops, "tools/call", FORMS, &[&preview]);
    let answer = titled("Doors", &state(&asked, "title"));
    let seen = request(&owner, Host::Ops, "tools/call", FORMS, &[&preview, &answer]);
    let seen = seen.output();
    assert_eq!(seen["result"]["meeting"]["title"], "Doors");
    assert!(meetings(&organization).is_empty());

    let mut apply = json!({ "name": "apply_call", "arguments": inner });
    apply["arguments"]["expect"] = seen["digest"].clone();
    let state_of = |more: &Value, key| {
        let asked = request(&owner, Host::Ops, "tools/call", FORMS, &[&apply, more]);
        state(&asked, key)
    };
    let asked = state_of(&json!({}), "title");
    // Another title is another change than the preview's.
    let other = request(
        &owner,
        Host::Ops,
        "tools/call",
        FORMS,
        &[&apply, &titled("Floors", &asked)],
    );
    assert_eq!(other.tool_error()["code"], "conflict", "{}", other.body);
    let confirm = state_of(&titled("Doors", &asked), "confirm");
    let made = request(
        &owner,
        Host::Ops,
        "tools/call",
        FORMS,
        &[&apply, &agreed(&confirm)],
    );
    assert_eq!(made.output()["result"]["meeting"]["title"], "Doors");
    assert_eq!(meetings(&organization), ["Doors"]);
}

/// Posts the answer to a question in a session.
fn post(http: &mut Http, question: &Value, answer: Value) {
    let mut message = json!({ "jsonrpc": "2.0", "id": question["id"] });
    let kind = if answer.get("code").is_some() {
        "error"
    } else {
        "result"
    };
    message[kind] = answer;
    assert_eq!(
        http.send(Host::Work, message.to_string()).status.as_u16(),
        202
    );
}

#[test]
fn in_a_session_the_call_waits_for_each_answer() {
    let organization = Organization::create();
    let server = server();
    let owner = organization.sign_in(Role::Owner).at(&server.url());
    let mut http = owner.speaking_with(Host::Work, "2025-11-25", json!({ FORMS: {} }));
    let mut waiting = http.wait(Host::Work, suggested());
    let title = waiting.message();
    assert_eq!(title["params"]["message"], "What is the meeting about?");
    let huge = json!({ "jsonrpc": "2.0", "id": title["id"], "result": accepted(json!({ "title": "x".repeat(20_000) })) });
    assert_eq!(http.send(Host::Work, huge.to_string()).rpc_code(), -32602);
    post(&mut http, &title, accepted(json!({ "title": "Doors" })));
    let confirm = waiting.message();
    assert_ne!(confirm["id"], title["id"]);
    // Too late for the first, and no answer to the second.
    post(&mut http, &title, accepted(json!({ "confirm": true })));
    post(&mut http, &confirm, accepted(json!({ "confirm": true })));
    assert_eq!(waiting.end().output()["meeting"]["title"], "Doors");
    assert_eq!(meetings(&organization), ["Doors"]);
    // No answer stays behind.
    let sql = "select count(*) from app.idempotency_keys where user_id = $1 and tool = 'elicitation/create'";
    let user = organization.user(Role::Owner).0;
    let stored = world().owner().query_one(sql, &[&user]).expect("a count");
    assert_eq!(stored.get::<_, i64>(0), 0);

    for (answer, said) in [
        (accepted(json!({ "title": 1 })), "needs a `content.title`"),
        (
            json!({ "action": "decline" }),
            "did not answer; nothing was changed",
        ),
        (
            json!({ "code": -32000, "message": "no form" }),
            "did not answer; nothing was changed",
        ),
    ] {
        let mut waiting = http.wait(Host::Work, suggested());
        let question = waiting.message();
        post(&mut http, &question, answer);
        let error = waiting.end().tool_error();
        assert!(error.to_string().contains(said), "{error}");
    }
    assert_eq!(meetings(&organization), ["Doors"]);
}

#[test]
fn an_argument_with_a_header_of_its_own_stands_in_both_alike() {
    let organization = Organization::create();
    let server = server();
    let mut owner = organization.sign_in(Role::Owner).at(&server.url());
    let listed = ask(&owner, Host::Work, "tools/list", json!({}));
    let schema = &listed.result()["tools"][1]["inputSchema"]["properties"]["region"];
    assert_eq!(schema["x-mcp-header"], "Region", "{schema}");
    let region = "mcp-param-region";
    for (arguments, headers, is_right) in [
        (json!({ "region": "north" }), vec![(region, "north")], true),
        (
            json!({ "region": "nörd" }),
            vec![(region, "=?base64?bsO2cmQ=?=")],
            true,
        ),
        (json!({ "floor": 3 }), vec![("mcp-param-floor", "3")], true),
        (json!({}), vec![], true),
        (json!({ "region": null }), vec![], true),
        (json!({ "region": "north" }), vec![], false),
        (json!({ "region": "north" }), vec![(region, "south")], false),
        (
            json!({ "region": "north" }),
            vec![(region, "north"), (region, "north")],
            false,
        ),
        (
            json!({ "region": "n" }),
            vec![(region, "=?base64?b?=")],
            false,
        ),
        (json!({}), vec![(region, "north")], false),
        (json!({ "floor": 3 }), vec![("mcp-param-floor", "4")], false),
    ] {
        let params = json!({ "name": "name_region", "arguments": arguments });
        let answer = ask_with(&owner, Host::Work, "tools/call", params, &headers);
        match is_right {
            true => assert_eq!(answer.status.as_u16(), 200, "{arguments}: {}", answer.body),
            false => {
                assert_eq!(answer.status.as_u16(), 400, "{arguments}: {}", answer.body);
                assert_eq!(answer.rpc_code(), -32020);
            }
        }
    }
    // Sessions have no such headers.
    let named = owner.call(Host::Work, "name_region", json!({ "region": "north" }));
    assert_eq!(named.output()["region"], "north");
}

/// Fills in the prompt of an event.
fn prepare(http: &Http, more: &Value) -> Answer {
    let prompt = json!({ "name": "prepare_the_door" });
    request(http, Host::Events, "prompts/get", FORMS, &[&prompt, more])
}

/// The field of the event in the question under this key, and the state.
fn event_field(answer: &Answer, key: &str) -> (Value, Value) {
    let state = state(answer, key);
    let params = &answer.result()["inputRequests"][key]["params"];
    let said = "prepare_the_door: Checks that an event is ready for its guests.";
    assert_eq!(params["message"], said);
    (
        params["requestedSchema"]["properties"]["event"].clone(),
        state,
    )
}

fn chosen(key: &str, event: &Value, state: &Value) -> Value {
    json!({ "inputResponses": { key: accepted(json!({ "event": event })) }, "requestState": state })
}

#[test]
fn a_prompt_asks_for_the_record_that_it_is_about_by_name() {
    let organization = Organization::create();
    let staff = organization.sign_in(Role::Staff);
    let other = Organization::create();
    other.event("Theirs");
    let none = event_field(&prepare(&staff, &json!({})), "arguments").0;
    assert_eq!(
        none,
        json!({ "type": "string", "title": "The event, by id or name", "minLength": 1, "maxLength": 200 })
    );

    let id = organization.event("Open day").0;
    organization.event("Fair");
    let (field, state) = event_field(&prepare(&staff, &json!({})), "arguments");
    let choices = field["oneOf"].as_array().expect("choices");
    let mut titles: Vec<_> = choices
        .iter()
        .map(|one| one["title"].as_str().unwrap_or_default())
        .collect();
    titles.sort_unstable();
    assert_eq!(titles, ["Fair", "Open day"]);
    let value = json!(format!("open-day~{id}"));
    let written = prepare(&staff, &chosen("arguments", &value, &state));
    let shown = &written.result()["messages"][0]["content"]["resource"];
    assert_eq!(
        shown["uri"],
        format!("frontdesk://events/event/{id}"),
        "{}",
        written.body
    );
    let wrong = prepare(&staff, &chosen("arguments", &json!("theirs"), &state));
    assert_eq!(wrong.rpc_code(), -32602, "{}", wrong.body);
    let declined = json!({ "inputResponses": { "arguments": { "action": "decline" } }, "requestState": state });
    let declined = prepare(&staff, &declined);
    assert_eq!(declined.rpc_code(), -32602, "{}", declined.body);
    // The state of another caller, and a prompt that is not theirs.
    let admin = organization.sign_in(Role::Admin);
    let stolen = prepare(&admin, &chosen("arguments", &value, &state));
    assert_eq!(stolen.rpc_code(), -32602, "{}", stolen.body);
    let teacher = organization.sign_in(Role::Fellow);
    let hidden = json!({ "name": "month_s_end" });
    let hidden = request(&teacher, Host::Financing, "prompts/get", FORMS, &[&hidden]);
    assert_eq!(hidden.rpc_code(), -32602, "{}", hidden.body);
}

#[test]
fn of_many_records_a_prompt_asks_for_a_name_and_then_which_one_is_meant() {
    let organization = Organization::create();
    let staff = organization.sign_in(Role::Staff);
    for number in 1..=21 {
        organization.event(&format!("Open day {number}"));
    }
    let id = organization.event("Fair").0;
    let (field, state) = event_field(&prepare(&staff, &json!({})), "arguments");
    assert!(field.get("oneOf").is_none(), "{field}");
    let fair = prepare(&staff, &chosen("arguments", &json!("Fair"), &state));
    let shown = &fair.result()["messages"][0]["content"]["resource"];
    assert_eq!(
        shown["uri"],
        format!("frontdesk://events/event/{id}"),
        "{}",
        fair.body
    );
    let nothing = prepare(&staff, &chosen("arguments", &json!("Ball"), &state));
    let said = nothing.body["error"]["message"]
        .as_str()
        .unwrap_or_default();
    assert_eq!(said, "there is no event “Ball”, or you cannot read it");

    let (field, state) = event_field(
        &prepare(&staff, &chosen("arguments", &json!("day 2"), &state)),
        "choice",
    );
    let choices = field["oneOf"].as_array().expect("choices");
    let titles: Vec<_> = choices
        .iter()
        .map(|one| one["title"].as_str().unwrap_or_default())
        .collect();
    assert!(
        titles.contains(&"Open day 20") && !titles.contains(&"Open day 1"),
        "{titles:?}"
    );
    let meant = choices[0]["const"].clone();
    let written = prepare(&staff, &chosen("choice", &meant, &state));
    let uri = written.result()["messages"][0]["content"]["resource"]["uri"].clone();
    let id = meant
        .as_str()
        .and_then(|it| it.split_once('~'))
        .expect("a value")
        .1;
    assert_eq!(uri, format!("frontdesk://events/event/{id}"));
}

#[test]
fn a_prompt_asks_in_a_session_as_its_revision_has_it() {
    let organization = Organization::create();
    let staff = organization.sign_in(Role::Staff);
    let value = json!(format!("open-day~{}", organization.event("Open day").0));
    for (version, field) in [("2025-06-18", "enum"), ("2025-11-25", "oneOf")] {
        let mut http = staff.speaking_with(Host::Events, version, json!({ FORMS: {} }));
        let prompt = json!({ "name": "prepare_the_door" });
        let sent = http.request_of(Host::Events, "prompts/get", prompt);
        let mut waiting = http.listen_to(sent);
        let question = waiting.message();
        let schema = &question["params"]["requestedSchema"]["properties"]["event"];
        assert!(schema[field].is_array(), "{version}: {schema}");
        let named = [&schema["oneOf"][0]["title"], &schema["enumNames"][0]];
        assert!(named.contains(&&json!("Open day")), "{version}: {schema}");
        let answer = accepted(json!({ "event": value }));
        let answer = json!({ "jsonrpc": "2.0", "id": question["id"], "result": answer });
        http.send(Host::Events, answer.to_string());
        let messages = waiting.end().result()["messages"].clone();
        assert_eq!(messages.as_array().map(Vec::len), Some(2), "{messages}");
    }
}
