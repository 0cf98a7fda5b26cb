//! Two callers of one host at once: unique records exist once, and no change is lost. Only with
//! many sessions can a call wait for another.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::{Answer, Caller, Organization, run};
use serde_json::{Value, json};

use crate::server::together::race;

/// Makes a call twice at once, as [`race`] does.
async fn twice(
    lock: &str,
    row: &Value,
    caller: &Caller,
    call: (&'static str, Value),
) -> [Answer; 2] {
    let row = serde_json::from_value(row.clone()).expect("an id");
    let callers = [caller.http.clone(), caller.http.clone()];
    race(caller.host, lock, row, callers, [call.clone(), call]).await
}

async fn tender(owner: &mut Caller) -> Value {
    let tender =
        json!({ "title": "Training", "issuer": "City", "deadline_at": "2099-03-01T12:00:00Z" });
    owner.make("create_tender", tender).await
}

pub(crate) fn of_two_submissions_to_a_tender_one_is_begun() {
    run(async {
        let organization = Organization::create().await;
        let mut owner = organization.caller(Role::Owner, Host::Proposals).await;
        let tender = tender(&mut owner).await;
        let begin = ("create_submission", json!({ "tender_id": tender }));
        let [_, late] = twice("proposals.tenders", &tender, &owner, begin).await;
        late.refuses("conflict", "tender_id");
    });
}

pub(crate) fn of_two_who_submit_one_does() {
    run(async {
        let organization = Organization::create().await;
        let mut owner = organization.caller(Role::Owner, Host::Proposals).await;
        let tender = tender(&mut owner).await;
        let begun = json!({ "tender_id": tender });
        let submission = owner.make("create_submission", begun).await;
        let submit = ("submit_submission", json!({ "id": submission }));
        let [done, late] = twice("proposals.submissions", &submission, &owner, submit).await;
        assert_eq!(done.output()["submission"]["status"], "submitted");
        late.refuses("invalid_argument", "id");
    });
}

pub(crate) fn of_two_dispatches_each_guest_gets_one() {
    run(async {
        let organization = Organization::create().await;
        let mut staff = organization.caller(Role::Staff, Host::Quiz).await;
        let event = organization.event("Open Day").await;
        for name in ["Ana", "Bea", "Zoe"] {
            let guest = json!({ "event_id": event, "name": name, "chat_id": name });
            staff
                .http
                .events("create_event_guest", guest)
                .await
                .output();
        }
        let form = json!({ "title": "Interview", "fields": [{ "label": "Why?", "kind": "text" }] });
        let form = staff.make("create_form", form).await;
        let dispatch = json!({ "form_id": form, "event_id": event });
        let dispatch = ("dispatch_interview", dispatch);
        let ended = twice("events.events", &json!(event), &staff, dispatch).await;
        let sent = |field: &str| -> i64 {
            let counts = ended.iter().filter_map(|one| one.output()[field].as_i64());
            counts.sum()
        };
        assert_eq!(sent("dispatched"), 3);
        assert_eq!(sent("automation_webhook_inserts"), 3);
        let listed = staff.output("list_dispatches", json!({})).await;
        assert_eq!(listed["dispatches"].as_array().map(Vec::len), Some(3));
    });
}

pub(crate) fn of_two_last_attempts_one_counts() {
    run(async {
        let organization = Organization::create().await;
        let mut teacher = organization.caller(Role::Teacher, Host::Quiz).await;
        let quiz = json!({
            "title": "Ownership", "max_attempts": 1,
            "questions": [{ "prompt": "Is it?", "options": ["Yes", "No"], "right": 1 }],
        });
        let quiz = teacher.make("create_quiz", quiz).await;
        let fellow = organization.caller(Role::Fellow, Host::Quiz).await;
        let attempt = json!({ "quiz_id": quiz, "answers": [1] });
        let attempt = ("submit_attempt", attempt);
        let [_, late] = twice("quiz.quizzes", &quiz, &fellow, attempt).await;
        late.refuses("invalid_argument", "quiz_id");
    });
}

pub(crate) fn versions_that_are_published_at_once_are_all_kept() {
    run(async {
        let organization = Organization::create().await;
        let mut teacher = organization.caller(Role::Teacher, Host::Skills).await;
        let skill = |body: &str| {
            let text =
                json!({ "slug": "greet", "title": "Greet", "description": "Often.", "body": body });
            ("publish_skill", text)
        };
        let id = teacher.make(skill("A").0, skill("A").1).await;
        let row = serde_json::from_value(id.clone()).expect("an id");
        for (texts, version) in [(["B", "C"], 3), (["D", "D"], 4)] {
            let callers = [teacher.http.clone(), teacher.http.clone()];
            let calls = texts.map(skill);
            let ended = race(Host::Skills, "skills.skills", row, callers, calls).await;
            for answer in &ended {
                answer.output();
            }
            let got = teacher.record("get_skill", json!({ "id": id })).await;
            assert_eq!(got["version"], version, "{texts:?}");
            assert_eq!(
                got["versions"].as_array().map(Vec::len),
                version.try_into().ok()
            );
        }
    });
}
