//! The plans host: plans and their tasks, decisions, questions.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::blocking::Caller;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{add_task, each, stage};

/// A plan called March, at the plans host, and tasks of these names, at the work host.
fn plan(owner: &mut Caller, member: Value, names: &[&str]) -> (Caller, Vec<Value>) {
    let mut plans = owner.at(Host::Plans);
    plans.make("create_plan", json!({ "name": "March" }));
    let mut tasks = Vec::new();
    for name in names {
        tasks.push(add_task(owner, name, member.clone())["id"].clone());
    }
    (plans, tasks)
}

fn set(tasks: &[&Value]) -> Value {
    let tasks: Vec<_> = tasks.iter().map(|id| json!({ "task_id": id })).collect();
    json!({ "slug": "march", "tasks": tasks })
}

/// The names of the tasks that the plan shows.
fn shown(plans: &mut Caller) -> Value {
    let plan = plans.record("get_plan", json!({ "slug": "march" }));
    assert_eq!(
        plan["task_count"],
        json!(plan["tasks"].as_array().map(Vec::len))
    );
    json!(each(&plan, "tasks", "name"))
}

#[test]
fn a_plan_shows_exactly_the_tasks_that_were_set_in_their_order() {
    let (organization, mut owner) = stage();
    let member = json!(organization.member);
    let (mut plans, t) = plan(&mut owner, member, &["A", "B", "C"]);
    let answer = plans.record("set_plan_tasks", set(&[&t[2], &t[0]]));
    assert_eq!(json!(each(&answer, "tasks", "name")), json!(["C", "A"]));
    // Twice is the same as once.
    plans.output("set_plan_tasks", set(&[&t[2], &t[0]]));
    assert_eq!(shown(&mut plans), json!(["C", "A"]));
    plans.output("set_plan_tasks", set(&[&t[0], &t[1], &t[2]]));
    assert_eq!(shown(&mut plans), json!(["A", "B", "C"]));
    owner.output("delete_task", json!({ "id": t[1] }));
    assert_eq!(shown(&mut plans), json!(["A", "C"]));
    plans.output("set_plan_tasks", set(&[]));
    assert_eq!(shown(&mut plans), json!([]));
}

#[test]
fn a_task_that_a_plan_cannot_show_refuses_all_and_is_named() {
    let (organization, mut owner) = stage();
    let member = json!(organization.member);
    let (mut plans, t) = plan(&mut owner, member, &["A", "B"]);
    plans.output("set_plan_tasks", set(&[&t[0]]));
    let (other, mut stranger) = stage();
    let theirs = add_task(&mut stranger, "Theirs", json!(other.member))["id"].clone();
    for unknown in [theirs, json!(Uuid::now_v7())] {
        let refused = plans.call("set_plan_tasks", set(&[&t[1], &unknown]));
        refused.refuses("not_found", "tasks[1].task_id");
        let hint = refused.tool_error()["hint"].to_string();
        assert!(hint.contains(unknown.as_str().expect("an id")), "{hint}");
    }
    let twice = plans.call("set_plan_tasks", set(&[&t[1], &t[1]]));
    twice.refuses("invalid_argument", "tasks[1].task_id");
    assert_eq!(shown(&mut plans), json!(["A"]));
    let nowhere = json!({ "slug": "april", "tasks": [] });
    let refused = plans.call("set_plan_tasks", nowhere);
    refused.refuses("not_found", "slug");
}

#[test]
fn a_task_is_on_no_plan_until_it_is_set_there() {
    let (organization, mut owner) = stage();
    let member = json!(organization.member);
    let (mut plans, _) = plan(&mut owner, member, &["A"]);
    assert_eq!(shown(&mut plans), json!([]));
}

#[test]
fn an_adr_is_decided_once_and_names_its_successor() {
    let (_, owner) = stage();
    let mut plans = owner.at(Host::Plans);
    let mut ids = Vec::new();
    for title in ["Old", "New", "Newer"] {
        let adr = json!({ "title": title, "context": "Why", "decision": "What" });
        ids.push(plans.make("create_adr", adr));
    }
    let status = |id: &Value, status: &str| json!({ "id": id, "status": status });
    let by = |id: &Value, next: &Value| json!({ "id": id, "status": "superseded", "superseded_by": next });
    for id in &ids {
        plans.output("set_adr_status", status(id, "accepted"));
    }
    let refused = plans.call("set_adr_status", status(&ids[0], "superseded"));
    refused.refuses("invalid_argument", "superseded_by");
    let itself = plans.call("set_adr_status", by(&ids[0], &ids[0]));
    itself.refuses("invalid_argument", "superseded_by");
    for other in ["proposed", "rejected"] {
        let refused = plans.call("set_adr_status", status(&ids[0], other));
        refused.refuses("invalid_argument", "status");
    }
    let done = plans.record("set_adr_status", by(&ids[0], &ids[1]));
    assert_eq!(done["superseded_by"], ids[1]);
    // Neither another successor, nor one that does not hold itself.
    let again = plans.call("set_adr_status", by(&ids[0], &ids[2]));
    again.refuses("invalid_argument", "superseded_by");
    let back = plans.call("set_adr_status", by(&ids[1], &ids[0]));
    back.refuses("invalid_argument", "superseded_by");
}

#[test]
fn a_question_has_one_accepted_answer_which_who_asked_chooses() {
    let (organization, owner) = stage();
    let mut owner = owner.at(Host::Plans);
    let mut fellow = organization
        .caller(Role::Fellow, Host::Work)
        .at(Host::Plans);
    let mut teacher = organization
        .caller(Role::Teacher, Host::Work)
        .at(Host::Plans);
    let question = fellow.make("ask_question", json!({ "title": "When?" }));
    for answer in ["Today", "Tomorrow"] {
        let answer = json!({ "question_id": question, "answer": answer });
        teacher.output("answer_question", answer);
    }
    let listed = teacher.output("list_questions", json!({}));
    let answers = each(&listed["questions"][0], "answers", "id");
    let accept = |at: usize| json!({ "id": answers[at] });
    assert_eq!(
        teacher.call("accept_answer", accept(0)).refusal(),
        "forbidden"
    );
    fellow.output("accept_answer", accept(0));
    let now = owner.record("accept_answer", accept(1));
    assert_eq!(
        json!(each(&now, "answers", "answer")),
        json!(["Tomorrow", "Today"])
    );
    assert_eq!(
        json!(each(&now, "answers", "is_accepted")),
        json!([true, false])
    );
    let open = fellow.output("list_questions", json!({ "is_answered": false }));
    assert_eq!(open["questions"], json!([]));
    let none = json!({ "id": Uuid::now_v7() });
    fellow
        .call("accept_answer", none)
        .refuses("not_found", "id");
}
