//! The Proposals host: tenders, the library of answers, submissions.

use frontdesk_protocol::{Host, Role};

use super::{Area, Case, DESK, May, Record};

/// Writers, and finance.
const READERS: May = May(&[Role::Owner, Role::Admin, Role::Staff, Role::Finance], &[]);
/// The roles that can bind the organisation.
const SIGNATORIES: May = May(&[Role::Owner, Role::Admin], &[]);

pub(crate) const AREA: Area = Area {
    host: Host::Proposals,
    records: RECORDS,
    cases: CASES,
    elsewhere: &[],
};

const RECORDS: &[Record] = records![
    "tender", "create_tender", |_m| {
        "title": "Training", "issuer": "City", "deadline_at": "2099-03-01T12:00:00Z",
        "reference": "PE 12/2026", "summary": "Courses.", "url": "https://example.org/t", "questions": ["Who?", "When?"],
    };
    "quick", "create_tender", |_m| {
        "title": "Form", "issuer": "State", "deadline_at": "2099-03-01T12:00:00Z",
    };
    "free", "create_tender", |_m| {
        "title": "Other", "issuer": "State", "deadline_at": "2099-03-01T12:00:00Z",
    };
    "unanswered", "create_tender", |_m| {
        "title": "Late", "issuer": "City", "deadline_at": "2099-03-01T12:00:00Z",
    };
    "answer", "create_answer", |_m| { "question": "Who?", "answer": "We.", "tags": ["team"] };
    "submission", "create_submission", |m| { "tender_id": m["tender"], "note": "Ask Helena." };
    "ready", "create_submission", |m| { "tender_id": m["quick"] };
];

const CASES: &[Case] = cases![
    "list_tenders", READERS, |_m| { "status": "open", "search": "pe 12" };
    "get_tender", READERS, |m| { "id": m["tender"] };
    "create_tender", DESK, |_m| {
        "title": "New", "issuer": "City", "deadline_at": "2099-03-01T12:00:00Z", "questions": ["Why?"],
    };
    "update_tender", DESK, |m| { "id": m["tender"], "summary": null, "questions": ["Who?"] };
    "search_answers", READERS, |_m| { "search": "who", "tag": "team" };
    "create_answer", DESK, |_m| { "question": "Where?", "answer": "Here." };
    "update_answer", DESK, |m| { "id": m["answer"], "answer": "All of us." };
    "list_submissions", READERS, |m| { "tender_id": m["tender"], "search": "training" };
    "get_submission", READERS, |m| { "id": m["submission"] };
    "list_submission_answers", READERS, |m| { "submission_id": m["submission"] };
    "create_submission", DESK, |m| { "tender_id": m["free"] };
    "set_submission_answer", DESK, |m| { "id": m["submission"], "question": 1, "answer": "We." };
    "set_submission_answer", DESK, |m| { "id": m["submission"], "question": 1, "answer_id": m["answer"] };
    "export_submission", READERS, |m| { "id": m["submission"] };
    "submit_submission", SIGNATORIES, |m| { "id": m["ready"] };
    "delete_tender", DESK, |m| { "id": m["unanswered"] };
];
