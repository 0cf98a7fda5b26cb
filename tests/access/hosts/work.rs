//! The Work host; its meetings are tried in `tests/access/work`.

use frontdesk_protocol::{Host, Role};

use super::{Area, Case, May, Record};

/// Who manages business units.
const MANAGERS: May = May(&[Role::Owner, Role::Admin, Role::Finance], &[]);

pub(crate) const AREA: Area = Area {
    host: Host::Work,
    records: RECORDS,
    cases: CASES,
    elsewhere: &[
        "list_meeting_series",
        "merge_meetings",
        "promote_occurrence_to_standalone",
        "remove_meeting_series",
        "set_meeting_recurrence_time",
        "set_meeting_template",
    ],
};

const RECORDS: &[Record] = records![
    "unit", "create_business_unit", |_m| {
        "name": "Unit", "profile_image_url": "https://example.org/1.png", "tags": ["a", "b"],
    };
];

const CASES: &[Case] = cases![
    "list_business_units", MANAGERS, |_m| { "search": "u", "tag": "a" };
    "get_business_unit", MANAGERS, |m| { "id": m["unit"] };
    "create_business_unit", MANAGERS, |_m| { "name": "New", "tags": ["a"] };
    "update_business_unit", MANAGERS, |m| { "id": m["unit"], "tags": null };
    "delete_business_unit", MANAGERS, |m| { "id": m["unit"] };
];
