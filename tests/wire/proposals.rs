//! The Proposals host: the rules beyond its tables.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::{Caller, Organization, run};
use serde_json::{Value, json};

async fn owner() -> Caller {
    let organization = Organization::create().await;
    organization.caller(Role::Owner, Host::Proposals).await
}

/// A submission to a tender with these questions and this deadline, and its tender.
async fn submission(owner: &mut Caller, questions: &[&str], deadline: &str) -> (Value, Value) {
    let tender = json!({
        "title": "Training", "issuer": "City", "deadline_at": deadline, "questions": questions,
    });
    let tender = owner.make("create_tender", tender).await;
    let begun = json!({ "tender_id": tender });
    (owner.make("create_submission", begun).await, tender)
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
    run(async {
        let mut owner = owner().await;
        let (id, _) = submission(&mut owner, &["Who?", "When?", "Where?"], LATER).await;
        owner
            .output("set_submission_answer", answer(&id, 2, "Soon."))
            .await;
        let refused = owner.call("submit_submission", json!({ "id": id })).await;
        refused.refuses("invalid_argument", "id");
        assert_eq!(
            refused.tool_error()["message"],
            "has no answer yet to the questions 1, 3"
        );
        for question in [1, 3] {
            let words = answer(&id, question, "We.");
            owner.output("set_submission_answer", words).await;
        }
        let submitted = owner.record("submit_submission", json!({ "id": id })).await;
        assert_eq!(submitted["status"], "submitted");
        assert!(submitted["submitted_at"].is_string(), "{submitted}");
    });
}

#[test]
fn nothing_is_submitted_after_the_deadline() {
    run(async {
        let mut owner = owner().await;
        let (id, tender) = submission(&mut owner, &[], "2020-03-01T12:00:00Z").await;
        let refused = owner.call("submit_submission", json!({ "id": id })).await;
        refused.refuses("invalid_argument", "id");
        assert_eq!(
            refused.tool_error()["message"],
            "answers a tender whose deadline has passed"
        );
        let got = owner.record("get_submission", json!({ "id": id })).await;
        assert_eq!(got["status"], "draft");
        let longer = json!({ "id": tender, "deadline_at": LATER });
        owner.output("update_tender", longer).await;
        owner.output("submit_submission", json!({ "id": id })).await;
    });
}

#[test]
fn a_submission_keeps_the_title_that_it_was_submitted_under() {
    run(async {
        let mut owner = owner().await;
        let (id, tender) = submission(&mut owner, &[], LATER).await;
        let title = async |owner: &mut Caller, new: &str| {
            let renamed = json!({ "id": tender, "title": new });
            owner.output("update_tender", renamed).await;
            let got = owner.record("get_submission", json!({ "id": id })).await;
            got["title"].clone()
        };
        assert_eq!(title(&mut owner, "Courses").await, "Courses");
        let submitted = owner.record("submit_submission", json!({ "id": id })).await;
        assert_eq!(submitted["title"], "Courses");
        assert_eq!(title(&mut owner, "Workshops").await, "Courses");
        for search in ["courses", "workshops"] {
            let found = json!({ "search": search });
            let found = owner.output("list_submissions", found).await;
            assert_eq!(found["submissions"][0]["title"], "Courses", "{search}");
        }
    });
}

#[test]
fn only_owners_move_a_deadline_that_has_passed_and_the_tender_shows_it() {
    run(async {
        const PASSED: &str = "2020-03-01T12:00:00Z";
        let organization = Organization::create().await;
        let mut owner = organization.caller(Role::Owner, Host::Proposals).await;
        let (_, tender) = submission(&mut owner, &[], LATER).await;
        let set = |deadline: &str| json!({ "id": tender, "deadline_at": deadline });
        // Before it has passed, every writer can move it.
        for role in [Role::Staff, Role::Admin] {
            let mut other = organization.caller(role, Host::Proposals).await;
            let moved = other.record("update_tender", set(LATER)).await;
            assert_eq!(moved["deadline_moved_by"], Value::Null);
        }
        let moved = owner.record("update_tender", set(PASSED)).await;
        assert_eq!(moved["deadline_was"], Value::Null);
        for role in [Role::Staff, Role::Admin] {
            let mut other = organization.caller(role, Host::Proposals).await;
            let refused = other.call("update_tender", set(LATER)).await;
            assert_eq!(refused.refusal(), "forbidden", "{role:?}");
            let same = json!({ "id": tender, "deadline_at": PASSED, "summary": "Closed" });
            other.output("update_tender", same).await;
        }
        let before = owner.record("get_tender", json!({ "id": tender })).await;
        assert_eq!(time(&before["deadline_at"]), time(&json!(PASSED)));
        let moved = owner.record("update_tender", set(LATER)).await;
        assert_eq!(time(&moved["deadline_at"]), time(&json!(LATER)));
        assert_eq!(time(&moved["deadline_was"]), time(&json!(PASSED)));
        assert_eq!(
            moved["deadline_moved_by"],
            json!(organization.user(Role::Owner))
        );
        assert!(moved["deadline_moved_at"].is_string(), "{moved}");
    });
}

#[test]
fn nothing_is_submitted_to_a_tender_that_is_not_open() {
    run(async {
        let mut owner = owner().await;
        let (id, tender) = submission(&mut owner, &[], LATER).await;
        let withdrawn = json!({ "id": tender, "status": "withdrawn" });
        owner.output("update_tender", withdrawn).await;
        let refused = owner.call("submit_submission", json!({ "id": id })).await;
        refused.refuses("invalid_argument", "id");
    });
}

#[test]
fn a_submitted_submission_does_not_change() {
    run(async {
        let mut owner = owner().await;
        let (id, tender) = submission(&mut owner, &["Who?"], LATER).await;
        owner
            .output("set_submission_answer", answer(&id, 1, "We."))
            .await;
        owner.output("submit_submission", json!({ "id": id })).await;
        let before = owner.record("get_submission", json!({ "id": id })).await;
        owner
            .call("set_submission_answer", answer(&id, 1, "They."))
            .await
            .refuses("invalid_argument", "id");
        owner
            .call("submit_submission", json!({ "id": id }))
            .await
            .refuses("invalid_argument", "id");
        owner
            .call(
                "update_tender",
                json!({ "id": tender, "questions": ["Why?"] }),
            )
            .await
            .refuses("invalid_argument", "questions");
        // Fields other than the questions can be corrected.
        let won = json!({ "id": tender, "status": "won", "questions": ["Who?"] });
        owner.output("update_tender", won).await;
        let after = owner.record("get_submission", json!({ "id": id })).await;
        assert_eq!(before, after);
    });
}

#[test]
fn answers_stay_with_their_questions_when_a_tender_asks_anew() {
    run(async {
        let mut owner = owner().await;
        let (id, tender) = submission(&mut owner, &["Who?", "When?"], LATER).await;
        owner
            .output("set_submission_answer", answer(&id, 1, "We."))
            .await;
        let anew = json!({ "id": tender, "questions": ["Why?", "Who?"] });
        owner.output("update_tender", anew).await;
        let got = owner.record("get_submission", json!({ "id": id })).await;
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
            .await
            .refuses("invalid_argument", "question");
        let twice = json!({ "id": tender, "questions": ["Who?", "Who?"] });
        owner
            .call("update_tender", twice)
            .await
            .refuses("invalid_argument", "questions");
    });
}

#[test]
fn an_answer_of_the_library_is_taken_over_as_it_is_then() {
    run(async {
        let mut owner = owner().await;
        let (id, _) = submission(&mut owner, &["Who?"], LATER).await;
        let words = json!({ "question": "Who are you?", "answer": "A school.", "tags": ["about"] });
        let library = owner.make("create_answer", words).await;
        let taken = json!({ "id": id, "question": 1, "answer_id": library });
        let set = owner.record("set_submission_answer", taken).await;
        assert_eq!(
            set["answers"],
            json!([{ "question": "Who?", "answer": "A school.", "answer_id": library }])
        );
        let better = json!({ "id": library, "answer": "A community." });
        owner.output("update_answer", better).await;
        let kept = owner.record("get_submission", json!({ "id": id })).await;
        assert_eq!(kept["answers"][0]["answer"], "A school.");
        for (search, found) in [("COMMUNITY", 1), ("school", 0), ("who are", 1)] {
            let listed = owner
                .output("search_answers", json!({ "search": search }))
                .await;
            let answers = listed["answers"].as_array().map(Vec::len);
            assert_eq!(answers, Some(found), "{search}");
        }
        for both in [
            json!({ "id": id, "question": 1 }),
            json!({ "id": id, "question": 1, "answer": "We.", "answer_id": library }),
        ] {
            owner
                .call("set_submission_answer", both)
                .await
                .refuses("invalid_argument", "answer");
        }
    });
}

#[test]
fn a_tender_is_there_once_and_has_one_submission() {
    run(async {
        let mut owner = owner().await;
        let (_, tender) = submission(&mut owner, &[], LATER).await;
        owner
            .call("create_submission", json!({ "tender_id": tender }))
            .await
            .refuses("conflict", "tender_id");
        let again =
            json!({ "title": "A", "issuer": "B", "deadline_at": LATER, "reference": "PE 1" });
        owner.output("create_tender", again.clone()).await;
        owner
            .call("create_tender", again)
            .await
            .refuses("conflict", "reference");
    });
}
