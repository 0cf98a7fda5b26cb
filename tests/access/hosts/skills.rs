//! The Skills host.

use frontdesk_protocol::{Host, Role};

use super::{Area, Case, May, Record};

const AUTHORS: May = May(
    &[Role::Owner, Role::Admin, Role::Staff, Role::Teacher],
    &[],
);
const EVERYBODY: May = May(&Role::ALL, &[]);

pub(crate) const AREA: Area = Area {
    host: Host::Skills,
    records: RECORDS,
    cases: CASES,
    elsewhere: &[],
};

const RECORDS: &[Record] = records![
    "skill", "publish_skill", |_m| {
        "slug": "greet", "title": "Greet", "description": "When a guest comes.", "body": "Say hello.",
    };
];

const CASES: &[Case] = cases![
    "list_skills", EVERYBODY, |_m| { "search": "GUEST" };
    "get_skill", EVERYBODY, |m| { "id": m["skill"], "version": 1 };
    "publish_skill", AUTHORS, |_m| {
        "slug": "part", "title": "Part", "description": "When a guest goes.", "body": "Say goodbye.",
    };
    "retire_skill", AUTHORS, |m| { "id": m["skill"] };
];
