//! The Strategy host.

use frontdesk_protocol::{Host, Role};

use super::{Area, Case, DESK, May, Record, STAFF};

/// The roles that see business units.
const MANAGERS: May = May(&[Role::Owner, Role::Admin, Role::Finance], &[]);

pub(crate) const AREA: Area = Area {
    host: Host::Strategy,
    records: RECORDS,
    cases: CASES,
    elsewhere: &[],
};

const RECORDS: &[Record] = records![
    "persona", "create_persona", |m| {
        "name": "Ana", "summary": "Changes her trade", "business_unit_id": m["business_unit"],
        "goals": ["a job"], "pains": ["no time"],
    };
    "competitor", "create_competitor", |m| {
        "name": "Código Rápido", "website": "https://example.org", "business_unit_id": m["business_unit"],
        "strengths": ["cheap"], "weaknesses": ["no mentors"], "notes": "Since 2020",
    };
];

const CASES: &[Case] = cases![
    "set_canvas_block", MANAGERS, |m| { "business_unit_id": m["business_unit"], "block": "channels", "version": 0, "items": ["Fairs"] };
    "get_canvas", MANAGERS, |m| { "business_unit_id": m["business_unit"] };
    "list_personas", STAFF, |m| { "business_unit_id": m["business_unit"], "search": "trade" };
    "create_persona", DESK, |_m| { "name": "New" };
    "update_persona", DESK, |m| { "id": m["persona"], "summary": null, "business_unit_id": null };
    "list_competitors", STAFF, |m| { "business_unit_id": m["business_unit"], "search": "codigo" };
    "create_competitor", DESK, |_m| { "name": "New" };
    "update_competitor", DESK, |m| { "id": m["competitor"], "website": null, "strengths": [] };
    "delete_persona", DESK, |m| { "id": m["persona"] };
    "delete_competitor", DESK, |m| { "id": m["competitor"] };
];
