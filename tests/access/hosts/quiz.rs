//! The Forms and quizzes host: forms, quizzes, attempts.

use frontdesk_protocol::{Host, Role};

use super::{ALL_BUT_FINANCE, Area, Case, DESK, May, PEOPLE, Record, TEACHING_AND_MACHINES};

/// Writers of forms and quizzes.
const AUTHORS: May = May(&[Role::Owner, Role::Admin, Role::Staff, Role::Teacher], &[]);
/// Authors, and the machine that sends forms.
const FORM_READERS: May = TEACHING_AND_MACHINES;
/// Also a fellow, for the forms that they were sent.
const FORM_READERS_AND_FELLOW: May = May(
    &[
        Role::Owner,
        Role::Admin,
        Role::Staff,
        Role::Teacher,
        Role::Automation,
        Role::Fellow,
    ],
    &[],
);
/// Those who send forms, and the machine.
const DISPATCH_READERS: May = May(
    &[Role::Owner, Role::Admin, Role::Staff, Role::Automation],
    &[],
);
/// Authors, and a fellow for the own attempts.
const READERS: May = ALL_BUT_FINANCE;
/// Also a fellow, for what they were sent and what they answered.
const DISPATCHED: May = May(
    &[
        Role::Owner,
        Role::Admin,
        Role::Staff,
        Role::Automation,
        Role::Fellow,
    ],
    &[],
);
/// A fellow who was sent the form, and the machine.
const RESPONDENTS: May = May(&[Role::Automation, Role::Fellow], &[]);
const FELLOW: May = May(&[Role::Fellow], &[]);

pub(crate) const AREA: Area = Area {
    host: Host::Quiz,
    records: RECORDS,
    cases: CASES,
    // In tests/wire/quiz.rs: the own attempts, dispatches and responses, and those of others.
    elsewhere: &[
        ("list_attempts", READERS),
        ("list_attempts", AUTHORS),
        ("preview_dispatch", DESK),
        ("list_dispatches", DISPATCH_READERS),
        ("list_dispatches", DISPATCHED),
        ("get_dispatch", DISPATCH_READERS),
        ("get_dispatch", DISPATCHED),
        ("get_form", FORM_READERS),
        ("get_form", FORM_READERS_AND_FELLOW),
        ("list_responses", DISPATCHED),
        ("list_responses", DESK),
    ],
};

const RECORDS: &[Record] = records![
    "form", "create_form", |_m| {
        "title": "Interview", "description": "Ten minutes.", "fields": [
            { "label": "Why?", "kind": "text", "is_required": true },
            { "label": "When?", "kind": "choice", "options": ["Now", "Later"] },
        ],
    };
    "event", "create_event", |m| { "name": "Open day", "strategy_business_unit_id": m["business_unit"] };
    "guest", "create_event_guest", |m| { "event_id": m["event"], "name": "Fellow", "member_id": m["fellow"] };
    "asked", "create_form", |_m| { "title": "Arrival", "fields": [{ "label": "When?", "kind": "text" }] };
    "sent", "dispatch_interview" at "/dispatched", |m| { "form_id": m["asked"], "event_id": m["event"] };
    "dispatch", "list_dispatches" at "/dispatches/0/id", |m| { "form_id": m["asked"] };
    "quiz", "create_quiz", |_m| {
        "title": "Ownership", "description": "Of values.", "pass_percentage": 50, "max_attempts": 9,
        "questions": [{ "prompt": "Who owns it?", "options": ["Nobody", "One"], "right": 2 }],
    };
];

const CASES: &[Case] = cases![
    "list_forms", FORM_READERS, |_m| { "search": "INTER" };
    "get_form", FORM_READERS, |m| { "id": m["form"] };
    "create_form", AUTHORS, |_m| { "title": "New", "fields": [{ "label": "Who?", "kind": "line" }] };
    "dispatch_interview", DESK, |m| { "form_id": m["form"], "event_id": m["event"] };
    "submit_response", RESPONDENTS, |m| { "dispatch_id": m["dispatch"], "answers": ["At ten"] };
    "list_quizzes", PEOPLE, |_m| { "search": "OWNER" };
    "get_quiz", PEOPLE, |m| { "id": m["quiz"] };
    "create_quiz", AUTHORS, |_m| {
        "title": "New", "questions": [{ "prompt": "Is it?", "options": ["Yes", "No"], "right": 1 }],
    };
    "submit_attempt", FELLOW, |m| { "quiz_id": m["quiz"], "answers": [2] };
    "list_attempts", FELLOW, |m| { "quiz_id": m["quiz"], "passed": true };
];
