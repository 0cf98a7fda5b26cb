//! The Proposals host: the rules beyond its tables.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::blocking::{Caller, Organization};
use serde_json::{Value, json};

fn owner() -> Caller {
    let organization = Organization::create();
    organization.caller(Role::Owner, Host::Proposals)
}

/// A submission to a tender with these questions and this deadline, and its tender.
fn submission(owner: &mut Caller, questions: &[&str], deadline: &str) -> (Value, Value) {
    let tender = json!({
        "title": "Training", "issuer": "City", "deadline_at": deadline, "questions": questions,
    });
    let tender = owner.make("create_tender", tender);
    let begun = json!({ "tender_id": tender });
    (owner.make("create_submission", begun), tender)
}

const LATER: &str = "2099-03-01T12:00:00Z";

fn answer(submission: &Value, question: u32, answer: &str) -> Value {
    json!({ "id": submission, "question": question, "answer": answer })
}

fn time(value: &Value) -> jiff::Timestamp {
    serde_json::from_value(value.clone()).expect("a time")
}

#[test]
fn nothing_is_submitted_with_questions_unanswered() {
    let mut owner = owner();
    let (id, _) = submission(&mut owner, &["Who?", "When?", "Where?"], LATER);
    owner.output("set_submission_answer", answer(&id, 2, "Soon."));
    let refused = owner.call("submit_submission", json!({ "id": id }));
    refused.refuses("invalid_argument", "id");
    assert_eq!(
        refused.tool_error()["message"],
        "these questions have no answer yet: 1, 3"
    );
    for question in [1, 3] {
        let words = answer(&id, question, "We.");
        owner.output("set_submission_answer", words);
    }
    let submitted = owner.record("submit_submission", json!({ "id": id }));
    assert_eq!(submitted["status"], "submitted");
    assert!(submitted["submitted_at"].is_string(), "{submitted}");
}

#[test]
fn nothing_is_submitted_after_the_deadline() {
    let mut owner = owner();
    let (id, tender) = submission(&mut owner, &[], "2020-03-01T12:00:00Z");
    let refused = owner.call("submit_submission", json!({ "id": id }));
    refused.refuses("invalid_argument", "id");
    assert_eq!(
        refused.tool_error()["message"],
        "the deadline of the tender has passed"
    );
    let got = owner.record("get_submission", json!({ "id": id }));
    assert_eq!(got["status"], "draft");
    let longer = json!({ "id": tender, "deadline_at": LATER });
    owner.output("update_tender", longer);
    owner.output("submit_submission", json!({ "id": id }));
}

#[test]
fn a_submission_keeps_the_title_that_it_was_submitted_under() {
    let mut owner = owner();
    let (id, tender) = submission(&mut owner, &[], LATER);
    let title = |owner: &mut Caller, new: &str| {
        let renamed = json!({ "id": tender, "title": new });
        owner.output("update_tender", renamed);
        let got = owner.record("get_submission", json!({ "id": id }));
        got["title"].clone()
    };
    assert_eq!(title(&mut owner, "Courses"), "Courses");
    let submitted = owner.record("submit_submission", json!({ "id": id }));
    assert_eq!(submitted["title"], "Courses");
    assert_eq!(title(&mut owner, "Workshops"), "Courses");
    for search in ["courses", "workshops"] {
        let found = json!({ "search": search });
        let found = owner.output("list_submissions", found);
        assert_eq!(found["submissions"][0]["title"], "Courses", "{search}");
    }
}

#[test]
fn only_owners_move_a_deadline_that_has_passed_and_the_tender_shows_it() {
    const PASSED: &str = "2020-03-01T12:00:00Z";
    let organization = Organization::create();
    let mut owner = organization.caller(Role::Owner, Host::Proposals);
    let (_, tender) = submission(&mut owner, &[], LATER);
    let set = |deadline: &str| json!({ "id": tender, "deadline_at": deadline });
    // Before it has passed, every writer can move it.
    for role in [Role::Staff, Role::Admin] {
        let mut other = organization.caller(role, Host::Proposals);
        let moved = other.record("update_tender", set(LATER));
        assert_eq!(moved["deadline_moved_by"], Value::Null);
    }
    let moved = owner.record("update_tender", set(PASSED));
    assert_eq!(moved["deadline_was"], Value::Null);
    for role in [Role::Staff, Role::Admin] {
        let mut other = organization.caller(role, Host::Proposals);
        let refused = other.call("update_tender", set(LATER));
        assert_eq!(refused.refusal(), "forbidden", "{role:?}");
        let same = json!({ "id": tender, "deadline_at": PASSED, "summary": "Closed" });
        other.output("update_tender", same);
    }
    let before = owner.record("get_tender", json!({ "id": tender }));
    assert_eq!(time(&before["deadline_at"]), time(&json!(PASSED)));
    let moved = owner.record("update_tender", set(LATER));
    assert_eq!(time(&moved["deadline_at"]), time(&json!(LATER)));
    assert_eq!(time(&moved["deadline_was"]), time(&json!(PASSED)));
    assert_eq!(
        moved["deadline_moved_by"],
        json!(organization.user(Role::Owner))
    );
    assert!(moved["deadline_moved_at"].is_string(), "{moved}");
}

#[test]
fn nothing_is_submitted_to_a_tender_that_is_not_open() {
    let mut owner = owner();
    let (id, tender) = submission(&mut owner, &[], LATER);
    let withdrawn = json!({ "id": tender, "status": "withdrawn" });
    owner.output("update_tender", withdrawn);
    let refused = owner.call("submit_submission", json!({ "id": id }));
    refused.refuses("invalid_argument", "id");
}

#[test]
fn a_submitted_submission_does_not_change() {
    let mut owner = owner();
    let (id, tender) = submission(&mut owner, &["Who?"], LATER);
    owner.output("set_submission_answer", answer(&id, 1, "We."));
    owner.output("submit_submission", json!({ "id": id }));
    let before = owner.record("get_submission", json!({ "id": id }));
    owner
        .call("set_submission_answer", answer(&id, 1, "They."))
        .refuses("invalid_argument", "id");
    owner
        .call("submit_submission", json!({ "id": id }))
        .refuses("invalid_argument", "id");
    owner
        .call(
            "update_tender",
            json!({ "id": tender, "questions": ["Why?"] }),
        )
        .refuses("invalid_argument", "questions");
    // Fields other than the questions can be corrected.
    let won = json!({ "id": tender, "status": "won", "questions": ["Who?"] });
    owner.output("update_tender", won);
    let after = owner.record("get_submission", json!({ "id": id }));
    assert_eq!(before, after);
}

#[test]
fn answers_stay_with_their_questions_when_a_tender_changes_them() {
    let mut owner = owner();
    let (id, tender) = submission(&mut owner, &["Who?", "When?"], LATER);
    owner.output("set_submission_answer", answer(&id, 1, "We."));
    let anew = json!({ "id": tender, "questions": ["Why?", "Who?"] });
    owner.output("update_tender", anew);
    let got = owner.record("get_submission", json!({ "id": id }));
    assert_eq!(
        got["answers"],
        json!([
            { "question": "Why?", "answer": null, "answer_id": null },
            { "question": "Who?", "answer": "We.", "answer_id": null },
        ])
    );
    assert_eq!(got["unanswered"], 1);
    owner
        .call("set_submission_answer", answer(&id, 3, "More."))
        .refuses("invalid_argument", "question");
    let twice = json!({ "id": tender, "questions": ["Who?", "Who?"] });
    owner
        .call("update_tender", twice)
        .refuses("invalid_argument", "questions");
}

#[test]
fn an_answer_of_the_library_is_taken_over_as_it_is_then() {
    let mut owner = owner();
    let (id, _) = submission(&mut owner, &["Who?"], LATER);
    let words = json!({ "question": "Who are you?", "answer": "A school.", "tags": ["about"] });
    let library = owner.make("create_answer", words);
    let taken = json!({ "id": id, "question": 1, "answer_id": library });
    let set = owner.record("set_submission_answer", taken);
    assert_eq!(
        set["answers"],
        json!([{ "question": "Who?", "answer": "A school.", "answer_id": library }])
    );
    let better = json!({ "id": library, "answer": "A community." });
    owner.output("update_answer", better);
    let kept = owner.record("get_submission", json!({ "id": id }));
    assert_eq!(kept["answers"][0]["answer"], "A school.");
    for (search, found) in [("COMMUNITY", 1), ("school", 0), ("who are", 1)] {
        let listed = owner.output("search_answers", json!({ "search": search }));
        let answers = listed["answers"].as_array().map(Vec::len);
        assert_eq!(answers, Some(found), "{search}");
    }
    for both in [
        json!({ "id": id, "question": 1 }),
        json!({ "id": id, "question": 1, "answer": "We.", "answer_id": library }),
    ] {
        owner
            .call("set_submission_answer", both)
            .refuses("invalid_argument", "answer");
    }
}

#[test]
fn a_tender_is_there_once_and_has_one_submission() {
    let mut owner = owner();
    let (_, tender) = submission(&mut owner, &[], LATER);
    owner
        .call("create_submission", json!({ "tender_id": tender }))
        .refuses("conflict", "tender_id");
    let again = json!({ "title": "A", "issuer": "B", "deadline_at": LATER, "reference": "PE 1" });
    owner.output("create_tender", again.clone());
    owner
        .call("create_tender", again)
        .refuses("conflict", "reference");
}

#[test]
fn a_submission_is_exported_as_markdown() {
    let mut owner = owner();
    let tender = json!({
        "title": "Training *2026*", "issuer": "City", "reference": "PE 12/2026", "deadline_at": LATER,
        "questions": ["Who?", "How\nmuch?"],
    });
    let tender = owner.make("create_tender", tender);
    let id = owner.make("create_submission", json!({ "tender_id": tender }));
    owner.output("set_submission_answer", answer(&id, 1, "- We\n- Others\n"));
    let export = json!({ "id": id });
    let draft = owner.output("export_submission", export.clone());
    assert_eq!(
        draft["markdown"],
        "# Training \\*2026\\*\n\n- Issuer: City\n- Reference: PE 12/2026\n- Draft, not submitted\n\n\
         ## 1. Who?\n\n- We\n- Others\n\n## 2. How much?\n\n*Unanswered*\n"
    );
    owner.output("set_submission_answer", answer(&id, 2, "Ten."));
    let submitted = owner.record("submit_submission", json!({ "id": id }));
    let text = owner.output("export_submission", export.clone());
    let text = text["markdown"].as_str().unwrap_or_default();
    let at = time(&submitted["submitted_at"]);
    assert!(text.contains(&format!("- Submitted: {at}\n")), "{text}");
    let mut stranger = Organization::create().caller(Role::Owner, Host::Proposals);
    stranger
        .call("export_submission", export)
        .refuses("not_found", "id");
}
