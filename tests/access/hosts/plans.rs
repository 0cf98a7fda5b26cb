//! The Plans host.

use frontdesk_protocol::Host;

use super::{Area, Case, DESK, PEOPLE, Record};

pub(crate) const AREA: Area = Area {
    host: Host::Plans,
    records: RECORDS,
    cases: CASES,
    // The asker accepts, too: in tests/wire/work.
    elsewhere: &[("accept_answer", PEOPLE), ("accept_answer", DESK)],
};

const RECORDS: &[Record] = records![
    "plan", "create_plan", |_m| { "name": "Março", "description": "Until the opening", "status": "active" };
    "task", "create_task", |m| {
        "name": "Paint the door", "stage_id": "execution", "context": {}, "owner_id": m["member"],
    };
    "adr", "create_adr", |m| {
        "title": "One database", "context": "Two are too many", "decision": "One", "plan_id": m["plan"],
    };
    "question", "ask_question", |m| { "title": "When?", "body": "The opening", "plan_id": m["plan"] };
    "answered", "answer_question", |m| { "question_id": m["question"], "answer": "Today" };
    "answer", "list_answers" at "/answers/0/id", |m| { "question_id": m["question"] };
];

const CASES: &[Case] = cases![
    "list_plans", PEOPLE, |_m| { "status": "active", "search": "marco" };
    "get_plan", PEOPLE, |m| { "id": m["plan"] };
    "create_plan", DESK, |_m| { "name": "New" };
    "update_plan", DESK, |m| { "id": m["plan"], "status": "done" };
    "set_plan_tasks", DESK, |m| { "slug": "marco", "tasks": [{ "task_id": m["task"] }] };
    "list_adrs", PEOPLE, |m| { "plan_id": m["plan"], "search": "database" };
    "get_adr", PEOPLE, |m| { "id": m["adr"] };
    "create_adr", PEOPLE, |_m| { "title": "New", "context": "Why", "decision": "What", "consequences": "Then" };
    "set_adr_status", DESK, |m| { "id": m["adr"], "status": "accepted" };
    "list_questions", PEOPLE, |m| { "plan_id": m["plan"], "is_answered": false, "search": "when" };
    "ask_question", PEOPLE, |_m| { "title": "Why?" };
    "list_answers", PEOPLE, |m| { "question_id": m["question"] };
    "accept_answer", DESK, |m| { "id": m["answer"] };
    "answer_question", PEOPLE, |m| { "question_id": m["question"], "answer": "Tomorrow" };
];
