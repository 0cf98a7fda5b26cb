//! The Forms and quizzes host: the rules beyond its tables.

use frontdesk_protocol::id::EventId;
use frontdesk_protocol::{Host, Role};
use frontdesk_tests::blocking::{Caller, Organization, world};
use serde_json::{Value, json};
use uuid::Uuid;

/// A quiz of two questions, with the right options 2 and 1.
fn quiz(organization: &Organization, max_attempts: u32) -> (Caller, Value) {
    let mut teacher = organization.caller(Role::Teacher, Host::Quiz);
    let quiz = json!({
        "title": "Ownership", "max_attempts": max_attempts, "questions": [
            { "prompt": "Who owns it?", "options": ["Nobody", "One", "All"], "right": 2 },
            { "prompt": "Is it dropped?", "options": ["Yes", "No"], "right": 1 },
        ],
    });
    let quiz = teacher.record("create_quiz", quiz);
    (teacher, quiz)
}

#[test]
fn right_answers_are_hidden_from_those_who_can_attempt() {
    let organization = Organization::create();
    let (mut teacher, quiz) = quiz(&organization, 3);
    assert_eq!(quiz["right_options"], json!([2, 1]));
    let got = teacher.record("get_quiz", json!({ "id": quiz["id"] }));
    assert_eq!(got, quiz);
    let mut fellow = organization.caller(Role::Fellow, Host::Quiz);
    let got = fellow.record("get_quiz", json!({ "id": quiz["id"] }));
    let listed = fellow.output("list_quizzes", json!({}));
    assert_eq!(listed["quizzes"], json!([got]));
    assert_eq!(got["right_options"], Value::Null);
    assert_eq!(
        got["questions"][1],
        json!({ "prompt": "Is it dropped?", "options": ["Yes", "No"] })
    );
}

#[test]
fn an_attempt_is_scored_by_the_database() {
    let organization = Organization::create();
    let (mut teacher, quiz) = quiz(&organization, 3);
    let mut fellow = organization.caller(Role::Fellow, Host::Quiz);
    for (number, answers, right, passed) in [(1, [2, 2], 1, false), (2, [2, 1], 2, true)] {
        let attempt = json!({ "quiz_id": quiz["id"], "answers": answers });
        let scored = fellow.record("submit_attempt", attempt);
        let told = ["number", "right_count", "question_count", "passed"];
        assert_eq!(
            told.map(|field| scored[field].clone()),
            [json!(number), json!(right), json!(2), json!(passed)],
            "{scored}"
        );
        assert_eq!(scored["member_id"], json!(organization.fellow));
    }
    let passed = json!({ "quiz_id": quiz["id"], "passed": true });
    let seen = teacher.output("list_attempts", passed);
    assert_eq!(seen["attempts"][0]["answers"], json!([2, 1]));
    assert_eq!(seen["attempts"].as_array().map(Vec::len), Some(1));
}

#[test]
fn an_attempt_answers_each_question_with_one_of_its_options() {
    let organization = Organization::create();
    let (_, quiz) = quiz(&organization, 3);
    let mut fellow = organization.caller(Role::Fellow, Host::Quiz);
    for (answers, field) in [(json!([2]), "answers"), (json!([2, 3]), "answers[1]")] {
        let attempt = json!({ "quiz_id": quiz["id"], "answers": answers });
        fellow
            .call("submit_attempt", attempt)
            .refuses("invalid_argument", field);
    }
    let none = fellow.output("list_attempts", json!({}));
    assert_eq!(none["attempts"], json!([]));
}

#[test]
fn a_quiz_is_attempted_as_often_as_it_allows() {
    let organization = Organization::create();
    let (_, quiz) = quiz(&organization, 1);
    let mut fellow = organization.caller(Role::Fellow, Host::Quiz);
    let attempt = json!({ "quiz_id": quiz["id"], "answers": [1, 1] });
    fellow.output("submit_attempt", attempt.clone());
    fellow
        .call("submit_attempt", attempt)
        .refuses("invalid_argument", "quiz_id");
}

#[test]
fn attempts_count_for_each_member_and_each_quiz() {
    let organization = Organization::create();
    let (_, first) = quiz(&organization, 1);
    let (_, second) = quiz(&organization, 1);
    let id: Uuid = serde_json::from_value(first["id"].clone()).expect("an id");
    let other = "insert into quiz.attempts (organization_id, quiz_id, member_id, answers) \
         values ($1, $2, $3, '{1,1}')";
    world()
        .owner()
        .execute(other, &[&organization.id.0, &id, &organization.member.0])
        .expect("another's attempt");
    let mut fellow = organization.caller(Role::Fellow, Host::Quiz);
    for quiz in [&first, &second] {
        let attempt = json!({ "quiz_id": quiz["id"], "answers": [1, 1] });
        let scored = fellow.record("submit_attempt", attempt.clone());
        assert_eq!(scored["number"], 1);
        fellow
            .call("submit_attempt", attempt)
            .refuses("invalid_argument", "quiz_id");
    }
}

#[test]
fn a_fellow_sees_the_own_attempts() {
    let organization = Organization::create();
    let (mut teacher, quiz) = quiz(&organization, 3);
    let id: Uuid = serde_json::from_value(quiz["id"].clone()).expect("an id");
    let other = "insert into quiz.attempts (organization_id, quiz_id, member_id, answers) \
         values ($1, $2, $3, '{1,1}')";
    world()
        .owner()
        .execute(other, &[&organization.id.0, &id, &organization.member.0])
        .expect("another's attempt");
    let mut fellow = organization.caller(Role::Fellow, Host::Quiz);
    let attempt = json!({ "quiz_id": quiz["id"], "answers": [1, 2] });
    fellow.output("submit_attempt", attempt);
    let own = fellow.output("list_attempts", json!({}));
    assert_eq!(own["attempts"][0]["answers"], json!([1, 2]));
    assert_eq!(own["attempts"].as_array().map(Vec::len), Some(1));
    let all = teacher.output("list_attempts", json!({}));
    assert_eq!(all["attempts"].as_array().map(Vec::len), Some(2));
}

#[test]
fn questions_without_possible_answers_are_refused() {
    let organization = Organization::create();
    let mut teacher = organization.caller(Role::Teacher, Host::Quiz);
    for fields in [
        json!([]),
        json!([{ "label": "When?", "kind": "choice", "options": ["Now"] }]),
        json!([{ "label": "Why?", "kind": "text", "options": ["Now", "Later"] }]),
    ] {
        let form = json!({ "title": "Interview", "fields": fields });
        teacher
            .call("create_form", form)
            .refuses("invalid_argument", "fields");
    }
    let question = |right| json!({ "prompt": "Is it?", "options": ["Yes", "No"], "right": right });
    for (questions, field) in [
        (json!([]), "questions"),
        (json!([question(1), question(3)]), "questions[1].right"),
    ] {
        let quiz = json!({ "title": "Ownership", "questions": questions });
        teacher
            .call("create_quiz", quiz)
            .refuses("invalid_argument", field);
    }
}

/// An event with a guest of each kind, a form, and the arguments of its dispatch.
fn interview(organization: &Organization) -> (Caller, EventId, Value) {
    let mut staff = organization.caller(Role::Staff, Host::Quiz);
    let event = organization.event("Open Day");
    for guest in [
        json!({ "event_id": event, "name": "Ana", "chat_id": "chat-ana", "role": "speaker" }),
        json!({ "event_id": event, "name": "Fellow", "member_id": organization.fellow }),
        json!({ "event_id": event, "name": "Zoe" }),
    ] {
        staff
            .at(Host::Events)
            .call("create_event_guest", guest)
            .output();
    }
    let form = json!({ "title": "Interview", "fields": [{ "label": "Why?", "kind": "text" }] });
    let form = staff.make("create_form", form);
    (staff, event, json!({ "form_id": form, "event_id": event }))
}

#[test]
fn a_dispatch_goes_once_to_each_guest_whose_chat_id_resolves() {
    let organization = Organization::create();
    let (mut staff, _, dispatch) = interview(&organization);
    let planned = staff.output("preview_dispatch", dispatch.clone());
    let counts = |output: &Value| ["send", "already", "no_chat_id"].map(|of| output[of].clone());
    assert_eq!(counts(&planned), [json!(2), json!(0), json!(1)]);
    let outcomes = planned["guests"].as_array().expect("guests");
    let outcomes: Vec<_> = outcomes.iter().map(|guest| &guest["outcome"]).collect();
    assert_eq!(outcomes, ["send", "send", "no_chat_id"]);

    for (dispatched, already) in [(2, 0), (0, 2)] {
        let done = staff.output("dispatch_interview", dispatch.clone());
        assert_eq!(
            done,
            json!({
                "dispatched": dispatched, "automation_webhook_inserts": dispatched,
                "remaining": 0, "already": already, "no_chat_id": 1,
            })
        );
    }
    let form = json!({ "form_id": dispatch["form_id"] });
    let listed = staff.output("list_dispatches", form);
    let listed = listed["dispatches"].as_array().expect("dispatches");
    let mut sent: Vec<_> = listed
        .iter()
        .map(|one| (one["guest_name"].to_string(), one["chat_id"].to_string()))
        .collect();
    sent.sort();
    let text = |text: &str| json!(text).to_string();
    assert_eq!(
        sent,
        [
            (text("Ana"), text("chat-ana")),
            (text("Fellow"), text("chat-fellow"))
        ]
    );
    let planned = staff.output("preview_dispatch", dispatch);
    assert_eq!(counts(&planned), [json!(0), json!(2), json!(1)]);
}

#[test]
fn a_dispatch_can_be_made_in_parts_and_to_one_role() {
    let organization = Organization::create();
    let (mut staff, _, mut dispatch) = interview(&organization);
    let page = json!({ "limit": 2, "offset": 1 });
    let mut asked = dispatch.clone();
    asked["limit"] = page["limit"].clone();
    asked["offset"] = page["offset"].clone();
    let planned = staff.output("preview_dispatch", asked);
    assert_eq!(planned["guests"][0]["name"], "Fellow");
    assert_eq!(planned["has_more"], false);
    dispatch["limit"] = json!(1);
    let first = staff.output("dispatch_interview", dispatch.clone());
    assert_eq!(
        (&first["dispatched"], &first["remaining"]),
        (&json!(1), &json!(1))
    );
    dispatch["role"] = json!("speaker");
    let none = staff.output("dispatch_interview", dispatch);
    assert_eq!(
        (&none["dispatched"], &none["already"]),
        (&json!(0), &json!(1))
    );
}

#[test]
fn only_the_desk_dispatches_and_a_machine_reads_where_to() {
    let organization = Organization::create();
    let (mut staff, _, dispatch) = interview(&organization);
    for role in [Role::Teacher, Role::Finance, Role::Fellow, Role::Automation] {
        let mut caller = organization.caller(role, Host::Quiz);
        for tool in ["preview_dispatch", "dispatch_interview"] {
            let answer = caller.call(tool, dispatch.clone());
            assert_eq!(answer.status, 403, "{tool} as {role:?}");
        }
    }
    staff.output("dispatch_interview", dispatch.clone());
    let listed = staff.record("list_dispatches", json!({}));
    let mut listed = listed.as_array().expect("dispatches").iter();
    let id = listed
        .find(|one| one["guest_name"] == "Ana")
        .expect("Ana's")["id"]
        .clone();
    let mut machine = organization.caller(Role::Automation, Host::Quiz);
    let read = machine.record("get_dispatch", json!({ "id": id }));
    assert_eq!(read["guest_name"], Value::Null);
    assert!(read["chat_id"].is_string(), "{read}");
    for role in [Role::Teacher, Role::Finance, Role::Fellow] {
        let mut caller = organization.caller(role, Host::Quiz);
        let read = caller.output("get_dispatch", json!({ "id": id }));
        assert_eq!(read["dispatch"], Value::Null, "{role:?}");
    }
    let stranger = Organization::create();
    let mut stranger = stranger.caller(Role::Owner, Host::Quiz);
    let read = stranger.output("get_dispatch", json!({ "id": id }));
    assert_eq!(read["dispatch"], Value::Null);
    let crossing = stranger.call("dispatch_interview", dispatch);
    crossing.refuses("not_found", "form_id");
}

/// A form that was sent to Ana, who has no account, and to the fellow; their dispatches in this order.
fn dispatched(organization: &Organization) -> (Caller, [Value; 2]) {
    let mut staff = organization.caller(Role::Staff, Host::Quiz);
    let event = organization.event("Open Day");
    let mut events = staff.at(Host::Events);
    let ana = json!({ "event_id": event, "name": "Ana", "chat_id": "chat-ana" });
    let ana = events.make("create_event_guest", ana);
    let fellow = json!({ "event_id": event, "name": "Fellow", "member_id": organization.fellow });
    let fellow = events.make("create_event_guest", fellow);
    let form = json!({ "title": "Interview", "fields": [
        { "label": "Why?", "kind": "text", "is_required": true },
        { "label": "When?", "kind": "choice", "options": ["Now", "Later"] },
        { "label": "Since?", "kind": "day" },
        { "label": "Age", "kind": "number" },
    ] });
    let form = staff.make("create_form", form);
    staff.output(
        "dispatch_interview",
        json!({ "form_id": form, "event_id": event }),
    );
    let to = |staff: &mut Caller, guest: &Value| {
        staff.record("list_dispatches", json!({ "guest_id": guest }))[0]["id"].clone()
    };
    let dispatches = [to(&mut staff, &ana), to(&mut staff, &fellow)];
    (staff, dispatches)
}

#[test]
fn the_answers_of_a_removed_guest_come_back_with_the_guest() {
    let organization = Organization::create();
    let (mut staff, [_, to_fellow]) = dispatched(&organization);
    let answers = json!(["To learn", "Now", "2026-03-05", ""]);
    let mut fellow = organization.caller(Role::Fellow, Host::Quiz);
    let response = json!({ "dispatch_id": to_fellow, "answers": answers });
    fellow.output("submit_response", response);
    let before = staff.output("list_responses", json!({}));
    let sent = staff.record("get_dispatch", json!({ "id": to_fellow }));
    let mut platform = staff.at(Host::Ops);
    platform.output("remove_guest", json!({ "id": sent["guest_id"] }));
    assert_eq!(
        staff.output("list_responses", json!({}))["responses"],
        json!([])
    );
    let listed = platform.output("list_changes", json!({ "limit": 1 }));
    platform.output(
        "undo_change",
        json!({ "change_id": listed["changes"][0]["id"] }),
    );
    assert_eq!(staff.output("list_responses", json!({})), before);
}

#[test]
fn a_guest_responds_once_to_the_form_that_they_were_sent() {
    let organization = Organization::create();
    let (mut staff, [to_ana, to_fellow]) = dispatched(&organization);
    let mut fellow = organization.caller(Role::Fellow, Host::Quiz);
    let sent = fellow.record("list_dispatches", json!({}));
    assert_eq!(sent.as_array().map(Vec::len), Some(1), "{sent}");
    assert_eq!(sent[0]["id"], to_fellow);
    let form = fellow.record("get_form", json!({ "id": sent[0]["form_id"] }));
    assert_eq!(form["title"], "Interview");

    let answers = json!(["To learn", "Now", "2026-03-05", ""]);
    let response = json!({ "dispatch_id": to_fellow, "answers": answers });
    let submitted = fellow.record("submit_response", response.clone());
    assert_eq!(submitted["guest_name"], "Fellow");
    assert_eq!(
        submitted["answers"][1],
        json!({ "label": "When?", "answer": "Now" })
    );
    let again = fellow.call("submit_response", response);
    again.refuses("conflict", "dispatch_id");
    // The response counts: it is neither taken back nor given once more.
    let mut changes = organization.caller(Role::Fellow, Host::Ops);
    let listed = changes.output("list_changes", json!({ "limit": 1 }));
    let undo = json!({ "change_id": listed["changes"][0]["id"] });
    let kept = changes.call("undo_change", undo);
    kept.refuses_with(
        "refused",
        "change_id",
        "a response is final and cannot be undone",
    );
    let others = json!({ "dispatch_id": to_ana, "answers": answers });
    fellow
        .call("submit_response", others.clone())
        .refuses("not_found", "dispatch_id");

    // The machine that sends the forms returns the answers of the chat.
    let mut machine = organization.caller(Role::Automation, Host::Quiz);
    machine.output("submit_response", others.clone());
    assert_eq!(staff.call("submit_response", others).status, 403);
    let all = staff.output("list_responses", json!({ "form_id": form["id"] }));
    assert_eq!(all["total"], 2, "{all}");
    let own = fellow.output("list_responses", json!({}));
    assert_eq!(own["responses"], json!([submitted]));
}

#[test]
fn a_response_fits_the_fields_of_its_form() {
    let organization = Organization::create();
    let (_, [_, dispatch]) = dispatched(&organization);
    let mut fellow = organization.caller(Role::Fellow, Host::Quiz);
    for (answers, field, message) in [
        (
            json!(["Why not"]),
            "answers",
            "must be 4, one for each field",
        ),
        (
            json!(["", "Now", "", ""]),
            "answers[0]",
            "is required: “Why?”",
        ),
        (
            json!(["x", "Never", "", ""]),
            "answers[1]",
            "must be one of: Now, Later",
        ),
        (
            json!(["x", "", "2026-02-31", ""]),
            "answers[2]",
            "must be a day such as 2026-03-05",
        ),
        (
            json!(["x", "", "", "old"]),
            "answers[3]",
            "must be a number such as 12.5",
        ),
    ] {
        let response = json!({ "dispatch_id": dispatch, "answers": answers });
        let refused = fellow.call("submit_response", response);
        refused.refuses_with("invalid_argument", field, message);
    }
    let none = fellow.output("list_responses", json!({}));
    assert_eq!(none["responses"], json!([]));
}
