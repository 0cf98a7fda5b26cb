//! The Engineering host.

use frontdesk_protocol::{Host, Role};

use super::{ALL_BUT_FINANCE, Area, Case, May, PEOPLE, Record};

const EVERYBODY: May = May(&Role::ALL, &[]);
const BUILDERS: May = ALL_BUT_FINANCE;
const BUILDERS_AND_MACHINES: May = May(
    &[
        Role::Owner,
        Role::Admin,
        Role::Staff,
        Role::Teacher,
        Role::Fellow,
        Role::Automation,
    ],
    &[],
);

pub(crate) const AREA: Area = Area {
    host: Host::Engineering,
    records: RECORDS,
    cases: CASES,
    // In tests/wire/engineering.rs: no tool creates their records.
    elsewhere: &[("list_pull_requests", PEOPLE)],
};

const RECORDS: &[Record] = records![
    "run", "start_spec_run", |_m| { "title": "Sign-in page", "spec": "# Sign in" };
    "task", "create_task", |m| {
        "name": "Fix the door", "stage_id": "execution", "context": {}, "owner_id": m["member"],
    };
    "document", "create_document", |_m| { "kind": "diagram", "title": "Overview", "content": "graph TD" };
];

const CASES: &[Case] = cases![
    "assign_task", PEOPLE, |m| { "id": m["task"], "owner_id": m["fellow"] };
    "list_spec_runs", EVERYBODY, |_m| { "status": "queued", "search": "sign" };
    "start_spec_run", BUILDERS_AND_MACHINES, |_m| { "title": "New", "spec": "New" };
    "update_spec_run", BUILDERS_AND_MACHINES, |m| { "id": m["run"], "status": "succeeded", "result": "Done" };
    "list_documents", PEOPLE, |_m| { "kind": "diagram", "search": "over" };
    "get_document", PEOPLE, |m| { "id": m["document"] };
    "create_document", BUILDERS, |_m| { "kind": "sheet", "title": "New" };
    "update_document", BUILDERS, |m| { "id": m["document"], "version": 1, "title": "View" };
];
