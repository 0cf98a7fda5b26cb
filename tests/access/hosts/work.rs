//! The Work host; the tests of its meetings are in `tests/access/work`.

use frontdesk_protocol::{Host, Role};

use super::{Area, Case, DESK, May, PEOPLE, Record, STAFF};

/// The roles that manage business units.
const MANAGERS: May = May(&[Role::Owner, Role::Admin, Role::Finance], &[]);

/// Global admins with a staff row.
const PLACERS: May = May(
    &[Role::Owner],
    &[Role::Admin, Role::Staff, Role::Teacher, Role::Finance],
);

/// The staff, and global admins.
const SEERS: May = May(
    &[
        Role::Owner,
        Role::Admin,
        Role::Staff,
        Role::Teacher,
        Role::Finance,
    ],
    &[Role::Fellow, Role::Automation],
);
/// Everybody except machines below level 80.
const READERS: May = May(PEOPLE.0, &[Role::Automation]);

pub(crate) const AREA: Area = Area {
    host: Host::Work,
    records: RECORDS,
    cases: CASES,
    // By level, in tests/access/work.
    elsewhere: &[
        ("add_meeting_occurrences", PLACERS),
        ("list_meeting_series", STAFF),
        ("merge_meetings", PLACERS),
        ("promote_occurrence_to_standalone", PLACERS),
        ("remove_meeting_series", PLACERS),
        ("set_meeting_recurrence_time", PLACERS),
        ("set_meeting_template", PLACERS),
        ("set_occurrence_transcript", PLACERS),
    ],
};

const RECORDS: &[Record] = records![
    "unit", "create_business_unit", |_m| {
        "name": "Unit", "profile_image_url": "https://example.org/1.png", "tags": ["a", "b"],
    };
    "project", "create_project", |m| { "name": "Museum", "business_unit_id": m["unit"] };
    "epic", "create_epic", |m| { "name": "Guide", "project_id": m["project"], "notes": "Opens at ten" };
    "delivery", "create_delivery", |m| { "name": "First", "epic_id": m["epic"], "owner_id": m["member"] };
    "task", "create_task", |m| {
        "name": "Draw", "stage_id": "design", "context": { "why": "Asked for" }, "owner_id": m["member"],
        "delivery_id": m["delivery"], "points": 3, "priority": 1, "estimated_date": "2026-03-05",
        "attachments": ["https://example.org/a"], "acceptance_criteria": ["Is seen"],
    };
    "series", "create_meeting_series" at "/meeting/id", |_m| {
        "title": "Weekly", "first_on": "2026-03-02", "recurrence_start_time": "09:00", "recurrence_end_time": "09:15",
    };
    "occurrence", "list_meeting_series" at "/series/0/occurrences/0/id", |_m| { "include_occurrences": true };
    "skeleton", "create_meeting_series" at "/meeting/id", |_m| {
        "title": "Weekly", "first_on": "2026-03-09", "recurrence_start_time": "09:00", "recurrence_end_time": "09:15",
    };
    "meeting", "create_meeting", |_m| { "title": "Kick-off before", "meeting_date": "2026-03-05T09:00:00Z" };
    "empty_epic", "create_epic", |_m| { "name": "Empty", "is_long_lived": true };
    "empty_project", "create_project", |_m| { "name": "Empty" };
    "empty_unit", "create_business_unit", |_m| { "name": "Empty" };
];

const CASES: &[Case] = cases![
    "list_projects", PEOPLE, |m| { "business_unit_id": m["unit"], "search": "mus" };
    "get_project", PEOPLE, |m| { "id": m["project"] };
    "create_project", DESK, |m| { "name": "New", "business_unit_id": m["unit"] };
    "update_project", DESK, |m| { "id": m["project"], "name": "Renamed" };
    "list_epics", PEOPLE, |m| { "project_id": m["project"], "status": "pending", "search": "guide" };
    "get_epic", PEOPLE, |m| { "id": m["epic"] };
    "create_epic", DESK, |m| { "name": "New", "project_id": m["project"], "status": "in_progress" };
    "update_epic", DESK, |m| { "id": m["epic"], "notes": null };
    "list_deliveries", PEOPLE, |m| { "epic_id": m["epic"], "owner_id": m["member"], "search": "first" };
    "get_delivery", PEOPLE, |m| { "id": m["delivery"] };
    "create_delivery", DESK, |m| {
        "name": "New", "epic_id": m["epic"], "price": 12.5, "price_per_point": 2, "total_points": 6,
    };
    "update_delivery", DESK, |m| { "id": m["delivery"], "number_of_tasks": 7 };
    "list_tasks", PEOPLE, |m| {
        "epic_id": m["epic"], "delivery_id": m["delivery"], "owner_id": m["member"], "search": "draw",
    };
    "get_task", PEOPLE, |m| { "id": m["task"] };
    "get_task_branch_name", PEOPLE, |m| { "id": m["task"] };
    "create_task", PEOPLE, |m| {
        "name": "New", "stage_id": "spec", "context": {}, "owner_id": m["member"], "epic_id": m["epic"],
    };
    "update_task", PEOPLE, |m| { "id": m["task"], "status": "in_progress" };
    "get_weekly_updates", SEERS, |m| { "member_id": m["member"] };
    "get_weekly_updates", READERS, |m| { "member_id": m["fellow"], "days": 14 };
    "create_placement", PLACERS, |m| {
        "member_id": m["member"], "company": "Museum", "role": "Developer", "started_at": "2026-03-05",
    };
    "create_meeting", PLACERS, |_m| { "title": "Kick-off", "meeting_date": "2026-03-05T09:00:00Z" };
    "create_meeting_series", PLACERS, |_m| {
        "title": "Daily", "first_on": "2026-03-02", "recurrence_start_time": "09:00", "recurrence_end_time": "09:15",
        "recurrence_rule": "FREQ=DAILY",
    };
    "import_calendar", PLACERS, |_m| {
        "calendar": "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:Review\r\nDTSTART:20260306T120000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
    };
    "list_meetings", STAFF, |_m| { "from": "2026-03-05T00:00:00Z", "to": "2026-03-06T00:00:00Z", "search": "KICK" };
    "list_meeting_series", STAFF, |_m| { "include_occurrences": true };
    "add_meeting_occurrences", PLACERS, |m| { "series_meeting_id": m["series"], "occurrences": 2 };
    "set_meeting_recurrence_time", PLACERS, |m| {
        "meeting_id": m["series"], "recurrence_start_time": "10:00", "recurrence_end_time": "10:15",
    };
    "set_meeting_template", PLACERS, |m| { "meeting_id": m["series"], "template": "weekly_leaders" };
    "set_occurrence_transcript", PLACERS, |m| { "occurrence_id": m["occurrence"], "transcript": "Words", "transcriber_transcript_id": "tr-1" };
    "update_meeting", PLACERS, |m| { "id": m["meeting"], "title": "Kick-off of spring", "meeting_date": "2026-03-06T09:00:00Z" };
    "merge_meetings", PLACERS, |m| { "canonical_meeting_id": m["series"], "skeleton_meeting_id": m["skeleton"] };
    "promote_occurrence_to_standalone", PLACERS, |m| { "occurrence_id": m["occurrence"] };
    "remove_meeting_series", PLACERS, |m| { "series_meeting_id": m["series"], "occurrence_policy": "promote_real_discard_empty" };
    "create_member_label_alias", DESK, |m| { "alias": "Ana S.", "member_id": m["member"] };

    "list_business_units", MANAGERS, |_m| { "search": "u", "tag": "a" };
    "get_business_unit", MANAGERS, |m| { "id": m["unit"] };
    "create_business_unit", MANAGERS, |_m| { "name": "New", "tags": ["a"] };
    "update_business_unit", MANAGERS, |m| { "id": m["unit"], "tags": null };

    "delete_business_unit", MANAGERS, |m| { "id": m["empty_unit"] };
    "delete_task", PEOPLE, |m| { "id": m["task"] };
    "delete_delivery", DESK, |m| { "id": m["delivery"] };
    "delete_epic", DESK, |m| { "id": m["empty_epic"] };
    "delete_project", DESK, |m| { "id": m["empty_project"] };
];
